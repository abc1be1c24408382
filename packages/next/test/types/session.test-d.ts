/** What a configuration says of the session in each place where `auth` is called. */
import { createAuth } from "@latchkey/core"
import NextAuthByDefault, { NextAuth, type NextAuthConfig, type Session, type User } from "@latchkey/next"
import type { NextRequest } from "next/server.js"
import { describe, expectTypeOf, it } from "vitest"

type Mine = { expires: string; user: { id: string; plan: string } }

const { auth, handlers, signIn, signOut, update } = NextAuth({
  providers: [{ id: "intranet", name: "Intranet", type: "oidc", issuer: "https://op.test" }],
  session: { strategy: "jwt" },
  callbacks: {
    authorized: ({ auth, request }) => Boolean(auth?.user) || request.nextUrl.pathname === "/",
    session: ({ session, token }): Mine => ({
      expires: session.expires,
      user: { id: String(token.sub), plan: "free" },
    }),
  },
})

describe("the session", () => {
  it("is what the session callback returns, everywhere", () => {
    expectTypeOf(auth()).resolves.toEqualTypeOf<Mine | null>()
    expectTypeOf(update({})).resolves.toEqualTypeOf<Mine | null>()
    auth((request) => {
      expectTypeOf(request.auth).toEqualTypeOf<Mine | null>()
      expectTypeOf(request.nextUrl).toEqualTypeOf<URL & { readonly basePath: string }>()
    })
  })

  it("is the open one where a configuration says nothing, and has the id where it is exposed", () => {
    expectTypeOf(NextAuth({ providers: [] }).auth()).resolves.toEqualTypeOf<Session | null>()
    type WithId = (Session & { user: User & { id: string } }) | null
    expectTypeOf(NextAuth({ session: { expose: ["id"] } }).auth()).resolves.toEqualTypeOf<WithId>()
    expectTypeOf(NextAuth(() => ({ session: { expose: ["id"] } })).auth()).resolves.toEqualTypeOf<WithId>()
    expectTypeOf(NextAuth(createAuth({ session: { expose: ["id"] } })).auth()).resolves.toEqualTypeOf<WithId>()
  })
})

describe("the members", () => {
  it("fit the places that Next has for them", () => {
    type Route = (request: NextRequest, context: { params: Promise<{ id: string }> }) => Promise<Response>
    expectTypeOf(handlers.GET).toExtend<Route>()
    expectTypeOf(auth(() => new Response())).toExtend<Route>()
    expectTypeOf(auth((_request, { params }: { params: Promise<{ id: string }> }) => void params)).toExtend<Route>()
    expectTypeOf(NextAuthByDefault).toEqualTypeOf(NextAuth)
  })

  it("answer an address only where it was asked for", () => {
    expectTypeOf(signIn("intranet")).resolves.toBeNever()
    expectTypeOf(signIn("intranet", { redirect: false })).resolves.toBeString()
    expectTypeOf(signOut({ redirect: false })).resolves.toBeString()
  })

  it("refuse slips", () => {
    // @ts-expect-error a slip of the pen
    NextAuth({ sessions: { strategy: "jwt" } })
    // @ts-expect-error there is no adapter
    NextAuth({ session: { strategy: "database" } })
    // @ts-expect-error raw is for those who call the core
    NextAuth({ providers: [], raw: Symbol("return-type-raw") })
  })
})

describe("a configuration that `satisfies NextAuthConfig`", () => {
  it("is taken with either strategy, and with `authorized`", () => {
    const config = {
      providers: [],
      session: { strategy: "jwt" },
      callbacks: {
        authorized: ({ auth }) => Boolean(auth),
        session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? "" } }),
      },
    } satisfies NextAuthConfig
    expectTypeOf(NextAuth(config).auth()).resolves.toEqualTypeOf<Session | null>()
    expectTypeOf(NextAuth(() => config).auth()).resolves.toEqualTypeOf<Session | null>()
  })
})
