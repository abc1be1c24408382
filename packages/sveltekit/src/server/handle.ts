/** The hook: answers the actions of the service, and gives every other request its `locals.auth()`. */
import { cookieNameIn, keepHeadersPrivate, mayBeAction } from "@latchkey/core"
import { type Handle, isRedirect, type RequestEvent, redirect } from "@sveltejs/kit"
import type { AuthLocals } from "../app-types.js"
import { announceBasePath } from "./announce.js"
import { clearHostCookies, setClearings, withoutClearings } from "./cookies.js"
import { type AuthEvent, addressOf } from "./event.js"
import { isForOne } from "./for-one.js"
import type { OwnCookies } from "./own-cookies.js"
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
    try {
      const response = await resolve(event, options)
      // Without a cookie of the service the page itself may say how it is kept. Requests of the application's own set some too.
      const isChanged = reader.hasWritten || namesSet(response).some((name) => own.has(name))
      if (isChanged) return changed(response, (headers) => finish(headers, { event, own }))
      if (!(reader.hasShown || isForOne(event)) || response.headers.has("cache-control")) return response
      return changed(response, (headers) => headers.set("cache-control", "private, no-store"))
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

function finish(
  headers: Headers,
  { event, own }: { readonly event: AuthEvent & Pick<RequestEvent, "isSubRequest">; readonly own: OwnCookies },
): void {
  keepHeadersPrivate(headers)
  // Browsers never see the answer to a request that the application made itself.
  if (event.isSubRequest) return
  clearHostCookies(headers, event.request.headers.get("cookie") ?? "", (name) => own.has(name))
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
    return event.isSubRequest ? changed(answer, withoutClearings) : answer
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
