/** The script of the page of passkeys that tells the browser which of them are accepted. It is bundled into one string; nothing imports it. */
import { giveSignals } from "./passkey-signals.js"

for (const { dataset } of document.querySelectorAll<HTMLElement>("[data-signals]"))
  void giveSignals(JSON.parse(dataset["signals"] ?? "[]"), dataset["removed"])
