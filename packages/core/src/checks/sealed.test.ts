import { describe, expect, it } from "vitest"
import { cookiesAfter, later, makeContext, type Surroundings, type TestContext } from "../../test/support/context.js"
import type { CheckRole } from "../config/cookies.js"
import { open, seal } from "../crypto/jwe.js"
import type { AuthConfig, CookieRole } from "../types/config.js"
import { openAnyCheck, openCheck, sealCheck } from "./sealed.js"

const oidc = (id: string): object => ({ id, name: id, type: "oidc", issuer: `https://${id}.test`, clientId: "c" })
const config: Partial<AuthConfig> = { providers: [oidc("one"), oidc("two")] as never }
const at = (given: Surroundings): TestContext => makeContext({ action: "callback", provider: "one", config, ...given })
const roles: readonly CheckRole[] = ["state", "pkceCodeVerifier", "nonce", "webauthnChallenge"]

describe.each(roles)("the check %s", (role) => {
  it("opens for the provider it was sealed for, with what travels along", async () => {
    const context = at({})
    const change = await sealCheck(context, { role, value: "v", extra: { returnTo: "/here" } })
    expect(change).toEqual({ role, value: expect.any(String), expires: later(900) })
    const back = at({ cookies: cookiesAfter(context, [change]), now: later(899) })
    expect(await openCheck(back, { role })).toMatchObject({ value: "v", provider: "one", returnTo: "/here" })
  })

  it("is sealed under its cookie's name, with value and provider as claims", async () => {
    const context = at({})
    const cookies = cookiesAfter(context, [await sealCheck(context, { role, value: "v" })])
    const { name } = context.cookies[role]
    const opening = { keyring: context.settings.jwt.keyring, salt: name, now: context.now }
    const { iat, exp, jti, ...claims } = await open(cookies[name] ?? "", opening)
    expect(claims).toEqual({ value: "v", provider: "one" })
    expect(Number(exp) - Number(iat)).toBe(900)
  })

  it("is refused for another provider", { tags: ["threat:A-003"] }, async () => {
    const context = at({})
    const cookies = cookiesAfter(context, [await sealCheck(context, { role, value: "v" })])
    await expect(openCheck(at({ cookies, provider: "two" }), { role })).rejects.toMatchObject({ type: "InvalidCheck" })
    await expect(openCheck(makeContext({ cookies, config }), { role })).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it("is refused when it names no provider", { tags: ["threat:A-003"] }, async () => {
    const context = at({})
    const { name } = context.cookies[role]
    const { keyring } = context.settings.jwt
    const value = await seal({ value: "v" }, { keyring, salt: name, maxAge: 900, now: context.now })
    for (const provider of ["one", undefined]) {
      const back = at({ cookies: { [name]: value }, provider })
      await expect(openCheck(back, { role })).rejects.toMatchObject({ type: "InvalidCheck" })
    }
  })

  it("is refused after fifteen minutes, fifteen seconds of grace aside", { tags: ["threat:FI-22"] }, async () => {
    const context = at({})
    const cookies = cookiesAfter(context, [await sealCheck(context, { role, value: "v" })])
    await expect(openCheck(at({ cookies, now: later(914) }), { role })).resolves.toHaveProperty("value", "v")
    await expect(openCheck(at({ cookies, now: later(915) }), { role })).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["garbage", "garbage"],
  ])("is refused when its cookie is %s", { tags: ["threat:CK-10"] }, async (_, value) => {
    const { name } = at({}).cookies[role]
    const cookies = value === undefined ? {} : { [name]: value }
    await expect(openCheck(at({ cookies }), { role })).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it.each([[{}], [{ value: "" }], [{ value: 7 }]])("is refused when it holds %j", async (claims) => {
    const context = at({})
    const { name } = context.cookies[role]
    const sealing = { keyring: context.settings.jwt.keyring, salt: name, maxAge: 900, now: context.now }
    const sealed = await seal({ provider: "one", ...claims }, sealing)
    await expect(openCheck(at({ cookies: { [name]: sealed } }), { role })).rejects.toMatchObject({
      type: "InvalidCheck",
    })
  })

  it.each<CookieRole>(["sessionToken", "csrfToken", ...roles].filter((other) => other !== role) as CookieRole[])(
    "never opens what was sealed as %s",
    { tags: ["threat:A-007", "threat:A-020", "threat:A-021"] },
    async (other) => {
      const context = at({})
      const sealing = { keyring: context.settings.jwt.keyring, maxAge: 900, now: context.now }
      const sealed = await seal({ value: "v", provider: "one" }, { ...sealing, salt: context.cookies[other].name })
      const cookies = { [context.cookies[role].name]: sealed }
      await expect(openCheck(at({ cookies }), { role })).rejects.toMatchObject({ type: "InvalidCheck" })
    },
  )

  it("opens with an older secret of the list", async () => {
    const before = at({ config: { ...config, secret: "the old secret, long enough for all" } })
    const cookies = cookiesAfter(before, [await sealCheck(before, { role, value: "v" })])
    const secret = ["the new secret, long enough for all", "the old secret, long enough for all"]
    expect(await openCheck(at({ cookies, config: { ...config, secret } }), { role })).toHaveProperty("value", "v")
  })

  it("waits in a slot of its own under the same salt", async () => {
    const context = at({})
    const change = { ...(await sealCheck(context, { role, value: "v" })), slot: "abcdefgh" }
    const cookies = cookiesAfter(context, [change])
    expect(Object.keys(cookies)).toEqual([`${context.cookies[role].name}.abcdefgh`])
    expect(await openCheck(at({ cookies }), { role, slot: "abcdefgh" })).toHaveProperty("value", "v")
    await expect(openCheck(at({ cookies }), { role })).rejects.toThrow("missing")
  })
})

describe("what is missing", () => {
  const failureOf = (cookies: Record<string, string>): Promise<Error> =>
    openCheck(at({ cookies }), { role: "state" }).then(
      () => new Error("opened"),
      (error: Error) => error,
    )

  it("is explained by the scheme only where the browser sent no cookie at all", async () => {
    expect((await failureOf({})).message).toMatch(/"state" is missing: browsers store and send it over https only/)
    expect((await failureOf({ other: "x" })).message).toMatch(/"state" is missing\.$/)
  })

  it("differs in words from what cannot be opened", async () => {
    const { name } = at({}).cookies.state
    expect((await failureOf({ [name]: "garbage" })).message).toContain("cannot be opened")
  })
})

describe("sealing", () => {
  it("asks for a cookie that survives a POST from another site only when asked to", async () => {
    expect(await sealCheck(at({}), { role: "state", value: "v", crossSite: true })).toHaveProperty("crossSite", true)
    expect(await sealCheck(at({}), { role: "state", value: "v", crossSite: false })).not.toHaveProperty("crossSite")
  })

  it("lets no extra claim replace value or provider", async () => {
    const context = at({})
    const extra = { value: "other", provider: "two" }
    const cookies = cookiesAfter(context, [await sealCheck(context, { role: "state", value: "v", extra })])
    expect(await openCheck(at({ cookies }), { role: "state" })).toMatchObject({ value: "v", provider: "one" })
  })

  it("without a provider makes a check that opens for none", async () => {
    const context = at({ provider: undefined })
    const cookies = cookiesAfter(context, [await sealCheck(context, { role: "state", value: "v" })])
    await expect(openCheck(at({ cookies }), { role: "state" })).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it("seals for a provider that is named", async () => {
    const context = at({})
    const cookies = cookiesAfter(context, [await sealCheck(context, { role: "state", value: "v", provider: "two" })])
    expect(await openCheck(at({ cookies, provider: "two" }), { role: "state" })).toHaveProperty("value", "v")
  })
})

it("opens a check of any provider where flows are set apart", async () => {
  const context = at({})
  const cookies = cookiesAfter(context, [await sealCheck(context, { role: "state", value: "v" })])
  expect(await openAnyCheck(at({ cookies, provider: "two" }), { role: "state" })).toHaveProperty("provider", "one")
})
