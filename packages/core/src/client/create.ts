/** A client of the service for the browser. */
import type { SessionEntry } from "../types/managed-sessions.js"
import type { PublicProvider } from "../types/provider.js"
import type { Session } from "../types/session.js"
import { type Answer, ClientError, type ClientOptions, type Connection, connect } from "./connection.js"
import type { SignInResponse } from "./outcome.js"
import { type PasskeyOptions, passkeySignIn, registerPasskey } from "./passkey.js"
import { type SignalOptions, signalPasskeys } from "./passkey-signals.js"
import { makeSignIn, makeSignOut, type SignIn, type SignOut } from "./sign.js"

/** What a page can ask of the service. */
export interface AuthClient {
  /** Signs in. Without a provider the person is sent to the sign-in page. */
  readonly signIn: SignIn
  /** Signs out. */
  readonly signOut: SignOut
  /** The session; `null` when the visitor is signed out. Throws {@link ClientError} when the service answers with an error. */
  getSession(): Promise<Session | null>
  /** Passes data to the callbacks of the application (`trigger: "update"`) and returns the session as it is then. */
  update(data?: unknown): Promise<Session | null>
  /** The token for forms of your own; `undefined` where the protection is switched off. */
  getCsrfToken(): Promise<string | undefined>
  /** The configured providers by id. */
  getProviders(): Promise<Record<string, PublicProvider>>
  /** Signs in with a passkey; with `autofill: true` it is offered while the person types. */
  signInWithPasskey(options?: PasskeyOptions): Promise<SignInResponse | undefined>
  /** Registers a passkey. Throws {@link ClientError} with 401 and `insufficient_user_authentication` where a signed-in user has to sign in again first. */
  registerPasskey(options?: Omit<PasskeyOptions, "autofill">): Promise<SignInResponse | undefined>
  /**
   * Where passkeys are listed: tells the browser which passkeys of the signed-in user are accepted and what the account is
   * called (WebAuthn Level 3 §5.1.10), so that it hides those that are gone. To be called after a passkey was removed, with
   * its id in `removed`, and after a name changed. `false` where the browser has no such methods or it did not work; never throws.
   */
  signalPasskeys(options?: SignalOptions): Promise<boolean>
  /** Where sessions are managed: those of the signed-in user, newest first; empty when nobody is signed in. Throws {@link ClientError} when the service answers with an error. */
  listSessions(): Promise<readonly SessionEntry[]>
  /**
   * Where sessions are managed: ends one by the `id` of its entry. Throws {@link ClientError}: with status 404 when there is
   * no such session, and with 401 and `insufficient_user_authentication` when the user has to sign in again first.
   */
  endSession(id: string): Promise<void>
  /** Where sessions are managed: ends all but the current one, and returns how many ended. Throws like `endSession`. */
  endOtherSessions(): Promise<number>
}

/** Makes a client. Nothing is asked of the service before one of its functions is called. */
export function createClient(options: ClientOptions = {}): AuthClient {
  const connection = connect(options)
  const ask = async (path: string, failed: string): Promise<Answer> => {
    const answer = await connection.get(path)
    if (!answer.ok) throw new ClientError(failed, answer)
    return answer
  }
  const read = async (path: string, failed: string): Promise<unknown> => (await ask(path, failed)).data
  return {
    signIn: makeSignIn(connection),
    signOut: makeSignOut(connection),
    getSession: async () => {
      const failed = "The server cannot determine the session."
      return sessionIn(await ask("session", failed), failed)
    },
    update: (data) => updateSession(connection, data),
    getCsrfToken: () => connection.csrfToken(),
    getProviders: async () =>
      (await read("providers", "The server did not list the providers.")) as Record<string, PublicProvider>,
    signInWithPasskey: (given) => passkeySignIn(connection, given),
    registerPasskey: (given) => registerPasskey(connection, given),
    signalPasskeys: (given) => signalPasskeys(connection, given),
    listSessions: async () => entriesOf(await read("sessions", "The sessions were not listed.")),
    endSession: async (id) => void (await endSessions(connection, id)),
    endOtherSessions: () => endSessions(connection, "others"),
  }
}

/** Passes data to the callbacks of the application and returns the session as it is then. */
async function updateSession(connection: Connection, data: unknown): Promise<Session | null> {
  const csrfToken = await connection.csrfToken()
  const answer = await connection.postJson("session", { csrfToken, data })
  const failed = "The session was not updated."
  if (!answer.ok) throw new ClientError(failed, answer)
  return sessionIn(answer, failed)
}

/** A page that something else on the way has sent, such as the sign-in of a network, says nothing of the session. */
function sessionIn(answer: Answer, failed: string): Session | null {
  const { data } = answer
  if (data === null) return null
  if (typeof data !== "object" || Array.isArray(data)) {
    throw new ClientError(`${failed} Expected its JSON, received something else with status ${answer.status}.`, answer)
  }
  return Object.keys(data).length > 0 ? (data as Session) : null
}

/** The list of sessions, whose times are strings in JSON. */
function entriesOf(data: unknown): readonly SessionEntry[] {
  return (data as readonly SessionEntry[]).map((entry) => ({
    ...entry,
    startedAt: new Date(entry.startedAt),
    seenAt: new Date(entry.seenAt),
    expires: new Date(entry.expires),
  }))
}

/** Ends one session by its id, or all `others`, and returns how many ended. */
async function endSessions(connection: Connection, end: string): Promise<number> {
  const csrfToken = await connection.csrfToken()
  const answer = await connection.postJson("sessions", { csrfToken, end })
  if (!answer.ok) throw new ClientError("The session was not ended.", answer)
  return (answer.data as { readonly ended: number }).ended
}
