/** Makes the object of an application from its configuration. */
import { type AuthService, type SignInCall, senderOf, signInView } from "@latchkey/core"
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { Cookie, Session, SignInView } from "@latchkey/core/types"
import type { Context, MiddlewareHandler } from "hono"
import { HTTPException } from "hono/http-exception"
import { cloneRawRequest } from "hono/request"
import { routePath } from "hono/route"
import type { StatusCode } from "hono/utils/http-status"
import { clientAddress } from "./client-address.js"
import { type RequireOptions, type SignedIn, turnAway } from "./guard.js"
import type { HonoAuthObject, SignInOptions, SignOutOptions, SignResult } from "./object.js"
import { withResponse } from "./refusal.js"
import type { RouteCall } from "./route-call.js"
import { sessionsWith } from "./sessions.js"
import { type FindByContext, type FindService, type Found, serviceFinder } from "./source.js"
import { Visit } from "./visit.js"

/** A request, and the service that answers it. */
interface Call {
  readonly c: Context
  readonly service: AuthService
  readonly visit: Visit
}

type Open = (c: Context) => Promise<Call>

const unreadable = "The request cannot be read."

/** Makes the object. Its caller states the type of the session, which follows from the configuration. */
export function createHonoAuth(given: Found | FindByContext): HonoAuthObject {
  const open = opener(serviceFinder(given))
  const members = {
    session: async (c: Context) => (await open(c)).visit.session(),
    load: () => loading(open),
    require: (options: RequireOptions = {}) => guarding(open, options),
    signIn: (c: Context, options: SignInOptions = {}) => withResponse(open(c).then((call) => signIn(call, options))),
    signInView: (c: Context) => withResponse(open(c).then(showSignIn)),
    signOut: (c: Context, options: SignOutOptions = {}) => withResponse(open(c).then((call) => signOut(call, options))),
    update: (c: Context, ...[data, options = {}]: [data: unknown, options?: RouteCall]) =>
      withResponse(open(c).then((call) => update(call, data, options))),
    sessions: sessionsWith(async (c, options) => openSessions(await open(c), options)),
  }
  return Object.assign(handling(open), members) as HonoAuthObject
}

/**
 * One `Visit` for each request, shared by all middleware.
 * @throws HTTPException with the status 400 where the address of the request is none, and the configuration names no other.
 */
function opener(findService: FindService): Open {
  const calls = new WeakMap<Context, Call>()
  return async (c) => {
    const service = await findService(c)
    if (service.origin === undefined && !URL.canParse(c.req.url)) throw new HTTPException(400, { message: unreadable })
    const call = calls.get(c) ?? { c, service, visit: new Visit(c, service) }
    calls.set(c, call)
    return call
  }
}

function handling(open: Open): MiddlewareHandler {
  return async (c, next) => {
    // Bun and Deno hand on whatever stands in the field `Host`.
    if (!URL.canParse(c.req.url)) return c.text(unreadable, 400)
    const call = await open(c)
    if (call.service.isOwn(new URL(c.req.url).pathname)) return answer(call)
    refuseMisplaced(call)
    await call.visit.around(next)
  }
}

/** Headers are set one by one: those that were there before stay, and cookies beside each other. */
async function answer({ c, service }: Call): Promise<Response> {
  const address = await clientAddress(c)
  const request = c.req.raw.bodyUsed ? await cloneRawRequest(c.req) : c.req.raw
  const response = await service.handle(request, { address })
  for (const [name, value] of response.headers)
    c.header(name, value, { append: name === "set-cookie" || name === "vary" })
  return c.newResponse(response.body, response.status as StatusCode)
}

