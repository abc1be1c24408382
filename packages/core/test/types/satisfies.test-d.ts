/** Configurations whose types were settled before they are handed over: `satisfies AuthConfig`, as documents of Auth.js write. */
import { Auth, createAuth, customFetch } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { Provider } from "@latchkey/core/providers"
import { GitHub } from "@latchkey/core/providers/github"
import { Google } from "@latchkey/core/providers/google"
import type { AuthConfig, Session } from "@latchkey/core/types"
import { expectTypeOf, it } from "vitest"

const request = {} as Request

const sealed = {
  providers: [],
  session: { strategy: "jwt" },
  callbacks: {
    jwt: ({ token, user }) => (user ? { ...token, id: user.id } : token),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? "" } }),
  },
} satisfies AuthConfig

const stored = {
  providers: [],
  adapter: {} as Adapter,
  session: { strategy: "database" },
  callbacks: { session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }) },
} satisfies AuthConfig

it("is handed over as it is, with either strategy", () => {
  for (const auth of [createAuth(sealed), createAuth(stored)])
    expectTypeOf(auth.session(request)).resolves.toHaveProperty("session").toEqualTypeOf<Session | null>()
  expectTypeOf(Auth(request, sealed)).toEqualTypeOf<Promise<Response>>()
  expectTypeOf(Auth(request, stored)).toEqualTypeOf<Promise<Response>>()
})

it("has the adapter that its strategy needs", () => {
  const { adapter: _, ...incomplete } = stored
  // @ts-expect-error sessions in the database need a data layer
  createAuth(incomplete)
})

it("does not widen callbacks that are written in place", () => {
  createAuth({
    session: { strategy: "jwt" },
    // @ts-expect-error sessions in tokens have no user
    callbacks: { session: ({ session, user }) => ({ ...session, user: { id: user.id } }) },
  })
})

it("names `fetch` of a provider by its marker", () => {
  const provider: Provider = { id: "op", name: "OP", type: "oidc", issuer: "https://op.test", [customFetch]: fetch }
  createAuth({ providers: [provider, GitHub({ [customFetch]: fetch })] })
  Google({ [customFetch]: (...all: Parameters<typeof fetch>) => fetch(...all) })
  // @ts-expect-error no function
  GitHub({ [customFetch]: "fetch" })
})
