/** What an application adds to the open interfaces shows wherever they are used. */
import { createAuth } from "@latchkey/core"
import type { JWT } from "@latchkey/core/jwt"
import type { AdapterUser, AuthConfig, DefaultSession, Session, User } from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

declare module "@latchkey/core/types" {
  interface Session {
    tenant?: { readonly id: number }
  }
  interface User {
    role?: "admin" | "reader"
  }
}

declare module "@latchkey/core/jwt" {
  interface JWT {
    role?: "admin" | "reader"
  }
}

describe("what an application adds", () => {
  it("to the session shows where it is read", () => {
    expectTypeOf<NonNullable<Session["tenant"]>["id"]>().toEqualTypeOf<number>()
    expectTypeOf<Session>().toExtend<DefaultSession>()
    const auth = createAuth({ providers: [] })
    const answer = auth.session({ headers: {} })
    expectTypeOf<Awaited<typeof answer>["session"]>().toEqualTypeOf<Session | null>()
  })

  it("to the user shows in the session, in the store and in callbacks", () => {
    expectTypeOf<User["role"]>().toEqualTypeOf<"admin" | "reader" | undefined>()
    expectTypeOf<AdapterUser["role"]>().toEqualTypeOf<"admin" | "reader" | undefined>()
    expectTypeOf<NonNullable<Session["user"]>["role"]>().toEqualTypeOf<"admin" | "reader" | undefined>()
  })

  it("to the token shows in the jwt and session callbacks", () => {
    expectTypeOf<JWT["role"]>().toEqualTypeOf<"admin" | "reader" | undefined>()
    const config: AuthConfig = {
      providers: [],
      callbacks: {
        jwt({ token, user }) {
          expectTypeOf(token.role).toEqualTypeOf<"admin" | "reader" | undefined>()
          if (user?.role) token.role = user.role
          return token
        },
        session({ session, token }) {
          if (token.role && session.user) session.user.role = token.role
          session.tenant = { id: 1 }
          return session
        },
      },
    }
    expectTypeOf(config).toEqualTypeOf<AuthConfig>()
  })

  it("has the type it was added with", () => {
    // @ts-expect-error no such role
    const user: User = { role: "owner" }
    expectTypeOf(user).toEqualTypeOf<User>()
  })
})
