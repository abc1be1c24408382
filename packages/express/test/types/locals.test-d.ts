/** What stands in `res.locals`, for handlers that say it themselves. Nothing global is opened by importing the package. */
import type { SessionLocals, SignedInLocals, SignedInSession } from "@latchkey/express"
import { authSession, ExpressAuth, getSession, requireSession, type Session, signIn, update } from "@latchkey/express"
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

  it("are told nothing without being asked", () => {
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
    expectTypeOf(ExpressAuth).returns.toEqualTypeOf<RequestHandler>()
    // @ts-expect-error raw is for those who call the core
    ExpressAuth({ providers: [], raw: Symbol("return-type-raw") })
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
