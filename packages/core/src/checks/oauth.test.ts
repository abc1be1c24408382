import { describe, expect, it } from "vitest"
import {
  type TestContext as ContextForTests,
  cookiesAfter,
  later,
  makeContext,
  type Surroundings,
} from "../../test/support/context.js"
import type { ResolvedOAuthProvider } from "../config/settings.js"
import type { ContextOf } from "../context/context.js"
import { open, seal } from "../crypto/jwe.js"
import type { AuthConfig } from "../types/config.js"
import { decodeState, issueChecks, type SpentChecks, spendChecks } from "./oauth.js"
import { sealCheck } from "./sealed.js"

type OAuthContext = ContextOf<ResolvedOAuthProvider>
type TestContext = ContextForTests<OAuthContext>

const names = {
  state: "__Secure-authjs.state",
  pkce: "__Secure-authjs.pkce.code_verifier",
  nonce: "__Secure-authjs.nonce",
}
const oidc = (id: string, checks: readonly string[], more: object = {}): object => ({
  ...{ id, name: id, type: "oidc", issuer: `https://${id}.test`, clientId: "c", checks },
  ...more,
})
const formPost = { authorization: { url: "https://post.test/authorize", params: { response_mode: "form_post" } } }
const config: Partial<AuthConfig> = {
  providers: [
    oidc("all", ["pkce", "state", "nonce"]),
    oidc("pkce", ["pkce"]),
    oidc("two", ["pkce", "nonce"]),
    oidc("state", ["state"]),
    oidc("none", ["none"]),
    oidc("post", ["state", "nonce"], formPost),
  ] as never,
}
const at = (provider: string, given: Surroundings = {}): TestContext =>
  makeContext<OAuthContext>({ action: "callback", provider, config, ...given })

const spend = (
  context: TestContext,
  state: string | undefined,
  mayLackState: () => boolean = () => false,
): Promise<SpentChecks> => spendChecks(context, { state, mayLackState })

async function begin(
  provider: string,
  given: Surroundings & { readonly returnTo?: string } = {},
): Promise<{ state: string | undefined; verifier: string | undefined; cookies: Record<string, string> }> {
  const context = at(provider, { ...given, action: "signin", method: "POST" })
  const issued = await issueChecks(context, { returnTo: given.returnTo ?? `https://app.test/${provider}` })
  return { state: issued.state, verifier: issued.codeVerifier, cookies: cookiesAfter(context, issued.cookies) }
}

describe("a flow", () => {
  it("remembers state, verifier, nonce and the return address", async () => {
    const context = at("all", { method: "POST" })
    const issued = await issueChecks(context, { returnTo: "https://app.test/here" })
    expect(issued.codeVerifier).toMatch(/^[\w-]{43}$/)
    expect(issued.nonce).toMatch(/^[\w-]{43}$/)
    expect(issued.cookies.map(({ role }) => role)).toEqual(["state", "pkceCodeVerifier", "nonce"])
    const { state, codeVerifier, nonce } = issued
    const back = at("all", { cookies: cookiesAfter(context, issued.cookies), now: later(600) })
    expect(await spend(back, state)).toEqual({
      slot: undefined,
      state,
      codeVerifier,
      nonce,
      returnTo: "https://app.test/here",
      begunBy: { kind: "unknown" },
    })
  })

  it.each([
    ["a person", "u1", { kind: "somebody", id: "u1" }],
    ["nobody", null, { kind: "nobody" }],
    ["a person, beside a return address that does not fit", "u1", { kind: "somebody", id: "u1" }],
  ])("remembers that it was begun by %s", { tags: ["threat:CK-09"] }, async (name, user, begunBy) => {
    const context = at("all", { method: "POST" })
    const returnTo = `https://app.test/${name.includes("fit") ? "a".repeat(4000) : ""}`
    const issued = await issueChecks(context, { returnTo, user })
    const back = at("all", { cookies: cookiesAfter(context, issued.cookies) })
    expect(await spend(back, issued.state)).toHaveProperty("begunBy", begunBy)
  })

  it.each([
    ["pkce", [names.state, names.pkce]],
    ["state", [names.state]],
    ["none", []],
    ["post", [names.state, names.nonce]],
  ])("of a provider that checks %s has the cookies %j", async (provider, expected) => {
    const { state, cookies } = await begin(provider)
    expect(Object.keys(cookies).toSorted()).toEqual(expected.toSorted())
    expect(state === undefined).toBe(provider === "none")
  })

  it("makes values that are never the same", async () => {
    const flows = await Promise.all(Array.from({ length: 20 }, () => begin("all")))
    expect(new Set(flows.map(({ state }) => state)).size).toBe(20)
    expect(new Set(flows.map(({ verifier }) => verifier)).size).toBe(20)
  })

  it("asks for cookies that survive a POST from another site where the provider posts", async () => {
    const { cookies } = await issueChecks(at("post"), { returnTo: "https://app.test/" })
    expect(cookies.map((change) => "crossSite" in change && change.crossSite)).toEqual([true, true])
    const others = await issueChecks(at("all"), { returnTo: "https://app.test/" })
    expect(others.cookies.filter((change) => "crossSite" in change)).toEqual([])
  })

  it("leaves a return address that is too long for the cookie to its own cookie", async () => {
    const returnTo = `https://app.test/${"a".repeat(4000)}`
    const { state, cookies } = await begin("all", { returnTo })
    expect((cookies[names.state] ?? "").length).toBeLessThan(3800)
    expect(await spend(at("all", { cookies }), state)).not.toHaveProperty("returnTo")
    const fits = await begin("all", { returnTo: `https://app.test/${"a".repeat(1900)}` })
    expect(await spend(at("all", { cookies: fits.cookies }), fits.state)).toHaveProperty("returnTo")
  })
})

