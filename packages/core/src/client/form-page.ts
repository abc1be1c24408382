/**
 * The script of built-in pages with forms: the address is asked for first, a password can be shown, what was typed is
 * kept, a pressed button says so. It is bundled into one string; nothing imports it. Without it the same forms work.
 */

import { keepLastProvider } from "./last-provider.js"

/** The address typed last, for this tab alone: on the page of an error it stands in the field again. */
const memory = "latchkey.address"

for (const form of all<HTMLFormElement>("form[data-first]")) askAddressFirst(form)
for (const button of all<HTMLButtonElement>("button[data-show]")) offerToShow(button)
if ("PublicKeyCredential" in window) for (const form of all("form[data-passkey]")) form.hidden = false
recall()
for (const button of all<HTMLButtonElement>("button[data-wait]")) letWait(button)
document.addEventListener("submit", leave)
// A page that comes back from the browser's memory is as it was left: with its buttons switched off.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) setBusy(undefined)
})

function all<E extends HTMLElement>(selector: string): E[] {
  return [...document.querySelectorAll<E>(selector)]
}

/** Two steps out of one form: what follows the address is shown once there is one. */
function askAddressFirst(form: HTMLFormElement): void {
  const next = form.querySelector<HTMLButtonElement>("button[data-next]")
  const later = form.querySelector<HTMLElement>(".later")
  if (!next || !later) return
  form.dataset["step"] = "1"
  // A required field that is not shown yet would hold the form back without a word.
  form.noValidate = true
  next.hidden = false
  form.addEventListener("submit", (event) => {
    // Return in the address field presses the first button that submits, and that is a later one.
    if (form.dataset["step"] !== "1") return
    event.preventDefault()
    advance()
  })
  next.addEventListener("click", advance)
  const back = form.querySelector<HTMLButtonElement>("button[data-back]")
  if (back) back.hidden = false
  back?.addEventListener("click", () => {
    go("1", "input[data-address]")
  })

  function advance(): void {
    if (form.querySelector<HTMLInputElement>("input[data-address]")?.reportValidity())
      go("2", ".later input:not([type=hidden]),.later button")
  }

  function go(step: string, focused: string): void {
    form.dataset["step"] = step
    form.noValidate = step === "1"
    if (next) next.hidden = step !== "1"
    form.querySelector<HTMLElement>(focused)?.focus()
  }
}

function offerToShow(button: HTMLButtonElement): void {
  const input = document.getElementById(button.getAttribute("aria-controls") ?? "") as HTMLInputElement | null
  if (!input) return
  button.hidden = false
  button.addEventListener("click", () => {
    const isShown = input.type === "text"
    input.type = isShown ? "password" : "text"
    button.setAttribute("aria-label", (isShown ? button.dataset["show"] : button.dataset["hide"]) ?? "")
    button.toggleAttribute("data-shown", !isShown)
  })
}

/**
 * Puts the address back into empty fields, and shows what says it: on pages that follow a try. Whoever comes to sign in
 * anew finds an empty field, because it may be somebody else.
 */
function recall(): void {
  const follows = document.querySelector(".alert,.wrong,[data-with-address],form[data-recall]") !== null
  const address = remembered()
  if (!follows) remember("")
  if (!follows || !address) return
  for (const input of all<HTMLInputElement>("input[data-address]")) input.value ||= address
  for (const place of all("[data-says-address]")) place.textContent = address
  for (const element of all("[data-with-address]")) element.hidden = false
  for (const element of all("[data-without-address]")) element.hidden = true
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(memory)
  } catch {
    // The browser keeps nothing for this site.
    return null
  }
}

/** A form is on its way: the address is kept, and no button is pressed twice. */
function leave(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented) return
  const { submitter } = event
  const address = form.querySelector<HTMLInputElement>("input[data-address]")
  // A button that needs the address alone lets the other fields be, not that one.
  if (submitter?.hasAttribute("formnovalidate") && address?.reportValidity() === false) {
    event.preventDefault()
    return
  }
  if (address?.value) remember(address.value)
  const provider = submitter?.dataset["provider"]
  if (provider) keepLastProvider(provider)
  // A mail needs no password: it stays in the browser.
  if (submitter?.hasAttribute("formaction")) {
    for (const input of form.querySelectorAll<HTMLInputElement>("input[data-secret]")) input.disabled = true
  }
  // Later: a button that is switched off now is not part of the form.
  setTimeout(() => setBusy(submitter ?? form.querySelector("button")))
}

function remember(address: string): void {
  try {
    sessionStorage.setItem(memory, address)
  } catch {
    // As above.
  }
}

function setBusy(pressed: HTMLElement | null | undefined): void {
  for (const button of all<HTMLButtonElement>("form button")) {
    button.disabled = pressed !== undefined
    button.toggleAttribute("aria-busy", false)
  }
  pressed?.setAttribute("aria-busy", "true")
  if (pressed === undefined) for (const input of all<HTMLInputElement>("input[data-secret]")) input.disabled = false
}

/** A button that cannot be pressed again at once. What stands behind it says how long that is, by the seconds left. */
function letWait(button: HTMLButtonElement): void {
  const texts: readonly string[] = JSON.parse(button.dataset["wait"] ?? "[]")
  const line = button.nextElementSibling
  let seconds = texts.length
  button.disabled = true
  const timer = setInterval(count, 1000)
  count()

  function count(): void {
    seconds--
    if (line) line.textContent = texts[seconds] ?? ""
    if (seconds > 0) return
    clearInterval(timer)
    button.disabled = false
  }
}
