/** Sessions, proofs, answers and the look of pages as an application's compiler sees them. */
import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import type {
  AdapterSession,
  Authenticator,
  Cookie,
  DefaultSession,
  LoggerInstance,
  OAuthProviderButtonStyles,
  PagesOptions,
  PublicProvider,
  ResponseInternal,
  Theme,
  User,
  VerificationToken,
  WarningCode,
} from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

describe("a session", () => {
  it("has its end as a string [spec session expires]", () => {
    expectTypeOf<DefaultSession["expires"]>().toEqualTypeOf<string>()
  })
  it("may have a user [spec session user]", () => {
    expectTypeOf<DefaultSession["user"]>().toEqualTypeOf<User | undefined>()
  })
  it("is a look-up value, an owner and a date in the store [spec adapter-session sessionToken] [spec adapter-session userId] [spec adapter-session expires]", () => {
    expectTypeOf<AdapterSession>().toEqualTypeOf<{ sessionToken: string; userId: string; expires: Date }>()
  })
})

describe("a stored proof", () => {
  it("is the address, the hash and the end of a link [spec verification-token identifier] [spec verification-token token] [spec verification-token expires]", () => {
    expectTypeOf<VerificationToken>().toEqualTypeOf<{ identifier: string; token: string; expires: Date }>()
  })
  it("is a credential with its key and state [spec authenticator credentialID] [spec authenticator credentialPublicKey] [spec authenticator counter] [spec authenticator credentialDeviceType] [spec authenticator credentialBackedUp] [spec authenticator transports] [spec authenticator providerAccountId]", () => {
    expectTypeOf<Omit<Authenticator, "userId">>().toEqualTypeOf<{
      credentialID: string
      credentialPublicKey: string
      counter: number
      credentialDeviceType: string
      credentialBackedUp: boolean
      transports?: string | null
      providerAccountId: string
    }>()
  })
  it("may name the owner of a credential, and does where it is stored [spec authenticator userId]", () => {
    expectTypeOf<Authenticator["userId"]>().toEqualTypeOf<string | undefined>()
    expectTypeOf<AdapterAuthenticator["userId"]>().toEqualTypeOf<string>()
  })
})

describe("an answer", () => {
  it("lists a provider with five strings [spec public-provider id] [spec public-provider name] [spec public-provider type] [spec public-provider signinUrl] [spec public-provider callbackUrl]", () => {
    expectTypeOf<PublicProvider>().toEqualTypeOf<Record<"id" | "name" | "type" | "signinUrl" | "callbackUrl", string>>()
  })
  it("as plain values may leave everything out [spec response status] [spec response headers] [spec response body] [spec response redirect] [spec response cookies]", () => {
    expectTypeOf<ResponseInternal>().toEqualTypeOf<{
      status?: number
      headers?: Headers | HeadersInit
      body?: unknown
      redirect?: string
      cookies?: Cookie[]
    }>()
    expectTypeOf<ResponseInternal<string>["body"]>().toEqualTypeOf<string | undefined>()
  })
})

describe("an option", () => {
  it("button styles have the four strings of the specification, all optional [spec shape button-style]", () => {
    type Named = "brandColor" | "logo" | "bg" | "text"
    expectTypeOf<Pick<OAuthProviderButtonStyles, Named>>().toEqualTypeOf<Partial<Record<Named, string>>>()
    // Nothing more has to be there.
    expectTypeOf<Partial<Record<Named, string>>>().toExtend<OAuthProviderButtonStyles>()
  })
  it("pages are five strings [spec options pages]", () => {
    expectTypeOf<PagesOptions>().toEqualTypeOf<
      Record<"signIn" | "signOut" | "error" | "verifyRequest" | "newUser", string>
    >()
  })
  it("theme has the three strings and the scheme of the specification, all optional [spec options theme]", () => {
    expectTypeOf<Pick<Theme, "brandColor" | "buttonText" | "logo" | "colorScheme">>().toEqualTypeOf<{
      brandColor?: string
      buttonText?: string
      logo?: string
      colorScheme?: "auto" | "dark" | "light"
    }>()
  })
  it("logger has three methods [spec logger debug] [spec logger error] [spec logger warn]", () => {
    expectTypeOf<LoggerInstance>().toEqualTypeOf<{
      debug: (message: string, metadata?: unknown) => void
      error: (error: Error) => void
      warn: (code: WarningCode) => void
    }>()
  })
})
