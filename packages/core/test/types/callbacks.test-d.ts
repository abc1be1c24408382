/** The types of callbacks say what is given at which moment. */
import { createAuth } from "@latchkey/core"
import type { JWT } from "@latchkey/core/jwt"
import type { Account, AdapterUser, AuthConfig, User } from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

type Callbacks = NonNullable<AuthConfig["callbacks"]>

describe("the jwt callback", () => {
  it("has user and account at sign-in, the sent data at an update, the token always [spec callback jwt]", () => {
    const callbacks: Callbacks = {
      jwt({ token, user, account, trigger, session }) {
        expectTypeOf(token).toEqualTypeOf<JWT>()
        if (trigger === "update") {
          expectTypeOf(user).toEqualTypeOf<undefined>()
          expectTypeOf(session).not.toBeNever()
        } else if (trigger === "signIn" || trigger === "signUp") {
          expectTypeOf(user).toEqualTypeOf<User | AdapterUser>()
          expectTypeOf(account).toEqualTypeOf<Account | null>()
        } else if (trigger === undefined) expectTypeOf(user).toEqualTypeOf<undefined>()
        return token
      },
    }
    createAuth({ providers: [], callbacks })
  })

  it("does not compile when it would fail at each access", () => {
    const callbacks: Callbacks = {
      // @ts-expect-error there is a user at sign-in only
      jwt: ({ token, user }) => ({ ...token, sub: user.id }),
    }
    createAuth({ providers: [], callbacks })
  })

  it("compiles with the checks of existing applications: is there a user, is there an account?", () => {
    const byUser: Callbacks["jwt"] = ({ token, user }) => {
      if (user) token["id"] = user.id
      return token
    }
    const byAccount: Callbacks["jwt"] = ({ token, user, account }) => {
      if (account) return { ...token, id: user.id, access: account.access_token ?? null }
      return token
    }
    const byParams: Callbacks["jwt"] = (params) =>
      params.trigger === "update" ? { ...params.token, ...params.session } : params.token
    for (const jwt of [byUser, byAccount, byParams]) createAuth({ providers: [], callbacks: { jwt } as Callbacks })
  })
})

describe("the session callback of an existing application", () => {
  it("keeps all members, because its type does not know the strategy", () => {
    const callbacks: Callbacks = {
      session({ session, token, user }) {
        expectTypeOf(token).toEqualTypeOf<JWT>()
        expectTypeOf(user).toEqualTypeOf<AdapterUser>()
        session.user.id = token.sub ?? user.id
        return session
      },
    }
    createAuth({ providers: [], callbacks })
  })
})

describe("the session callback of a configuration that says how sessions are kept", () => {
  it("is given what that strategy gives, wherever the strategy is written [spec callback session]", () => {
    createAuth({
      providers: [],
      callbacks: {
        session({ session, token, user }) {
          expectTypeOf(token).toEqualTypeOf<JWT>()
          expectTypeOf(user).toEqualTypeOf<undefined>()
          session.user.id = String(token.sub)
          return session
        },
      },
      session: { strategy: "jwt" },
    })
    createAuth({
      providers: [],
      adapter: {},
      session: { strategy: "database" },
      callbacks: {
        session({ session, token, user }) {
          expectTypeOf(token).toEqualTypeOf<undefined>()
          expectTypeOf(user).toEqualTypeOf<AdapterUser>()
          session.user.id = user.id
          return session
        },
      },
    })
  })

  it("takes a configuration typed before", () => {
    const config: AuthConfig = { providers: [], session: { strategy: "jwt" } }
    createAuth(config)
    createAuth(config satisfies AuthConfig, { env: {} })
  })
})
