/** Users and accounts as an application's compiler sees them. */
import type { AdapterAccount } from "@latchkey/core/adapters"
import type { Account, AdapterUser, ProviderType, User } from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

type Text = string | null | undefined
type TokenType = "bearer" | "dpop" | Lowercase<string> | undefined

describe("a user", () => {
  it("may have an id [spec user id]", () => {
    expectTypeOf<User["id"]>().toEqualTypeOf<string | undefined>()
  })
  it("may have a name, or none on purpose [spec user name]", () => {
    expectTypeOf<User["name"]>().toEqualTypeOf<Text>()
  })
  it("may have an address, or none on purpose [spec user email]", () => {
    expectTypeOf<User["email"]>().toEqualTypeOf<Text>()
  })
  it("may have a picture, or none on purpose [spec user image]", () => {
    expectTypeOf<User["image"]>().toEqualTypeOf<Text>()
  })
  it("may be empty", () => {
    expectTypeOf<Record<never, never>>().toExtend<User>()
  })
})

describe("a stored user", () => {
  it("is a user", () => {
    expectTypeOf<AdapterUser>().toExtend<User>()
  })
  it("always has an id [spec adapter-user id]", () => {
    expectTypeOf<AdapterUser["id"]>().toEqualTypeOf<string>()
  })
  it("always has an address [spec adapter-user email]", () => {
    expectTypeOf<AdapterUser["email"]>().toEqualTypeOf<string>()
  })
  it("always says whether its address is proven [spec adapter-user emailVerified]", () => {
    expectTypeOf<AdapterUser["emailVerified"]>().toEqualTypeOf<Date | null>()
  })
  it("may have a name [spec adapter-user name]", () => {
    expectTypeOf<AdapterUser["name"]>().toEqualTypeOf<Text>()
  })
  it("may have a picture [spec adapter-user image]", () => {
    expectTypeOf<AdapterUser["image"]>().toEqualTypeOf<Text>()
  })
})

describe("an account", () => {
  it("names its provider [spec account provider]", () => {
    expectTypeOf<Account["provider"]>().toEqualTypeOf<string>()
  })
  it("names itself at the provider [spec account providerAccountId]", () => {
    expectTypeOf<Account["providerAccountId"]>().toEqualTypeOf<string>()
  })
  it("has a type, and no credentials where it is stored [spec account type]", () => {
    expectTypeOf<Account["type"]>().toEqualTypeOf<ProviderType>()
    expectTypeOf<AdapterAccount["type"]>().toEqualTypeOf<"oidc" | "oauth" | "email" | "webauthn">()
  })
  it("may name its owner, and does where it is stored [spec account userId]", () => {
    expectTypeOf<Account["userId"]>().toEqualTypeOf<string | undefined>()
    expectTypeOf<AdapterAccount["userId"]>().toEqualTypeOf<string>()
  })
  it("knows when its access token ends, in seconds [spec account expires_at]", () => {
    expectTypeOf<Account["expires_at"]>().toEqualTypeOf<number | undefined>()
  })
  it("names the type of its token in lower case [spec account token_type]", () => {
    expectTypeOf<Account["token_type"]>().toEqualTypeOf<TokenType>()
    expectTypeOf<"Bearer">().not.toExtend<NonNullable<Account["token_type"]>>()
  })
})

describe("the tokens of an account are read, never written", () => {
  const account = {} as Account
  it("the access token [spec account access_token]", () => {
    expectTypeOf(account.access_token).toEqualTypeOf<string | undefined>()
    // @ts-expect-error it comes from the provider
    account.access_token = "mine"
  })
  it("the refresh token [spec account refresh_token]", () => {
    expectTypeOf(account.refresh_token).toEqualTypeOf<string | undefined>()
    // @ts-expect-error it comes from the provider
    account.refresh_token = "mine"
  })
  it("the id_token [spec account id_token]", () => {
    expectTypeOf(account.id_token).toEqualTypeOf<string | undefined>()
    // @ts-expect-error it comes from the provider
    account.id_token = "mine"
  })
  it("the scope [spec account scope]", () => {
    expectTypeOf(account.scope).toEqualTypeOf<string | undefined>()
    // @ts-expect-error it comes from the provider
    account.scope = "mine"
  })
  it("the lifetime [spec account expires_in]", () => {
    expectTypeOf(account.expires_in).toEqualTypeOf<number | undefined>()
    // @ts-expect-error it comes from the provider
    account.expires_in = 1
  })
})
