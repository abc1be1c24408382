/** What a sign-in came to. */
import { type Answer, type Connection, returnAddress, textMember } from "./connection.js"

/** The answer to a sign-in that stays on the page. */
export interface SignInResponse {
  /** Public name of the error. */
  readonly error: string | undefined
  /** `CredentialsSignin`: its code. */
  readonly code: string | undefined
  /** What went wrong, in words. */
  readonly message: string | undefined
  /** Names the failure in the log of the server. */
  readonly incident: string | undefined
  /** HTTP status. */
  readonly status: number
  readonly ok: boolean
  /** Where the person would have gone; `null` after an error. */
  readonly url: string | null
}

/** Reads the answer; with `redirect` the page is left for it, also for the page that shows an error. */
export function outcome(connection: Connection, answer: Answer, redirect: false): SignInResponse
export function outcome(connection: Connection, answer: Answer, redirect: boolean): SignInResponse | undefined
export function outcome(connection: Connection, answer: Answer, redirect: boolean): SignInResponse | undefined {
  const { data, status } = answer
  const url = textMember(data, "url")
  // A service that only redirects tells its errors in the address.
  const told =
    url === undefined ? new URLSearchParams() : new URL(url, returnAddress() ?? "http://localhost").searchParams
  const error = textMember(data, "error") ?? told.get("error") ?? (answer.ok ? undefined : "Signin")
  if (redirect) {
    connection.navigate(url ?? `${connection.url("error")}?${new URLSearchParams(error ? { error } : {})}`)
    return undefined
  }
  return {
    error,
    code: textMember(data, "code") ?? told.get("code") ?? undefined,
    message: textMember(data, "message"),
    incident: textMember(data, "incident") ?? told.get("incident") ?? undefined,
    status,
    ok: answer.ok && error === undefined,
    url: error === undefined ? (url ?? null) : null,
  }
}
