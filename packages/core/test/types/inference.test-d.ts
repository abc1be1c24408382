/** What is inferred from a configuration, so that an application declares nothing to see its own session. */
import { Auth, createAuth, type SessionAnswer } from "@latchkey/core"
import { Credentials } from "@latchkey/core/providers/credentials"
import { GitHub } from "@latchkey/core/providers/github"
import type { AdapterUser, AnyText, AuthConfig, Session, SessionUpdate, User } from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

const source = { headers: {} }
const request = new Request("https://app.test/auth/session")

describe("the session", () => {
  it("is what the session callback returns", () => {
    const auth = createAuth({
      callbacks: {
        session: async ({ session, token }) => ({
          expires: session.expires,
          user: { id: String(token.sub), plan: "free" },
        }),
      },
    })
    type Mine = { expires: string; user: { id: string; plan: string } }
    expectTypeOf(auth.session(source)).resolves.toEqualTypeOf<SessionAnswer<Mine>>()
    expectTypeOf(auth.update(source, {})).resolves.toEqualTypeOf<SessionAnswer<Mine>>()
  })

  it("has the members that the jwt callback added to the token", () => {
    const auth = createAuth({
      session: { strategy: "jwt" },
      callbacks: {
        jwt: ({ token, user }) => ({ ...token, plan: user ? "free" : String(token["plan"]) }),
        session({ session, token }) {
          expectTypeOf(token.plan).toEqualTypeOf<string>()
          return { ...session, plan: token.plan }
        },
      },
    })
    expectTypeOf<NonNullable<Awaited<ReturnType<typeof auth.session>>["session"]>["plan"]>().toEqualTypeOf<string>()
  })

  it("is the open Session without a callback, and where a configuration was typed before", () => {
    expectTypeOf(createAuth({}).session(source)).resolves.toEqualTypeOf<SessionAnswer<Session>>()
    const config: AuthConfig = { providers: [GitHub], callbacks: { session: ({ session }) => session } }
    expectTypeOf(createAuth(config).session(source)).resolves.toEqualTypeOf<SessionAnswer<Session>>()
  })

  it("has a user, not the row, where the callback hands on what it was given", () => {
    const byToken = createAuth({ session: { strategy: "jwt" }, callbacks: { session: ({ session }) => session } })
    expectTypeOf(byToken.session(source)).resolves.toEqualTypeOf<SessionAnswer<Session & { user: User }>>()
    const byRow = createAuth({
      adapter: {},
      session: { strategy: "database" },
      callbacks: { session: ({ session }) => session },
    })
    expectTypeOf(byRow.session(source)).resolves.toEqualTypeOf<SessionAnswer<Session & { user: AdapterUser }>>()
    const either = createAuth({ callbacks: { session: ({ session }) => session } })
    expectTypeOf(either.session(source)).resolves.toEqualTypeOf<SessionAnswer<Session & { user: User }>>()
  })

  it("has the members that are exposed, without a callback", () => {
    const auth = createAuth({ session: { expose: ["id"] } })
    expectTypeOf(auth.session(source)).resolves.toEqualTypeOf<
      SessionAnswer<Session & { user: User & { id: string } }>
    >()
    // @ts-expect-error a user has no such member
    createAuth({ session: { expose: ["idd"] } })
  })

  it("is a session: anything else does not compile", () => {
    // @ts-expect-error it has to say when it ends
    createAuth({ callbacks: { session: ({ session }) => ({ user: session.user }) } })
    // @ts-expect-error and be there
    createAuth({ callbacks: { session: () => undefined } })
  })
})

describe("callbacks", () => {
  it("of the session distinguish an update by its trigger", () => {
    createAuth({
      session: { strategy: "jwt" },
      callbacks: {
        session({ session, trigger, newSession }) {
          if (trigger === "update") expectTypeOf(newSession).toEqualTypeOf<SessionUpdate | undefined>()
          else expectTypeOf(newSession).toEqualTypeOf<undefined>()
          return session
        },
      },
    })
  })

  it("are inferred wherever a configuration is handed over", () => {
    const answer = Auth(request, {
      session: { strategy: "jwt" },
      callbacks: {
        session({ session, token, user }) {
          expectTypeOf(user).toEqualTypeOf<undefined>()
          return { ...session, sub: token.sub }
        },
      },
    })
    expectTypeOf(answer).resolves.toEqualTypeOf<Response>()
  })
})

describe("a wrong combination", () => {
  it("does not compile: sessions in the database without a data layer", () => {
    createAuth({ adapter: {}, session: { strategy: "database" } })
    // @ts-expect-error there is no adapter
    createAuth({ session: { strategy: "database" } })
    // @ts-expect-error there is no adapter
    Auth(request, { session: { strategy: "database" } })
  })

  it("does not compile: the user of the database where sessions are kept in tokens", () => {
    createAuth({
      session: { strategy: "jwt" },
      // @ts-expect-error there is no user
      callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) },
    })
  })
})

describe("ids of providers", () => {
  it("are suggested where a sign-in names one, and any other string is accepted", () => {
    const auth = createAuth({
      providers: [
        GitHub,
        Credentials({ authorize: () => null }),
        { id: "intranet", name: "Intranet", type: "oidc", issuer: "https://op.test" },
      ],
    })
    expectTypeOf(auth.signIn).parameter(1).toEqualTypeOf<"github" | "credentials" | "intranet" | AnyText | undefined>()
    auth.signIn(source, "made-at-run-time")
  })

  it("are any string where types do not know them", () => {
    const providers: AuthConfig["providers"] = [GitHub]
    expectTypeOf(createAuth({ providers }).signIn).parameter(1).toEqualTypeOf<string | AnyText | undefined>()
    expectTypeOf(GitHub({ id: "enterprise" }).id).toExtend<string>()
    GitHub({}).id = "enterprise"
  })
})
