/** What an application gets for its configuration. */
import type { Session } from "@latchkey/core/types"
import type { Handle, RequestEvent } from "@sveltejs/kit"
import { basePathOf } from "../base-path.js"
import { setCookies } from "./cookies.js"
import { type AuthEvent, actionSource } from "./event.js"
import { createHandle } from "./handle.js"
import { type ConfigSource, findServiceWith } from "./service.js"
import { readersWith, type SessionReader } from "./session-reader.js"
import { createActions, type SignInAction, type SignOutAction } from "./sign.js"
import type { Surroundings } from "./surroundings.js"

/** The service in an application. */
export interface SvelteKitAuthResult {
  /** The hook, for `hooks.server`. */
  readonly handle: Handle
  /** Signs in: a form action, or a function for your own. */
  readonly signIn: SignInAction
  /** Signs out: a form action, or a function for your own. */
  readonly signOut: SignOutAction
  /** The session of a request for this configuration: what `locals.auth()` is for the first one. */
  auth(event: RequestEvent): Promise<Session | null>
  /** Hands data to the callbacks as an update of the session, sets the cookies and returns the session as it is then. */
  update(event: RequestEvent, data: unknown): Promise<Session | null>
}

/** Builds the service into an application. Reads nothing of the configuration that needs a secret. */
export function createSvelteKitAuth(source: ConfigSource, surroundings: Surroundings): SvelteKitAuthResult {
  const { kitBase } = surroundings
  const isBuilding = (): boolean => surroundings.isBuilding()
  const findService = findServiceWith(source, surroundings)
  const readerOf = readersWith(findService)
  return {
    handle: createHandle({
      findService,
      readerOf,
      isBuilding,
      defaultPath: basePathOf(kitBase),
      announced: announcedPath(source, kitBase),
    }),
    ...createActions({ findService, readerOf, home: `${kitBase}/` }),
    auth: async (event) => (isBuilding() ? null : readerOf(event).read()),
    update: (event, data) => update(event, { data, findService, readerOf }),
  }
}

async function update(
  event: RequestEvent,
  given: {
    readonly data: unknown
    readonly findService: (event: AuthEvent) => ReturnType<ReturnType<typeof findServiceWith>>
    readonly readerOf: (event: AuthEvent) => SessionReader
  },
): Promise<Session | null> {
  const service = await given.findService(event)
  const { cookies, session } = await service.update(actionSource(event), given.data)
  setCookies(event, cookies)
  given.readerOf(event).forget()
  return session
}

/** Pages look for the service where it is by default; only another place has to be told. */
function announcedPath(source: ConfigSource, kitBase: string): string | undefined {
  const option: unknown = typeof source === "function" ? undefined : source?.basePath
  if (typeof option !== "string") return undefined
  const basePath = basePathOf(kitBase, option)
  return basePath === basePathOf(kitBase) ? undefined : basePath
}
