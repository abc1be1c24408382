/** Every call to a provider goes through here, with a deadline, a size limit, no redirects, and plain http only where it is allowed; and how its answers are read. */
import { allowInsecureRequests, type CustomFetchOptions, customFetch } from "oauth4webapi"
import type { ResolvedOAuthProvider } from "../../config/settings.js"
import { readStream } from "../../std/bytes.js"
import { isThenable } from "../../std/deadline.js"
import { type Members, parseMembers } from "../../std/json.js"
import { isLoopbackHost, urlOf } from "../../std/url.js"
import type { Awaitable } from "../../types/identity.js"
import type { FetchFunction } from "../../types/provider.js"
import { ProtocolError, Unreachable } from "./faults.js"

/** What a provider may send, decoded. */
const maxBytes = 1024 * 1024
const defaultSeconds = 10

/** Outbound requests to one provider, while one request is answered. */
export interface Outbound {
  /** The provider's `fetch`, bounded. */
  readonly fetch: FetchFunction
  /** Waits for shared work no longer than this request may take; what is there at once is returned at once. */
  readonly within: <T>(work: Awaitable<T>) => Awaitable<T>
  /** The body of an answer of {@link fetch}, which was read to check it: nobody has to read it again. */
  readonly bytesOf: (response: Response) => Uint8Array<ArrayBuffer> | undefined
}

/** Starts the deadline with the first call or wait: from then on all calls together have the provider's `timeout`. */
export function openOutbound(provider: ResolvedOAuthProvider, log?: CallLog): Outbound {
  const seconds = provider.config.timeout ?? defaultSeconds
  let started: AbortSignal | undefined
  const deadline = (): Deadline => {
    started ??= AbortSignal.timeout(seconds * 1000)
    return startWaiting(started, seconds)
  }
  const bodies = new WeakMap<Response, Uint8Array<ArrayBuffer>>()
  const fetch: FetchFunction = async (input, init) => {
    const { origin, pathname } = assertReachable(addressOf(input), provider.allowInsecureRequests)
    const call = `${init?.method ?? "GET"} ${origin}${pathname}`
    const { signal, within, end } = deadline()
    try {
      const response = await within(send(provider.fetch, input, { ...init, redirect: "manual", signal }))
      log?.debug(`Outbound ${call}`, { provider: provider.id, status: response.status })
      const { answer, bytes } = await bounded(response, within)
      bodies.set(answer, bytes)
      return answer
    } catch (error) {
      log?.debug(`Outbound ${call} failed`, { provider: provider.id, error: (error as Error).message })
      throw named(error, call)
    } finally {
      end()
    }
  }
  return {
    fetch,
    within: (work) => {
      if (!isThenable(work)) return work
      const { within, end } = deadline()
      return within(Promise.resolve(work)).finally(end)
    },
    bytesOf: (response) => bodies.get(response),
  }
}

/** Where calls are logged. */
export interface CallLog {
  debug(message: string, metadata?: unknown): void
}

/** Says which call it was, without the parameters of the address: they may be secrets. */
function named(error: unknown, call: string): unknown {
  if (error instanceof Unreachable) return new Unreachable(`${error.message} (${call})`, error.code)
  return error
}

/** Options that make the library send its requests in the same way. Which addresses may be called is checked here, so the library need not. */
export interface LibraryOptions {
  readonly [customFetch]: <Method, Body>(url: string, options: CustomFetchOptions<Method, Body>) => Promise<Response>
  readonly [allowInsecureRequests]: boolean
}

/** The `fetch` for calls that the library makes. */
export function forLibrary({ fetch }: Outbound): LibraryOptions {
  return { [customFetch]: (url, options) => fetch(url, options as RequestInit), [allowInsecureRequests]: true }
}

/** Refuses addresses that must not be called: other schemes, embedded credentials, plain http beyond loopback. */
export function assertReachable(address: string, allowInsecure: boolean): URL {
  const url = urlOf(address)
  if (!url) throw new ProtocolError(`"${address}" is not an absolute address`)
  if (url.username || url.password) throw new ProtocolError(`a URL of ${url.host} contains credentials`)
  if (url.protocol === "https:") return url
  if (url.protocol === "http:" && (allowInsecure || isLoopbackHost(url.hostname))) return url
  throw new ProtocolError(
    `${url.protocol}//${url.host} is refused: https is needed, or allowInsecureRequests on the provider`,
  )
}

function addressOf(input: string | URL | Request): string {
  return typeof input === "string" ? input : input instanceof URL ? input.href : input.url
}

