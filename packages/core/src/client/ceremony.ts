/** One WebAuthn ceremony in the browser, started by the script of the built-in page or by the client. */

/** What is used of the browser library. */
export interface BrowserLibrary {
  browserSupportsWebAuthn(): boolean
  browserSupportsWebAuthnAutofill(): Promise<boolean>
  startAuthentication(options: { optionsJSON: never; useBrowserAutofill?: boolean }): Promise<object>
  startRegistration(options: { optionsJSON: never }): Promise<object>
}

/** The two ceremonies. */
export type CeremonyAction = "register" | "authenticate"

/** What `webauthn-options` answers. */
export interface CeremonyBody {
  readonly action: CeremonyAction
  readonly options: unknown
}

/** Fields of the answer: posted to the callback, they finish the ceremony. */
export interface CeremonyFields {
  readonly action: CeremonyAction
  /** JSON. */
  readonly data: string
}

/** The query of `webauthn-options`. */
export function optionsQuery(action: CeremonyAction, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams({ action })
  for (const [name, value] of Object.entries(fields)) if (value) query.set(name, String(value))
  return query.toString()
}

/** Says whether a body holds options. */
export function isCeremonyBody(body: unknown): body is CeremonyBody {
  if (typeof body !== "object" || body === null || !("action" in body) || !("options" in body)) return false
  return body.action === "register" || body.action === "authenticate"
}

/** Lets the person use the authenticator. Rejects when they do not. */
export async function perform(
  library: BrowserLibrary,
  { action, options }: CeremonyBody,
  useBrowserAutofill = false,
): Promise<CeremonyFields> {
  const optionsJSON = options as never
  const answer =
    action === "register"
      ? await library.startRegistration({ optionsJSON })
      : await library.startAuthentication({ optionsJSON, useBrowserAutofill })
  return { action, data: JSON.stringify(answer) }
}
