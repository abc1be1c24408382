/** What stands in `res.locals`, for handlers that say it themselves. Nothing global is opened by importing the package. */
import { createAuth } from "@latchkey/core"
import type { SessionEntry } from "@latchkey/core/sessions"
import type { SessionLocals, SignedInLocals, SignedInSession } from "@latchkey/express"
import {
  authSession,
  ExpressAuth,
  getSession,
  requireSession,
  type Session,
  signIn,
  type User,
  update,
} from "@latchkey/express"
import type { Request, RequestHandler, Response } from "express"
import express from "express"
import { describe, expectTypeOf, it } from "vitest"

describe("handlers", () => {
  it("say what stands behind the middleware they follow", () => {
    const app = express()
    app.get("/", (_req, res: Response<unknown, SessionLocals>) => {
      expectTypeOf(res.locals.session).toEqualTypeOf<Session | null>()
    })
    const inside: RequestHandler<object, unknown, unknown, object, SignedInLocals> = (_req, res) => {
      expectTypeOf(res.locals.session.user.name).toEqualTypeOf<string | null | undefined>()
    }
    app.get("/inside", authSession({ providers: [] }), requireSession(), inside)
    expectTypeOf<SignedInSession>().toExtend<Session>()
  })

  it("hold nothing unless the application declares it", () => {
    const handler: RequestHandler = (req, res) => {
      expectTypeOf(res.locals).toHaveProperty("anything")
      // @ts-expect-error nobody has asked for it
      req.auth
    }
    expectTypeOf(handler).toEqualTypeOf<RequestHandler>()
  })
})

describe("configurations", () => {
  const req = {} as Request
  const res = {} as Response

  it("may be functions of the request", () => {
    expectTypeOf(getSession(req, res, async ({ hostname }) => ({ providers: [], basePath: hostname }))).toEqualTypeOf<
      Promise<Session | null>
    >()
    // @ts-expect-error it has to find one
    getSession(req, () => undefined)
    // @ts-expect-error raw is for those who call the core
    getSession(req, { providers: [], raw: Symbol("return-type-raw") })
  })

  it("make middleware, without `raw` [spec express factory]", () => {
    expectTypeOf(ExpressAuth({ providers: [] })).toExtend<RequestHandler>()
    // @ts-expect-error raw is for those who call the core
    ExpressAuth({ providers: [], raw: Symbol("return-type-raw") })
  })

  it("say what the session is, and which providers there are", () => {
    const auth = ExpressAuth({
      providers: [{ id: "intranet", name: "Intranet", type: "oidc", issuer: "https://op.test" }],
      session: { strategy: "jwt" },
      callbacks: {
        jwt: ({ token, user }) => ({ ...token, plan: user ? "free" : String(token["plan"]) }),
        session: ({ session, token }) => ({
          expires: session.expires,
          user: { id: String(token.sub), plan: token.plan },
        }),
      },
    })
    type Mine = { expires: string; user: { id: string; plan: string } }
    expectTypeOf(auth.session(req, res)).resolves.toEqualTypeOf<Mine | null>()
    expectTypeOf(auth.update(req, res, {})).resolves.toEqualTypeOf<Mine | null>()
    expectTypeOf(auth.sessions.list(req, res)).resolves.toEqualTypeOf<readonly SessionEntry[]>()
    expectTypeOf(auth.sessions.end(req, res, "id", { trusted: true })).resolves.toBeBoolean()
    expectTypeOf(auth.sessions.endAll(req, res, "user")).resolves.toBeNumber()
    // @ts-expect-error it has to be said which one
    auth.sessions.end(req, res)
    // @ts-expect-error cookies need the response
    auth.sessions.rotate(req)
    expectTypeOf(auth.require({ status: 403 })).toEqualTypeOf<RequestHandler>()
    auth.signIn(req, res, { provider: "intranet" })
    expectTypeOf(ExpressAuth(createAuth({ session: { expose: ["id"] } })).session(req)).resolves.toEqualTypeOf<
      (Session & { user: User & { id: string } }) | null
    >()
    // @ts-expect-error a slip of the pen
    ExpressAuth({ sesion: { strategy: "jwt" } })
    // @ts-expect-error there is no adapter
    ExpressAuth({ session: { strategy: "database" } })
    authSession(auth)
    getSession(req, auth)
  })

  it("come behind request and response", () => {
    expectTypeOf(signIn(req, res, { providers: [] }, { provider: "github" })).resolves.toEqualTypeOf<{
      readonly redirect: string
    }>()
    expectTypeOf(update(req, res, { providers: [] }, { name: "Ada" })).resolves.toEqualTypeOf<Session | null>()
    // @ts-expect-error a guard either redirects or answers with a status
    requireSession({ redirectTo: 401 })
  })
})