async function send(fetch: FetchFunction, input: string | URL | Request, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init)
  } catch (error) {
    throw unreachable(error)
  }
}

function unreachable(error: unknown): Unreachable {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: { code?: unknown } }
  const known = [cause?.code, code].find((candidate) => typeof candidate === "string")
  if (name === "TimeoutError" || name === "AbortError") return new Unreachable("the provider did not answer in time")
  return new Unreachable("the provider could not be reached", known as string | undefined)
}

/** A deadline while one call is made, or one piece of work awaited. */
interface Deadline {
  readonly signal: AbortSignal
  readonly within: <T>(work: Promise<T>) => Promise<T>
  /** Lets go of the signal, which lives until the deadline. */
  readonly end: () => void
}

/** A replaced `fetch` may ignore the signal, so each wait ends with it as well. */
function startWaiting(signal: AbortSignal, seconds: number): Deadline {
  let giveUp = (): void => undefined
  const deadline = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Unreachable(`the provider did not answer within ${seconds} s`))
    if (signal.aborted) giveUp()
    else signal.addEventListener("abort", giveUp, { once: true })
  })
  // Where the work fails first, nobody waits for the deadline.
  deadline.catch(() => undefined)
  return {
    signal,
    within: (work) => Promise.race([work, deadline]),
    end: () => signal.removeEventListener("abort", giveUp),
  }
}

/** The response with its body read, so that reading it again cannot wait or grow. */
async function bounded(
  response: Response,
  within: Deadline["within"],
): Promise<{ readonly answer: Response; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const { status, statusText } = response
  // A replaced `fetch` may follow redirects all the same.
  if (response.redirected) throw new ProtocolError("the provider's endpoint redirects")
  if (status < 200 || status > 599) throw new ProtocolError(`the provider answered with status ${status}`)
  const announced = Number(response.headers.get("content-length"))
  if (announced > maxBytes) {
    response.body?.cancel().catch(() => undefined)
    throw tooLarge()
  }
  const bytes = await readBody(response, within)
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw new ProtocolError("the provider's answer starts with a byte order mark")
  const hasNone = status === 204 || status === 205 || status === 304
  // A copy: what `fetch` answers with cannot be changed, and a server may have put its own `Response` in place, which keeps it.
  const headers = new Headers(response.headers)
  // The body is decoded now.
  headers.delete("content-encoding")
  headers.delete("content-length")
  return { answer: new Response(hasNone ? null : bytes, { status, statusText, headers }), bytes }
}

async function readBody(response: Response, within: Deadline["within"]): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array()
  // A replaced `fetch` may bring streams of its own.
  if (typeof response.body.getReader !== "function") {
    const bytes = new Uint8Array(await within(response.arrayBuffer()))
    if (bytes.byteLength > maxBytes) throw tooLarge()
    return bytes
  }
  try {
    return await readStream(response.body, maxBytes, { tooLarge, wait: within })
  } catch (error) {
    throw error instanceof ProtocolError || error instanceof Unreachable ? error : unreachable(error)
  }
}

function tooLarge(): ProtocolError {
  return new ProtocolError(`the provider's answer is larger than ${maxBytes} bytes`)
}

/** The type of what an answer holds, without parameters: it may be written in any case (RFC 9110 §8.3.1). */
export function mediaTypeOf(response: Response): string | undefined {
  return response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
}

/** Refuses an HTML page where data was asked for: an error page with status 200, a captive portal, a login form. */
export function assertNoPage(response: Response, what: string): Response {
  const type = mediaTypeOf(response)
  if (type === "text/html" || type === "application/xhtml+xml") {
    throw new ProtocolError(`${what} is ${type}, expected application/json`)
  }
  return response
}

/** The body as an object. The text itself is never repeated. */
export async function readMembers(response: Response, what: string): Promise<Members> {
  return membersIn(await response.text(), what)
}

/** {@link readMembers} of a string that was read before. */
export function membersIn(text: string, what: string): Members {
  const members = parseMembers(text)
  if (members) return members
  throw new ProtocolError(`${what} is not a JSON object`)
}

/** Lets the provider's own `conform` correct an answer; it gets a copy, and `undefined` keeps the answer. */
export async function conformed(
  response: Response,
  conform:
    | ((response: Response) => Promise<Response | undefined> | PromiseLike<Response | undefined> | Response | undefined)
    | undefined,
): Promise<Response> {
  return (await conform?.(response.clone())) ?? response
}
