/** What a sign-in came to. */
import { type Answer, ClientError, type Connection, textMember, webAddress } from "./connection.js"

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
  /** The sign-in, or its beginning, succeeded. */
  readonly ok: boolean
  /** Where the person would have gone; `null` after an error. */
  readonly url: string | null
}

/** Reads the answer; with `redirect` the page is left for it, also for the page that shows an error. */
export function outcome(connection: Connection, answer: Answer, redirect: false): SignInResponse
export function outcome(connection: Connection, answer: Answer, redirect: boolean): SignInResponse | undefined
export function outcome(connection: Connection, answer: Answer, redirect: boolean): SignInResponse | undefined {
  if (redirect) return leave(connection, answer, "Signin")
  const { data, status } = answer
  const { url, error, code, incident } = factsOf(answer, "Signin")
  const message = textMember(data, "message")
  const ok = answer.ok && error === undefined
  return { error, code, message, incident, status, ok, url: error === undefined ? (url?.href ?? null) : null }
}

/**
 * Leaves the page for the address of the answer. After a failure that has to be one of the application or the service;
 * anything else leads to the service's own page for the error, `unnamed` where the answer does not name it. The page's
 * own address is not used: anybody can write a link to a page.
 * @throws ClientError when a successful answer leads to something that is not http(s).
 */
export function leave(connection: Connection, answer: Answer, unnamed: "Signin" | "Configuration"): undefined {
  const { url, error = unnamed, code, incident } = factsOf(answer, unnamed)
  if (url && (answer.ok || connection.isOwn(url))) {
    connection.navigate(url.href)
    return undefined
  }
  const page = onErrorPage.has(error) ? "error" : "signin"
  const query = Object.entries({ error, code, incident }).filter((entry): entry is [string, string] => !!entry[1])
  connection.navigate(`${connection.url(page)}?${new URLSearchParams(query)}`)
  return undefined
}

/** Where a successful answer leads. @throws ClientError when the answer is an error, or leads nowhere. */
export function destinationOf(answer: Answer, failed: string): string {
  const { url } = factsOf(answer, "Signin")
  if (!answer.ok || !url) throw new ClientError(failed, answer)
  return url.href
}

/** Public errors that the error page shows; all others belong to the sign-in page. */
const onErrorPage: ReadonlySet<string> = new Set(["Configuration", "AccessDenied", "Verification"])

interface AnswerFacts {
  /** An http(s) address. */
  readonly url: URL | undefined
  readonly error: string | undefined
  readonly code: string | undefined
  readonly incident: string | undefined
}

/** Reads the answer. A service that only redirects puts its errors into the URL. */
function factsOf(answer: Answer, unnamed: string): AnswerFacts {
  const { data, ok } = answer
  const address = textMember(data, "url")
  const url = address === undefined ? undefined : webAddress(address)
  if (ok && address !== undefined && !url) {
    throw new ClientError("The server returned a URL that is not http(s); the page was not left.", answer)
  }
  const query = url?.searchParams
  return {
    url,
    error: textMember(data, "error") ?? query?.get("error") ?? (ok && url ? undefined : unnamed),
    code: textMember(data, "code") ?? query?.get("code") ?? undefined,
    incident: textMember(data, "incident") ?? query?.get("incident") ?? undefined,
  }
}
