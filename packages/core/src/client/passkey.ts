/** Passkeys from a script: signing in, also while the person types, and registering. The browser library is loaded when it is needed. */
import { pathSegment } from "../std/url.js"
import { type BrowserLibrary, type CeremonyAction, isCeremonyBody, optionsQuery, perform } from "./ceremony.js"
import { ClientError, type Connection, returnAddress } from "./connection.js"
import { outcome, type SignInResponse } from "./outcome.js"

/** Options of a ceremony. */
export interface PasskeyOptions {
  /** Id of the provider. @default "passkey" */
  readonly provider?: string
  /** Fields that name the user, such as `email`; without any, the authenticator offers the users it knows. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Where the person goes afterwards. @default the page */
  readonly redirectTo?: string | undefined
  /** `false`: the answer is returned instead of gone to. @default true */
  readonly redirect?: boolean
  /** Signing in only: passkeys are offered in fields with `autocomplete="webauthn"`; waits until one is chosen. @default false */
  readonly autofill?: boolean
}

/**
 * Signs in with a passkey. `undefined` when the page was left, or when passkeys cannot be offered while typing.
 * Rejects when the person does not use one, with {@link ClientError} when the service refuses to begin.
 */
export async function passkeySignIn(
  connection: Connection,
  options: PasskeyOptions = {},
): Promise<SignInResponse | undefined> {
  const library = await loadLibrary()
  if (options.autofill && !(await library.browserSupportsWebAuthnAutofill())) return undefined
  return run(connection, "authenticate", { options, library })
}

/** Registers a passkey: for the person who is signed in, else for a new one. Rejects like {@link passkeySignIn}. */
export async function registerPasskey(
  connection: Connection,
  options: PasskeyOptions = {},
): Promise<SignInResponse | undefined> {
  return run(connection, "register", { options, library: await loadLibrary() })
}

async function run(
  connection: Connection,
  action: CeremonyAction,
  { options, library }: { readonly options: PasskeyOptions; readonly library: BrowserLibrary },
): Promise<SignInResponse | undefined> {
  const { provider = "passkey", fields = {}, redirectTo, redirect = true, autofill = false } = options
  const id = pathSegment(provider)
  const answer = await connection.get(`webauthn-options/${id}?${optionsQuery(action, fields)}`)
  if (!answer.ok || !isCeremonyBody(answer.data)) throw new ClientError("The server refused the ceremony.", answer)
  const result = await perform(library, answer.data, autofill)
  const csrfToken = await connection.csrfToken()
  const callbackUrl = redirectTo ?? returnAddress()
  return outcome(
    connection,
    await connection.post(`callback/${id}`, { ...fields, ...result, csrfToken, callbackUrl }),
    redirect,
  )
}

async function loadLibrary(): Promise<BrowserLibrary> {
  return (await import("./library.js")).browserLibrary
}