describe("state", () => {
  it("is sealed, random, and names the home of a flow through a proxy", async () => {
    const deployment = "https://preview.test/auth/callback/all"
    const { state = "" } = await issueChecks(at("all"), { returnTo: "https://app.test/", deployment })
    expect(await decodeState(at("all"), state)).toEqual({
      random: expect.stringMatching(/^[\w-]{43}$/),
      origin: deployment,
      provider: "all",
    })
    const plain = await issueChecks(at("all"), { returnTo: "https://app.test/" })
    expect(Object.keys(await decodeState(at("all"), plain.state ?? ""))).toEqual(["random"])
  })

  it("is read with the salt that other deployments use", async () => {
    const { settings, now } = at("all")
    const { state = "" } = await issueChecks(at("all"), { returnTo: "https://app.test/" })
    const opened = await open(state, { keyring: settings.jwt.keyring, salt: "encodedState", now })
    expect(Number(opened.exp) - Number(opened.iat)).toBe(900)
  })

  it.each([
    ["garbage", async () => "garbage"],
    [
      "one of another secret [CF2-03]",
      async () => (await begin("all", { config: { ...config, secret: "other" } })).state,
    ],
    ["a token of another purpose", () => sealed("encodedWebauthnChallenge", { random: "r" })],
    ["one without random value", () => sealed("encodedState", { origin: "https://evil.test" })],
  ])("cannot be decoded from %s", async (_, make) => {
    await expect(decodeState(at("all"), (await make()) ?? "")).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it("cannot be decoded after fifteen minutes", async () => {
    const { state = "" } = await begin("all")
    await expect(decodeState(at("all", { now: later(915) }), state)).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it.each([
    ["missing [A-025]", undefined],
    ["empty [A-025]", ""],
    ["another one [A-025] [A-008]", "another"],
  ])("is refused when it comes back %s", async (_, state) => {
    const { cookies } = await begin("state")
    await expect(spend(at("state", { cookies }), state)).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it("is refused when it is of another flow of the same provider", { tags: ["threat:A-008"] }, async () => {
    const one = await begin("state")
    const two = await begin("state")
    await expect(spend(at("state", { cookies: one.cookies }), two.state)).rejects.toMatchObject({
      type: "InvalidCheck",
    })
  })

  it.each(["pkce", "all", "post"])(
    "is always the flow's own when it comes back, for checks of %s too",
    { tags: ["threat:A-008"] },
    async (id) => {
      const { cookies } = await begin(id)
      const other = await begin(id)
      for (const wrong of [other.state, "made up", ""]) {
        await expect(spend(at(id, { cookies }), wrong, () => true)).rejects.toMatchObject({ type: "InvalidCheck" })
      }
    },
  )

  it("may be missing only where the provider may lose it, and never where it is a check", {
    tags: ["threat:A-025"],
  }, async () => {
    const { verifier, cookies } = await begin("pkce")
    const excused = await spend(at("pkce", { cookies }), undefined, () => true)
    expect(excused).toMatchObject({ codeVerifier: verifier, returnTo: "https://app.test/pkce" })
    await expect(spend(at("pkce", { cookies }), undefined)).rejects.toThrow("losesState")
    const checked = await begin("all")
    await expect(spend(at("all", checked), undefined, () => true)).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it.each([
    ["state", names.state],
    ["verifier", names.pkce],
  ])(
    "of one flow and the %s cookie of another make no flow",
    { tags: ["threat:CK-06", "threat:CK-09"] },
    async (_, name) => {
      const one = await begin("pkce")
      const two = await begin("pkce")
      const cookies = { ...one.cookies, [name]: two.cookies[name] ?? "" }
      const { state } = name === names.state ? two : one
      for (const given of [state, undefined]) {
        await expect(spend(at("pkce", { cookies }), given, () => true)).rejects.toMatchObject({ type: "InvalidCheck" })
      }
    },
  )

  it("cannot be left out by pushing its cookie out of the browser", {
    tags: ["threat:A-025", "threat:CK-10"],
  }, async () => {
    const { cookies } = await begin("pkce")
    const { [names.state]: pushedOut, ...rest } = cookies
    expect(pushedOut).toBeDefined()
    await expect(spend(at("pkce", { cookies: rest }), undefined)).rejects.toMatchObject({ type: "InvalidCheck" })
  })
})

async function sealed(salt: string, claims: Record<string, unknown>): Promise<string> {
  const { settings, now } = at("all")
  return seal(claims, { keyring: settings.jwt.keyring, salt, maxAge: 900, now })
}

describe("what comes back", () => {
  it.each([
    ["the state", names.state],
    ["the verifier", names.pkce],
    ["the nonce", names.nonce],
  ])("is refused without the cookie of %s", { tags: ["threat:A-008"] }, async (_, missing) => {
    const { state, cookies } = await begin("all")
    const { [missing]: gone, ...rest } = cookies
    expect(gone).toBeDefined()
    await expect(spend(at("all", { cookies: rest }), state)).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it("is refused at another provider", { tags: ["threat:A-003", "threat:RC-21"] }, async () => {
    const { state, cookies } = await begin("all")
    for (const other of ["pkce", "state", "post"]) {
      await expect(spend(at(other, { cookies }), state)).rejects.toMatchObject({ type: "InvalidCheck" })
    }
  })

  it("is accepted from a browser that began at Auth.js, whose flow with only pkce has no state", async () => {
    const context = at("pkce")
    const cookies = cookiesAfter(context, [await sealCheck(context, { role: "pkceCodeVerifier", value: "v" })])
    const begunBy = { kind: "unknown" }
    expect(await spend(at("pkce", { cookies }), undefined)).toEqual({ slot: undefined, codeVerifier: "v", begunBy })
    // The state cookie of an earlier flow at another provider may still be there.
    const before = await sealCheck(at("state"), { role: "state", value: "s" })
    const both = { ...cookies, ...cookiesAfter(context, [before]) }
    expect(await spend(at("pkce", { cookies: both }), undefined)).toHaveProperty("codeVerifier", "v")
  })

  it("is refused with a state that nobody sent, from a browser that began at Auth.js with only pkce", {
    tags: ["threat:A-008"],
  }, async () => {
    const context = at("pkce")
    const cookies = cookiesAfter(context, [await sealCheck(context, { role: "pkceCodeVerifier", value: "v" })])
    await expect(spend(at("pkce", { cookies }), "made up", () => true)).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it("is refused without a state when only one of its checks was sealed by Auth.js", {
    tags: ["threat:CK-06"],
  }, async () => {
    const { cookies } = await begin("two")
    const context = at("two")
    for (const role of ["pkceCodeVerifier", "nonce"] as const) {
      const mixed = { ...cookies, ...cookiesAfter(context, [await sealCheck(context, { role, value: "v" })]) }
      await expect(spend(at("two", { cookies: mixed }), undefined)).rejects.toMatchObject({ type: "InvalidCheck" })
    }
  })

  it("is accepted from a browser that began at Auth.js, with a state if that is checked", async () => {
    const context = at("all")
    const roles = ["state", "pkceCodeVerifier", "nonce"] as const
    const changes = await Promise.all(roles.map((role) => sealCheck(context, { role, value: role })))
    const cookies = cookiesAfter(context, changes)
    const spent = await spend(at("all", { cookies }), "state")
    expect(spent).toMatchObject({ codeVerifier: "pkceCodeVerifier", nonce: "nonce", begunBy: { kind: "unknown" } })
    await expect(spend(at("all", { cookies }), undefined, () => true)).rejects.toMatchObject({ type: "InvalidCheck" })
  })

  it("needs nothing where nothing is checked, and was begun by nobody", async () => {
    expect(await spend(at("none"), undefined)).toEqual({ slot: undefined, begunBy: { kind: "nobody" } })
  })
})
