import { describe, expect, it } from "vitest"
import { contextOf, noon, post, settingsOf } from "../../test/support/facts.js"
import { seal } from "../crypto/jwe.js"
import { flowOf, slotOf, slotOfCallback, spentCookies } from "./flow.js"

const name = "__Secure-authjs.state"
const provider = {
  id: "op",
  name: "OP",
  type: "oauth",
  authorization: "https://op.test/a",
  token: "https://op.test/t",
  userinfo: "https://op.test/u",
} as const
const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined } as const
const settings = settingsOf({ providers: [provider, mail], adapter: {} })
const sealedState = async (value: string): Promise<string> =>
  seal({ value, provider: "op" }, { keyring: settings.jwt.keyring, salt: name, maxAge: 900, now: noon })
const callback = (query: string, cookies: Record<string, string> = {}): Request =>
  new Request(`https://app.test/auth/callback/op?${query}`, {
    headers: {
      cookie: Object.entries(cookies)
        .map((pair) => pair.join("="))
        .join("; "),
    },
  })

describe("flowOf", () => {
  it("is the beginning of the state's digest", async () => {
    // base64url(SHA-256("abc")) = ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0
    expect(await flowOf("abc")).toBe("ungWv48B")
    expect(await flowOf("abd")).not.toBe("ungWv48B")
  })
})

describe("slotOf", () => {
  it("names the slot that holds the flow's cookies, whichever of them", async () => {
    for (const role of ["state", "pkce.code_verifier", "nonce"]) {
      const request = callback("", { [`__Secure-authjs.${role}.ungWv48B`]: "x", [name]: await sealedState("other") })
      expect(await slotOf(await contextOf(request, { settings }), "abc")).toBe("ungWv48B")
    }
  })

  it("leaves the newest flow its bare names", async () => {
    const context = await contextOf(callback("", { [name]: await sealedState("abc"), [`${name}.xxxxxxxx`]: "y" }), {
      settings,
    })
    expect(await slotOf(context, "abc")).toBeUndefined()
    expect(await slotOf(context, undefined)).toBeUndefined()
    expect(await slotOf(context, "")).toBeUndefined()
  })

  it("does not give the newest flow to a state of another one", async () => {
    const context = await contextOf(callback("", { [name]: await sealedState("other") }), { settings })
    expect(await slotOf(context, "abc")).toBe("ungWv48B")
  })

  it.each(["", "broken", "eyJhbGciOiJub25lIn0.."])(
    "does not take %j as proof that the newest flow is another one",
    async (value) => {
      expect(await slotOf(await contextOf(callback("", { [name]: value }), { settings }), "abc")).toBeUndefined()
    },
  )

  it("reads no cookie of the other scheme", async () => {
    const context = await contextOf(callback("", { "authjs.state.ungWv48B": "x" }), { settings })
    expect(await slotOf(context, "abc")).toBeUndefined()
  })
})

describe("slotOfCallback", () => {
  it("finds the state in the query of a GET and in the form of a POST", async () => {
    const cookies = { [`${name}.ungWv48B`]: "x" }
    expect(await slotOfCallback(await contextOf(callback("state=abc", cookies), { settings }))).toBe("ungWv48B")
    expect(await slotOfCallback(await contextOf(callback("", cookies), { settings }))).toBeUndefined()
    const header = { cookie: `${name}.ungWv48B=x` }
    const posted = post("https://app.test/auth/callback/op?state=zzz", { state: "abc" }, header)
    expect(await slotOfCallback(await contextOf(posted, { settings }))).toBe("ungWv48B")
    const asList = new Request("https://app.test/auth/callback/op", {
      method: "POST",
      body: '{"state":["abc"]}',
      headers: { ...header, "content-type": "application/json" },
    })
    expect(await slotOfCallback(await contextOf(asList, { settings }))).toBeUndefined()
  })

  it("names a link by its token and never the newest flow of another kind", async () => {
    const header = { cookie: `${name}=${await sealedState("abc")}` }
    const link = new Request("https://app.test/auth/callback/mail?token=abc&state=abc", { headers: header })
    const slot = await slotOfCallback(await contextOf(link, { settings }))
    expect(slot).toMatch(/^[\w-]{8}$/)
    // The name of a cookie must not tell the token, which may be a short code.
    expect(slot).not.toBe(await flowOf("abc"))
    const without = new Request("https://app.test/auth/callback/mail", { headers: header })
    expect(await slotOfCallback(await contextOf(without, { settings }))).not.toBe(slot)
  })
})

describe("spentCookies", () => {
  it("clears what the request carried, in the slot of its flow", async () => {
    const bare = await contextOf(callback("", { [name]: "x" }), { settings })
    expect(await spentCookies(bare, ["state", "nonce"])).toStrictEqual([{ role: "state", clear: true }])
    const slotted = await contextOf(callback("state=abc", { [`${name}.ungWv48B`]: "x", [name]: "y" }), { settings })
    expect(await spentCookies(slotted, ["state", "nonce"])).toStrictEqual([
      { role: "state", clear: true, slot: "ungWv48B" },
    ])
  })

  it("needs no provider", async () => {
    const request = new Request("https://app.test/auth/signin", { headers: { cookie: `${name}=x` } })
    expect(await spentCookies(await contextOf(request, { settings }), ["state"])).toHaveLength(1)
  })
})
