/** Passkeys through the whole engine: options are fetched and answered by a software authenticator. */
import type { OptionsJson, SoftwarePasskey } from "@latchkey/testing"
import { toBase64url } from "@latchkey/testing/webauthn"
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
  return optionsIn(await askFor(browser, query))
}

/** A whole ceremony; resolves to the visit of the callback, or to the answer that refuses the options. */
export async function passkeyCeremony(
  browser: TestBrowser,
  authenticator: SoftwarePasskey,
  query: Record<string, string>,
): Promise<Visit> {
  const asked = await askFor(browser, query)
  if (asked.status !== 200) return asked
  const { action, options } = optionsIn(asked)
  const answer = await (action === "register" ? authenticator.create(options) : authenticator.get(options))
  const body = { action, data: JSON.stringify(answer) }
  return browser.post("/auth/callback/passkey", body, { csrf: false, json: true })
}

/** Registers a passkey; for an address, or for who is signed in. */
export function registerPasskey(browser: TestBrowser, authenticator: SoftwarePasskey, email?: string): Promise<Visit> {
  return passkeyCeremony(browser, authenticator, { action: "register", ...(email && { email }) })
}

/** Signs in with a passkey. */
export function signInByPasskey(browser: TestBrowser, authenticator: SoftwarePasskey): Promise<Visit> {
  return passkeyCeremony(browser, authenticator, { action: "authenticate" })
}

/** The same authenticator, which signs in with the credential that it made first. */
export function withFirst(authenticator: SoftwarePasskey): SoftwarePasskey {
  const { credentials, get } = authenticator
  const allowed = () => credentials.slice(0, 1).map(({ id }) => ({ id: toBase64url(id) }))
  return { ...authenticator, get: (options, wrong) => get({ ...options, allowCredentials: allowed() }, wrong) }
}

const askFor = (browser: TestBrowser, query: Record<string, string>): Promise<Visit> =>
  browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams(query)}`)

const optionsIn = ({ text }: Visit): { action: string; options: OptionsJson } => JSON.parse(text)
