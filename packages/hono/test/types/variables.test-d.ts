/** What a configuration says of `c.var.session`, of the session, and of the ids of providers. */
import { createAuth } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { HonoAuth, type Session, type User } from "@latchkey/hono"
import { type Context, Hono } from "hono"
import { describe, expectTypeOf, it } from "vitest"

const mine = {
  providers: [],
  session: { strategy: "jwt" },
} as const

type Mine = { expires: string; user?: { id: string; plan: string } }

describe("the session", () => {
  const c = {} as Context

  it("is the open one where a configuration says nothing", () => {
    const auth = HonoAuth({ providers: [] })
    expectTypeOf(auth.session(c)).resolves.toEqualTypeOf<Session | null>()
    new Hono()
      .get("/open", auth.load(), (c) => {
        expectTypeOf(c.var.session).toEqualTypeOf<Session | null>()
        return c.text("")
      })
      .get("/closed", auth.require(), (c) => {
        expectTypeOf(c.var.session.user.name).toEqualTypeOf<string | null | undefined>()
        expectTypeOf(c.get("session").user).toEqualTypeOf<User>()
        return c.text("")
      })
  })

  it("is what the session callback returns, and a guard has seen its user", () => {
    const auth = HonoAuth({
      ...mine,
      providers: [],
      callbacks: { session: ({ session }): Mine => ({ ...session, user: { id: "1", plan: "free" } }) },
    })
    expectTypeOf(auth.session(c)).resolves.toEqualTypeOf<Mine | null>()
    expectTypeOf(auth.update(c, {})).resolves.toEqualTypeOf<Mine | null>()
    new Hono().get("/", auth.require(), (c) => c.text(c.var.session.user.plan))
  })

  it("follows from a function of the context, and from a service, as well", () => {
    const found = HonoAuth((c: Context<{ Bindings: { SECRET: string } }>) => ({
      secret: c.env.SECRET,
      session: { expose: ["id"] },
    }))
    type WithId = (Session & { user: User & { id: string } }) | null
    expectTypeOf(found.session(c)).resolves.toEqualTypeOf<WithId>()
    const held = HonoAuth(createAuth({ session: { expose: ["id"] } }))
    expectTypeOf(held.session(c)).resolves.toEqualTypeOf<WithId>()
  })
})

describe("calls from routes", () => {
  const c = {} as Context
  const auth = HonoAuth({ providers: [] })

  it("answer a response, or the address where it was asked for", () => {
    expectTypeOf(auth.signIn(c, { provider: "github" })).resolves.toEqualTypeOf<Response>()
    expectTypeOf(auth.signIn(c, { redirect: false })).resolves.toEqualTypeOf<{ readonly redirect: string }>()
    expectTypeOf(auth.signOut(c)).resolves.toEqualTypeOf<Response>()
  })

  it("refuse slips", () => {
    // @ts-expect-error a slip of the pen
    HonoAuth({ sessions: { strategy: "jwt" } })
    // @ts-expect-error there is no adapter
    HonoAuth({ session: { strategy: "database" } })
    // @ts-expect-error raw is for those who call the core
    HonoAuth({ providers: [], raw: Symbol("return-type-raw") })
    // @ts-expect-error a guard either redirects or answers with a status
    auth.require({ redirectTo: 401 })
  })
})

it("a configuration that was typed beforehand is taken", () => {
  const callbacks = { session: ({ session }) => session } satisfies AuthConfig["callbacks"]
  expectTypeOf(
    HonoAuth({ ...mine, providers: [], callbacks }).session({} as Context),
  ).resolves.toEqualTypeOf<Session | null>()
})
