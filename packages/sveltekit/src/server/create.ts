/** What an application gets for its configuration. */
import { signInView } from "@latchkey/core"
import type { Session, SignInView } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"
import { basePathOf } from "../base-path.js"
import { type AuthEvent, actionSource } from "./event.js"
import { guardWith, type RequireSessionOptions, type SignedIn } from "./guard.js"
import { createHandle } from "./handle.js"
import type { Handle } from "./hook.js"
import { OwnCookies } from "./own-cookies.js"
import { checkedCall, type RouteUpdateOptions } from "./route-call.js"
import { type ConfigSource, findServiceWith } from "./service.js"
import { readersWith, type SessionReader } from "./session-reader.js"
import { type SvelteKitSessions, sessionsWith } from "./sessions.js"
import { createActions, type SignInAction, type SignOutAction } from "./sign.js"
import type { Surroundings } from "./surroundings.js"

/**
 * The service in an application. Where code changes something, the sender of a request other than a GET is checked: pages
 * of this application pass, by `Sec-Fetch-Site` or `Origin`. Pages of others are refused with `MissingCSRF`, and so are
 * requests that do not say where they come from, unless `fields` holds the token of `/auth/csrf` as `csrfToken`.
 *
 * `S` is the session as the `session` callback shapes it, `Id` the ids of the providers as
 * far as types know them.
 *
 * @example
 * export const auth = SvelteKitAuth({ providers: [GitHub] })
 * // hooks.server.ts: export const { handle } = auth
 * // +page.server.ts: export const load = async (event) => ({ user: (await auth.require(event)).user })
 */
export interface SvelteKitAuthResult<S = Session, Id extends string = string> {
  /** The hook, for `hooks.server`. */
  readonly handle: Handle
  /** Signs in: a form action, or a function for your own. */
  readonly signIn: SignInAction<Id>
  /**
   * What a sign-in page of the application shows: ways to sign in with labels, marks and fields, what is wrong, and what
   * its forms post. Call it in `load`; it sets the cookies without which those forms are refused.
   */
  signInView(event: RequestEvent): Promise<SignInView>
  /** Signs out: a form action, or a function for your own. */
  readonly signOut: SignOutAction
  /**
   * The session of a request for this configuration: what `locals.auth()` is for the first one. `null` means that nobody
   * is signed in; when that cannot be determined, an `AuthError` is thrown.
   */
  session(event: RequestEvent): Promise<S | null>
  /** The same as `session`. */
  auth(event: RequestEvent): Promise<S | null>
  /**
   * Lets only signed-in people pass: call it in `load`, in an action or in a hook. Returns the session, redirects with
   * 303 when there is none, and throws when that cannot be determined.
   */
  require(event: RequestEvent, options?: RequireSessionOptions): Promise<SignedIn<S>>
  /**
   * Passes data to the callbacks as an update of the session, sets the cookies and returns the session as it is then.
   * @throws MissingCSRF for anything but a GET that no page of this application sent
   */
  update(event: RequestEvent, data: unknown, options?: RouteUpdateOptions): Promise<S | null>
  /** Lists, ends and renews sessions, where `features` has `managedSessions()`; sets the cookies. */
  readonly sessions: SvelteKitSessions
}

/** Builds the service into an application. Reads nothing of the configuration that needs a secret. */
export function createSvelteKitAuth(source: ConfigSource, surroundings: Surroundings): SvelteKitAuthResult {
  const { kitBase } = surroundings
  const isBuilding = (): boolean => surroundings.isBuilding()
  const own = new OwnCookies()
  const findService = own.notedBy(findServiceWith(source, surroundings))
  const readerOf = readersWith({ findService, own })
  const session = async (event: RequestEvent): Promise<Session | null> => (isBuilding() ? null : readerOf(event).read())
  const guard = guardWith(kitBase, session)
  return {
    handle: createHandle({
      findService,
      readerOf,
      own,
      isBuilding,
      defaultPath: basePathOf(kitBase),
      announced: announcedPath(source, kitBase),
    }),
    ...createActions({ findService, readerOf, home: `${kitBase}/` }),
    signInView: async (event) => {
      const { view, cookies } = await signInView(await findService(event), {
        ...actionSource(event),
        url: event.url.href,
      })
      readerOf(event).show(cookies)
      return view
    },
    session,
    auth: session,
    require: (event, options) => guard(event, options),
    update: (event, data, options = {}) => update(event, { data, options, findService, readerOf }),
    sessions: sessionsWith({ findService, readerOf }),
  }
}

async function update(
  event: RequestEvent,
  given: {
    readonly data: unknown
    readonly options: RouteUpdateOptions
    readonly findService: (event: AuthEvent) => ReturnType<ReturnType<typeof findServiceWith>>
    readonly readerOf: (event: AuthEvent) => SessionReader
  },
): Promise<Session | null> {
  const service = await given.findService(event)
  const { cookies, session } = await service.update(actionSource(event), given.data, {
    ...checkedCall(event, service, given.options),
    onThrow: (left) => given.readerOf(event).write(left),
  })
  given.readerOf(event).change(cookies)
  return session
}

/** Pages look for the service where it is by default; only another place has to be passed on. */
function announcedPath(source: ConfigSource, kitBase: string): string | undefined {
  const option: unknown = typeof source === "function" ? undefined : source?.basePath
  if (typeof option !== "string") return undefined
  const basePath = basePathOf(kitBase, option)
  return basePath === basePathOf(kitBase) ? undefined : basePath
}
