/** What must not compile, and what must be inferred without help. */
import { Auth, type CreateAuthOptions, createAuth, raw } from "@latchkey/core"
import { signIn, signOut } from "@latchkey/core/client"
import type { RedirectableProviderType } from "@latchkey/core/providers"
import { Credentials } from "@latchkey/core/providers/credentials"
import { GitHub } from "@latchkey/core/providers/github"
import type { AuthConfig, CookiesOptions, Provider, ResponseInternal } from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

const custom = { id: "op", name: "OP", type: "oidc", issuer: "https://op.test" } as const

describe("the configuration", () => {
  it("has providers, by default none [spec options providers]", () => {
    expectTypeOf<AuthConfig["providers"]>().toEqualTypeOf<Provider[]>()
    createAuth({})
    Auth(new Request("https://app.test/auth/session"), {})
    // @ts-expect-error a list
    createAuth({ providers: GitHub })
  })

  it("has two strategies, and times as numbers [spec options session.strategy] [spec options session.maxAge]", () => {
    createAuth({ providers: [], session: { strategy: "database", maxAge: 60, updateAge: 0 }, adapter: {} })
    // @ts-expect-error no such strategy
    createAuth({ providers: [], session: { strategy: "memory" } })
    // @ts-expect-error a number of seconds
    createAuth({ providers: [], session: { maxAge: "30d" } })
  })

  it("refuses unknown members", () => {
    // @ts-expect-error a slip of the pen
    createAuth({ providers: [], trustHosts: true })
    // @ts-expect-error a slip of the pen
    createAuth({ providers: [], pages: { signin: "/login" } })
    // @ts-expect-error a slip of the pen
    createAuth({ session: { strategy: "jwt", maxage: 60 } })
    // @ts-expect-error a slip of the pen
    createAuth({ callbacks: { sesion: () => ({ expires: "" }) } })
    // @ts-expect-error a slip of the pen
    createAuth({ providers: [{ ...custom, id: "op", name: "OP", type: "oidc", isuer: "https://op.test" }] })
    // @ts-expect-error a slip of the pen
    Auth(new Request("https://app.test/"), { trustHosts: true })
    // @ts-expect-error a slip of the pen
    createAuth({ providers: [] }, { envs: {} } satisfies CreateAuthOptions)
  })

  it("has seven cookies to override [spec cookies overrides]", () => {
    expectTypeOf<keyof CookiesOptions>().toEqualTypeOf<
      "callbackUrl" | "csrfToken" | "nonce" | "pkceCodeVerifier" | "sessionToken" | "state" | "webauthnChallenge"
    >()
    createAuth({ providers: [], cookies: { sessionToken: { options: { domain: "app.test" } } } })
    // @ts-expect-error no such attribute
    createAuth({ providers: [], cookies: { sessionToken: { options: { domains: "app.test" } } } })
  })
})

describe("a provider", () => {
  it("is one of five types [spec provider type]", () => {
    createAuth({ providers: [custom, GitHub, GitHub({ clientId: "a" })] })
    // @ts-expect-error no such type
    createAuth({ providers: [{ id: "saml", name: "SAML", type: "saml" }] })
  })

  it("has an id and a name [spec provider id] [spec provider name]", () => {
    // @ts-expect-error no id
    createAuth({ providers: [{ name: "OP", type: "oidc", issuer: "https://op.test" }] })
    // @ts-expect-error no name
    createAuth({ providers: [{ id: "op", type: "oidc", issuer: "https://op.test" }] })
  })

  it("of oauth cannot check a nonce [spec provider checks]", () => {
    createAuth({ providers: [{ ...custom, checks: ["pkce", "nonce"] }] })
    // @ts-expect-error there is no id_token to hold it
    createAuth({ providers: [{ ...custom, type: "oauth", checks: ["nonce"] }] })
  })

  it("of credentials knows the fields of its form", () => {
    Credentials({
      credentials: { pin: { label: "PIN", type: "password" } },
      authorize({ pin }, request) {
        expectTypeOf(pin).toBeUnknown()
        expectTypeOf(request).toEqualTypeOf<Request>()
        return { id: "1" }
      },
    })
    // @ts-expect-error `authorize` is missing
    Credentials({ credentials: {} })
    const fields = { credentials: { tenant: {}, name: {} }, authorize: () => null }
    createAuth({ providers: [Credentials({ ...fields, accountField: ["tenant", "name"] })] })
    Credentials({ ...fields, accountField: "name" })
    // @ts-expect-error there is no such field
    Credentials({ ...fields, accountField: ["tenant", "email"] })
  })

  it("passes its own profile type to its callback", () => {
    GitHub({
      profile(profile, tokens) {
        expectTypeOf(profile.login).toEqualTypeOf<string>()
        expectTypeOf(tokens.access_token).toEqualTypeOf<string | undefined>()
        return { id: String(profile.id), name: profile.name, email: profile.email, image: profile.avatar_url }
      },
    })
  })
})

describe("the answer of the core", () => {
  it("is a Response, or plain values with the marker", () => {
    const request = new Request("https://app.test/auth/session")
    expectTypeOf(Auth(request, { providers: [] })).toEqualTypeOf<Promise<Response>>()
    expectTypeOf(Auth(request, { providers: [], raw })).toEqualTypeOf<Promise<ResponseInternal>>()
  })
})

describe("a sign-in without redirect", () => {
  it("is typed for e-mail and credentials only [spec authentication 3]", () => {
    expectTypeOf<RedirectableProviderType>().toEqualTypeOf<"email" | "credentials">()
    expectTypeOf(signIn("credentials", { redirect: false, password: "p" })).resolves.toHaveProperty("ok")
    expectTypeOf(signIn("email", { redirect: false, email: "a@b.c" })).resolves.toHaveProperty("url")
    // @ts-expect-error a person has to leave the page for an oauth provider
    signIn("github", { redirect: false })
    signIn("my-login", { redirect: false, providerType: "credentials" })
    // @ts-expect-error the type says that the person has to leave
    signIn("my-login", { redirect: false, providerType: "oidc" })
  })

  it("returns an answer only with `redirect: false`", () => {
    expectTypeOf(signIn("github")).toEqualTypeOf<Promise<undefined>>()
    expectTypeOf(signOut({ redirect: false })).toEqualTypeOf<Promise<{ url: string }>>()
    expectTypeOf(signOut()).toEqualTypeOf<Promise<undefined>>()
  })
})
