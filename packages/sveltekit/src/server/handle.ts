/** The hook: answers the actions of the service, and gives every other request its `locals.auth()`. */
import { cookieNameIn, keepHeadersPrivate, mayBeAction } from "@latchkey/core"
import { isRedirect, type RequestEvent, redirect } from "@sveltejs/kit"
import type { AuthLocals } from "../app-types.js"
import { announceBasePath } from "./announce.js"
import { answerCookies, takeOut } from "./answer-cookies.js"
import { clearHostCookies, setClearings, setLines, withoutClearings } from "./cookies.js"
import { type AuthEvent, addressOf } from "./event.js"
import { isForOne } from "./for-one.js"
import { remember } from "./foreign-values.js"
import type { Handle } from "./hook.js"
import { rememberLines, watchFetch } from "./inner-cookies.js"
import type { OwnCookies } from "./own-cookies.js"
import { watchCookies } from "./put-cookies.js"
import { senderAt } from "./route-call.js"
import type { FindService } from "./service.js"
import type { SessionReader } from "./session-reader.js"
import { unavailable } from "./unavailable.js"

/** What the hook works with. */
export interface HandleParts {
  readonly findService: FindService
  readonly readerOf: (event: AuthEvent) => SessionReader
  readonly own: OwnCookies
  readonly isBuilding: () => boolean
  /** The default base path. */
  readonly defaultPath: string
  /** The base path, where pages need it. */
  readonly announced: string | undefined
}

/** Makes the hook. */
export function createHandle(parts: HandleParts): Handle {
  const { readerOf, own, isBuilding, announced } = parts
  const options = announced === undefined ? undefined : announceBasePath(announced)
  return async ({ event, resolve }) => {
    if (isBuilding()) {
      giveLocals(event, async () => null)
      return resolve(event, options)
    }
    const reader = readerOf(event)
    giveLocals(event, reader.read)
    const answered = await answerOwn(event, parts)
    if (answered) return answered
    watchCookies(event, (name, value) => {
      if (own.has(name)) remember(name, value)
    })
    watchFetch(event, (name) => own.has(name))
    try {
      return finished(await resolve(event, options), { event, reader, own })
    } catch (error) {
      // A redirect or an error of another hook: SvelteKit makes the response from the cookies of the event.
      if (!event.isSubRequest) setClearings(event)
      throw reader.hasWritten ? asTemporary(error) : error
    } finally {
      reader.close()
    }
  }
}

/** Caches may keep a permanent redirect by default (RFC 9110 §15.4), and nothing can be added to the one SvelteKit makes. */
function asTemporary(error: unknown): unknown {
  const status = isRedirect(error) ? temporary[error.status] : undefined
  if (!isRedirect(error) || status === undefined) return error
  try {
    redirect(status, error.location)
  } catch (other) {
    return other
  }
}

const temporary: Readonly<Record<number, 302 | 307>> = { 301: 302, 308: 307 }

/** What an answer of the application is finished with. */
interface Finishing {
  readonly event: AuthEvent & Pick<RequestEvent, "isSubRequest">
  readonly reader: SessionReader
  readonly own: OwnCookies
}

/** The answer of the application with the cookies of this request, and of no other, kept where they may be. */
function finished(response: Response, { event, reader, own }: Finishing): Response {
  const isOwn = (name: string): boolean => own.has(name)
  const { lines, here, isOther } = answerCookies(event, response, isOwn)
  // Without a cookie of the service the page itself may say how it is kept. Requests of the application's own set some too.
  const isChanged = reader.hasWritten || lines.some((line) => isOwn(cookieNameIn(line)))
  const isForSomebody = (reader.hasShown || isForOne(event)) && !response.headers.has("cache-control")
  if (!isChanged && !isOther && !isForSomebody) return response
  const answer = changed(response, (headers) => {
    if (isOther) setLines(headers, lines)
    if (isChanged) keepHeadersPrivate(headers)
    else if (isForSomebody) headers.set("cache-control", "private, no-store")
    // Browsers never see the answer to a request that the application made itself.
    if (!event.isSubRequest) clearHostCookies(headers, event.request.headers.get("cookie") ?? "", isOwn)
  })
  takeOut(response, here)
  return answer
}

const namesSet = ({ headers }: Response): readonly string[] => headers.getSetCookie().map(cookieNameIn)

/** Another configuration of the same application may have been there before. */
function giveLocals({ locals }: AuthEvent, auth: AuthLocals["auth"]): void {
  locals.auth ??= auth
  locals.getSession ??= auth
}

/**
 * Decides by the path that was sent: `event.url` of calls to remote functions is what their sender writes into a header.
 */
async function answerOwn(
  event: AuthEvent & Pick<RequestEvent, "isSubRequest">,
  { findService, defaultPath, own }: Pick<HandleParts, "findService" | "defaultPath" | "own">,
): Promise<Response | undefined> {
  const { request } = event
  const { pathname } = new URL(request.url)
  // Most requests are not for the service, and a function that makes configurations is not called for them.
  if (!pathname.split("/").some(mayBeAction)) return undefined
  try {
    const service = await findService(event)
    if (!service.isOwn(pathname)) return undefined
    const answer = await service.handle(request, { sender: senderAt(event, service), address: addressOf(event) })
    own.note(namesSet(answer))
    if (!event.isSubRequest) return answer
    rememberLines(answer.headers.getSetCookie())
    return changed(answer, withoutClearings)
  } catch (error) {
    // Without a configuration only the default base path is known.
    return pathname.startsWith(`${defaultPath}/`) ? unavailable(error) : undefined
  }
}

/** The headers of some responses cannot be changed. */
function changed(response: Response, change: (headers: Headers) => void): Response {
  const copy = new Response(response.body, response)
  change(copy.headers)
  return copy
}