/** With a wrong mount every request would be answered "Not found", without a reason. */
function refuseMisplaced({ c, service: { basePath } }: Call): void {
  const mount = /^((?:\/[^/:*{}]+)+)\/\*$/.exec(routePath(c))?.[1]
  if (mount === undefined || `${basePath}/`.startsWith(`${mount}/`)) return
  throw new InvalidConfiguration(
    `HonoAuth is mounted at "${mount}/*", where nothing of its base path ${JSON.stringify(basePath)} arrives. Mount it at "${basePath}/*", or set \`basePath: "${mount}"\`.`,
  )
}

function loading(open: Open): MiddlewareHandler<{ Variables: { session: Session | null } }> {
  return async (c, next) => {
    const { visit } = await open(c)
    await visit.around(async () => {
      c.set("session", await visit.session())
      await next()
    })
  }
}

function guarding(open: Open, options: RequireOptions): MiddlewareHandler<{ Variables: { session: SignedIn } }> {
  return async (c, next) => {
    const { visit } = await open(c)
    return visit.around(async () => {
      const session = await visit.session()
      if (session?.user) {
        c.set("session", session as SignedIn)
        return next()
      }
      // Before the answer is made: it takes the headers that are set.
      visit.complete()
      return turnAway(c, options)
    })
  }
}

async function signIn(call: Call, options: SignInOptions): Promise<SignResult | Response> {
  const { provider, params } = options
  const { service, visit } = call
  const address = await clientAddress(call.c)
  const answered = await service.signIn(visit.source(), provider, {
    ...callOf(call, options),
    ...(params && { params }),
    address,
  })
  visit.replace(answered.cookies)
  return leave(call, answered.redirect, options)
}

async function showSignIn({ service, visit }: Call): Promise<SignInView> {
  const { view, cookies } = await signInView(service, visit.source())
  visit.show(cookies)
  return view
}

async function signOut(call: Call, options: SignOutOptions): Promise<SignResult | Response> {
  const { service, visit } = call
  const answered = await service.signOut(visit.source(), {
    ...callOf(call, options),
    // Where the session could not be removed the call throws, and the cookie is gone all the same.
    onThrow: (cookies) => (cookies.length > 0 ? showSignedOut(call, cookies) : undefined),
  })
  showSignedOut(call, answered.cookies)
  return leave(call, answered.redirect, options)
}

function showSignedOut(call: Call, cookies: readonly Cookie[]): void {
  call.visit.replace(cookies)
  showSession(call, null)
}

async function update(call: Call, data: unknown, options: RouteCall): Promise<Session | null> {
  const { service, visit } = call
  const { cookies, session } = await service.update(visit.source(), data, callOf(call, options))
  visit.change(cookies)
  if (session) visit.reveal()
  showSession(call, session)
  return session
}

async function openSessions(call: Call, options: RouteCall): Promise<SessionsOfRoute<[]>> {
  const { sessionsOfRequest } = await import("@latchkey/core/sessions")
  const { c, service, visit } = call
  visit.reveal()
  const address = await clientAddress(c)
  return sessionsOfRequest(service, visit.source(), {
    ...callOf(call, options),
    address,
    async setCookies(cookies) {
      visit.replace(cookies)
      // Signed out until it is known: the session that was read may have ended.
      showSession(call, null)
      if (c.get("session") !== undefined) showSession(call, await visit.session())
    },
  })
}

/** What middleware has put there is the session as it is now. */
function showSession({ c }: Call, session: Session | null): void {
  if (c.get("session") !== undefined) c.set("session", session)
}

function callOf({ c, service, visit }: Call, { fields, redirectTo, trusted = false }: SignOutOptions): SignInCall {
  return {
    ...(fields && { fields }),
    ...(redirectTo !== undefined && { redirectTo }),
    onThrow: (cookies) => visit.keep(cookies),
    ...(!trusted && { sender: senderOf(c.req.raw.headers, [service.origin ?? new URL(c.req.url).origin]) }),
  }
}

function leave({ c }: Call, redirect: string, { redirect: mayRedirect = true }: SignOutOptions): SignResult | Response {
  return mayRedirect ? c.redirect(redirect, 303) : { redirect }
}
