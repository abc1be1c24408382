/** Ceremonies of passkeys through a browser and the whole service. */
import type { OptionsJson, SoftwarePasskey } from "@latchkey/testing"
import type { TestBrowser, Visit } from "./browser.js"

/** Registers a credential at the provider `passkey`, or signs in with one; resolves to the visit of the callback. */
export async function passkeyCeremony(
  browser: TestBrowser,
  authenticator: SoftwarePasskey,
  query: Record<string, string>,
): Promise<Visit> {
  const asked = await browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams(query)}`)
  const { action, options } = JSON.parse(asked.text) as { action: string; options: OptionsJson }
  const answer = await (action === "register" ? authenticator.create(options) : authenticator.get(options))
  return browser.post("/auth/callback/passkey", { action, data: JSON.stringify(answer) })
}
