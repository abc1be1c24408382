/** Passkeys through the whole engine: options are fetched and answered by a software authenticator. */

import type { OptionsJson, SoftwarePasskey } from "@latchkey/testing"
import { Passkey } from "../../src/providers/passkey.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TestBrowser, Visit } from "./browser.js"

/** What a world needs to serve passkeys. */
export const passkeyConfig: Partial<AuthConfig> = {
  providers: [Passkey()],
  experimental: { enableWebAuthn: true },
}

/** Fetches the options of a ceremony. */
export async function optionsOf(
  browser: TestBrowser,
  query: Record<string, string>,
): Promise<{ action: string; options: OptionsJson }> {
  const visit = await browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams(query)}`)
  return JSON.parse(visit.text) as { action: string; options: OptionsJson }
}

/** Registers a passkey; for an address, or for who is signed in. */
export async function registerPasskey(
  browser: TestBrowser,
  authenticator: SoftwarePasskey,
  email?: string,
): Promise<Visit> {
  const { options } = await optionsOf(browser, { action: "register", ...(email && { email }) })
  return answer(browser, "register", await authenticator.create(options))
}

/** Signs in with a passkey. */
export async function signInByPasskey(browser: TestBrowser, authenticator: SoftwarePasskey): Promise<Visit> {
  const { options } = await optionsOf(browser, { action: "authenticate" })
  return answer(browser, "authenticate", await authenticator.get(options))
}

async function answer(browser: TestBrowser, action: string, data: unknown): Promise<Visit> {
  return browser.post("/auth/callback/passkey", { action, data: JSON.stringify(data) }, { csrf: false, json: true })
}
