import { describe, expect, it, vi } from "vitest"
import { contextOf, noon, post, secret, settingsOf } from "../../test/support/facts.js"
import { readIncoming } from "../../test/support/read-incoming.js"
import { seal } from "../crypto/jwe.js"
import { sha256Hex } from "../crypto/token.js"
import { craftIncoming, type Sender } from "../http/incoming.js"
import type { CookieChange } from "../http/result.js"
import type { AuthConfig } from "../types/config.js"
import type { Awaitable } from "../types/identity.js"
import { type Context, createContext } from "./context.js"
import { explainCsrf, issueCsrf, renewCsrf, verifyCsrf } from "./csrf.js"
import { mayPassCsrf } from "./csrf-cookie.js"

const page = "https://app.test/auth/csrf"
const name = "__Host-authjs.csrf-token"
const token = "a".repeat(64)
const day = 24 * 60 * 60 * 1000
const later = (milliseconds: number): Date => new Date(noon.getTime() + milliseconds)
const sealedIn = (change: CookieChange | undefined): string => (change && "value" in change ? change.value : "")
const cookie = (value: string): Record<string, string> => ({ cookie: `${name}=${encodeURIComponent(value)}` })
const peerValue = async (of: string, by: string): Promise<string> => `${of}|${await sha256Hex(of + by)}`

/** What a browser that was here before holds. */
async function visit(config: Partial<AuthConfig> = {}, now = noon): Promise<{ token: string; value: string }> {
  const { token = "", cookies } = await issueCsrf(await contextOf(page, { config, now }))
  return { token, value: sealedIn(cookies[0]) }
}

function posting(
  value: string,
  form: Record<string, string>,
  given: { config?: Partial<AuthConfig>; now?: Date } = {},
): Promise<Context> {
  return contextOf(post("https://app.test/auth/signin", form, value ? cookie(value) : {}), given)
}

describe("issueCsrf", () => {
  it("makes a token and seals it into the cookie [spec authentication 8] [spec action csrf GET]", {
    tags: ["threat:CS-15"],
  }, async () => {
    const { token, cookies } = await issueCsrf(await contextOf(page))
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(cookies).toEqual([{ role: "csrfToken", value: expect.stringMatching(/^eyJ[\w-]+\.\./) }])
    expect(sealedIn(cookies[0])).not.toContain(token)
    expect((await visit()).token).not.toBe(token)
  })

  it.each([
    [0, 0],
    [day - 1000, 0],
    [day, 1],
    [29 * day, 1],
  ])("keeps the token %d ms later and sets %d cookies", { tags: ["threat:CS-15"] }, async (passed, count) => {
    const before = await visit()
    const { token, cookies } = await issueCsrf(
      await contextOf(new Request(page, { headers: cookie(before.value) }), { now: later(passed) }),
    )
    expect(token).toBe(before.token)
    expect(cookies).toHaveLength(count)
  })

  it.each(["", 1, null, undefined])(
    "does not accept %j as a token, even if it is sealed correctly",
    async (csrfToken) => {
      const { keyring } = settingsOf()
      const value = await seal({ csrfToken }, { keyring, salt: name, maxAge: 900, now: noon })
      const { token, cookies } = await issueCsrf(await contextOf(new Request(page, { headers: cookie(value) })))
      expect(token).toMatch(/^[0-9a-f]{64}$/)
      expect(cookies).toHaveLength(1)
    },
  )

  it("accepts no hash without a secret as one of Auth.js when there is no secret", async () => {
    const settings = settingsOf()
    const secretless = { ...settings, keyring: { ...settings.keyring, secrets: [] } }
    const request = post("https://app.test/auth/signin", { csrfToken: token }, cookie(await peerValue(token, "")))
    expect(await verifyCsrf(await contextOf(request, { settings: secretless }))).toBe(false)
  })

  it("makes a new token once the old one has ended", async () => {
    const before = await visit()
    const { token } = await issueCsrf(
      await contextOf(new Request(page, { headers: cookie(before.value) }), { now: later(31 * day) }),
    )
    expect(token).not.toBe(before.token)
  })

  it("keeps the token of Auth.js and answers with the sealed form", async () => {
    const { token: kept, cookies } = await issueCsrf(
      await contextOf(new Request(page, { headers: cookie(await peerValue(token, secret)) })),
    )
    expect(kept).toBe(token)
    expect(sealedIn(cookies[0])).toMatch(/^eyJ/)
    expect(await verifyCsrf(await posting(sealedIn(cookies[0]), { csrfToken: token }))).toBe(true)
  })

  it("reads a recorded value of Auth.js", async () => {
    const value =
      "a4ee19fcb4dd837bf1d0ad116876a996d8b4eff76edf0dae9d42122cc26ca3b6|b8e601986a04751f47dfdb66f7ff820003d9f93f6d8efb3d6fa1f4163733ffda"
    const context = await posting(value, { csrfToken: value.slice(0, 64) }, { config: { secret: "s3cret" } })
    expect(await verifyCsrf(context)).toBe(true)
    const joined = `${"0".repeat(64)}|f1acdf77ccc51a84f1ed36d12d51476495ab0860e3520173b9d5dc97bc1caa54`
    expect(
      await verifyCsrf(await posting(joined, { csrfToken: "0".repeat(64) }, { config: { secret: ["new", "old"] } })),
    ).toBe(true)
  })

  it("does nothing when the protection is off", { tags: ["threat:CS-17"] }, async () => {
    const context = await contextOf(page, { config: { skipCSRFCheck: Symbol("skip-csrf-check") } })
    expect(await issueCsrf(context)).toStrictEqual({ cookies: [] })
  })
})

describe("verifyCsrf", () => {
  it("lets a form with the token of its cookie pass [spec authentication 8]", async () => {
    const { token, value } = await visit()
    expect(await verifyCsrf(await posting(value, { csrfToken: token }))).toBe(true)
    expect(await verifyCsrf(await posting(value, { csrfToken: token }, { now: later(20 * day) }))).toBe(true)
  })

  it("refuses a token without cookie, a cookie without token, and those of another browser", {
    tags: ["threat:CS-01", "threat:CS-02", "threat:CS-03"],
  }, async () => {
    const mine = await visit()
    const other = await visit()
    expect(await verifyCsrf(await posting("", { csrfToken: mine.token }))).toBe(false)
    expect(await verifyCsrf(await posting(mine.value, {}))).toBe(false)
    expect(await verifyCsrf(await posting(mine.value, { csrfToken: "" }))).toBe(false)
    expect(await verifyCsrf(await posting(mine.value, { csrfToken: other.token }))).toBe(false)
    expect(await verifyCsrf(await posting("", {}))).toBe(false)
  })

  it.each([
    `${token}|${"0".repeat(64)}`,
    `a|b|${"0".repeat(64)}`,
    `|${"0".repeat(64)}`,
    `${token}|`,
    token,
    "|",
    "ä|ö",
    "x".repeat(15_000),
    "x".repeat(1_048_576),
    `${token}|`.repeat(100),
  ])("refuses forged cookie %#", { tags: ["threat:CS-04", "threat:CS-05"] }, async (value) => {
    for (const csrfToken of [token, "", value, value.split("|")[0] ?? ""]) {
      expect(await verifyCsrf(await posting(value, { csrfToken }))).toBe(false)
    }
  })

  it("does not let secret and token change places in the form of Auth.js", { tags: ["threat:CS-04"] }, async () => {
    // The hash of "aa…a" + "b…" is that of "aa…ab" + "…" as well: only the length tells where the token ends.
    const short = "a".repeat(63)
    const value = `${short}|${await sha256Hex(`${short}${secret}`)}`
    expect(await verifyCsrf(await posting(value, { csrfToken: short }))).toBe(false)
    const long = `${token}${secret[0]}`
    expect(await verifyCsrf(await posting(`${long}|${await sha256Hex(token + secret)}`, { csrfToken: long }))).toBe(
      false,
    )
    expect(
      await verifyCsrf(
        await posting(await peerValue(token, "another secret of thirty-two chars"), { csrfToken: token }),
      ),
    ).toBe(false)
    expect(await verifyCsrf(await posting(await peerValue(token, ""), { csrfToken: token }))).toBe(false)
  })

  it("reads nothing but the whole form of Auth.js", { tags: ["threat:CS-04"] }, async () => {
    const whole = await peerValue(token, secret)
    expect(await verifyCsrf(await posting(whole, { csrfToken: token }))).toBe(true)
    expect(await verifyCsrf(await posting(`0${whole}`, { csrfToken: token }))).toBe(false)
    expect(await verifyCsrf(await posting(`${whole}0`, { csrfToken: token }))).toBe(false)
  })

  it("compares the whole token, wherever it differs", { tags: ["threat:CS-08"] }, async () => {
    const { token, value } = await visit()
    const charCodeAt = vi.spyOn(String.prototype, "charCodeAt")
    const looked = async (csrfToken: string): Promise<number> => {
      const context = await posting(value, { csrfToken })
      await read(context)
      charCodeAt.mockClear()
      expect(await verifyCsrf(context)).toBe(csrfToken === token)
      return charCodeAt.mock.calls.length
    }
    const read = (context: Context): Awaitable<unknown> => verifyCsrf(context)
    const other = (at: number): string => token.slice(0, at) + (token[at] === "0" ? "1" : "0") + token.slice(at + 1)
    const counts = [await looked(token), await looked(other(0)), await looked(other(63))]
    charCodeAt.mockRestore()
    expect(counts[0]).toBeGreaterThanOrEqual(128)
    expect(new Set(counts).size).toBe(1)
  })

  it.each([[["t"]], [{ t: 1 }], [1], [true], [null]])(
    "refuses the token %j",
    { tags: ["threat:CS-06"] },
    async (given) => {
      const { value, token } = await visit()
      const inside = JSON.parse(JSON.stringify(given).replace('"t"', JSON.stringify(token))) as unknown
      const body = JSON.stringify({ csrfToken: inside })
      const request = new Request("https://app.test/auth/signin", {
        method: "POST",
        body,
        headers: { ...cookie(value), "content-type": "application/json" },
      })
      expect(await verifyCsrf(await contextOf(request))).toBe(false)
    },
  )

  it("counts the last of several tokens, and that one alone", { tags: ["threat:CS-06", "threat:CT-16"] }, async () => {
    const { token, value } = await visit()
    const isLast = async (last: string, first: string): Promise<boolean> => {
      const body = `csrfToken=${first}&csrfToken=${last}`
      const headers = { ...cookie(value), "content-type": "application/x-www-form-urlencoded" }
      const request = new Request("https://app.test/auth/signin", { method: "POST", body, headers })
      return verifyCsrf(await contextOf(request))
    }
    expect([await isLast(token, "x"), await isLast("x", token), await isLast("", token)]).toEqual([true, false, false])
  })

  it("takes the token from the body alone", { tags: ["threat:CS-06", "threat:CS-07"] }, async () => {
    const { token, value } = await visit()
    const inQuery = post(`https://app.test/auth/signin?csrfToken=${token}`, {}, cookie(value))
    expect(await verifyCsrf(await contextOf(inQuery))).toBe(false)
    const inList = post("https://app.test/auth/signin", { "csrfToken[]": token }, cookie(value))
    expect(await verifyCsrf(await contextOf(inList))).toBe(false)
    const polluted = new Request("https://app.test/auth/signin", {
      method: "POST",
      body: `{"__proto__":{"csrfToken":"${token}"}}`,
      headers: { ...cookie(value), "content-type": "application/json" },
    })
    expect(await verifyCsrf(await contextOf(polluted))).toBe(false)
  })

  it("does not accept a cookie that was sealed for another purpose", {
    tags: ["threat:A-007", "threat:CS-04"],
  }, async () => {
    const { keyring } = settingsOf()
    for (const salt of [
      "__Secure-authjs.session-token",
      "__Secure-authjs.state",
      "authjs.csrf-token",
      "encodedState",
    ]) {
      const value = await seal({ csrfToken: token }, { keyring, salt, maxAge: 900, now: noon })
      expect(await verifyCsrf(await posting(value, { csrfToken: token }))).toBe(false)
    }
    const empty = await seal({ csrfToken: "" }, { keyring, salt: name, maxAge: 900, now: noon })
    expect(await verifyCsrf(await posting(empty, { csrfToken: "" }))).toBe(false)
  })

  it("reads only the cookie of its scheme", { tags: ["threat:CK-05", "threat:CK-07"] }, async () => {
    const request = post(
      "https://app.test/auth/signin",
      { csrfToken: token },
      { cookie: `authjs.csrf-token=${encodeURIComponent(await peerValue(token, secret))}` },
    )
    expect(await verifyCsrf(await contextOf(request))).toBe(false)
  })

  it("accepts what any listed secret made", { tags: ["threat:CS-30"] }, async () => {
    const old = "old-secret-old-secret-old-secret"
    const { token, value } = await visit({ secret: old })
    expect(await verifyCsrf(await posting(value, { csrfToken: token }, { config: { secret: [secret, old] } }))).toBe(
      true,
    )
    expect(await verifyCsrf(await posting(value, { csrfToken: token }, { config: { secret } }))).toBe(false)
    const peers = await peerValue(token, old)
    expect(await verifyCsrf(await posting(peers, { csrfToken: token }, { config: { secret: [secret, old] } }))).toBe(
      true,
    )
  })

  it("asks neither an integration nor an application that switched the protection off", async () => {
    const settings = settingsOf()
    const incoming = craftIncoming(
      { url: "https://app.test", headers: {} },
      { action: "signout", method: "POST" },
      settings,
    )
    expect(await verifyCsrf(createContext({ settings, incoming, now: noon }))).toBe(true)
    expect(await verifyCsrf(await posting("", {}, { config: { skipCSRFCheck: Symbol("skip-csrf-check") } }))).toBe(true)
    expect(await verifyCsrf(await posting("", {}, { config: { skipCSRFCheck: Symbol("other") } }))).toBe(false)
    expect(await verifyCsrf(await posting("", {}, { config: { raw: Symbol("return-type-raw") } }))).toBe(false)
  })
})

describe("verifyCsrf with a sender that an integration has determined", () => {
  const isVerified = async (sender: Sender | undefined, config: Partial<AuthConfig> = {}): Promise<boolean> => {
    const settings = settingsOf(config)
    const incoming = await readIncoming(post("https://app.test/auth/signout"), settings, sender)
    return verifyCsrf(createContext({ settings, incoming, now: noon }))
  }

  it("needs no token of what this application sent, and one of everything else", {
    tags: ["threat:CS-13"],
  }, async () => {
    expect(await isVerified("own")).toBe(true)
    expect(await isVerified("foreign")).toBe(false)
    expect(await isVerified("unknown")).toBe(false)
    expect(await isVerified(undefined)).toBe(false)
  })

  it("refuses what another site sent even where the token is switched off", { tags: ["threat:CS-17"] }, async () => {
    const config = { skipCSRFCheck: Symbol("skip-csrf-check") }
    expect(await isVerified("foreign", config)).toBe(false)
    expect(await isVerified("own", config)).toBe(true)
    expect(await isVerified("unknown", config)).toBe(true)
  })

  it("checks a call in this process like a request when its sender is given, by its token too", async () => {
    const { token, value } = await visit()
    const settings = settingsOf()
    const called = (sender: Sender, form: Record<string, string> = {}): Awaitable<boolean> => {
      const source = { url: "https://app.test", headers: cookie(value) }
      const incoming = craftIncoming(source, { action: "signout", method: "POST", form, sender }, settings)
      return verifyCsrf(createContext({ settings, incoming, now: noon }))
    }
    expect(await called("own")).toBe(true)
    expect(await called("foreign")).toBe(false)
    expect(await called("unknown")).toBe(false)
    expect(await called("unknown", { csrfToken: token })).toBe(true)
  })
})

describe("mayPassCsrf, asked before the body of a request is read", () => {
  const skipping = { skipCSRFCheck: Symbol("skip-csrf-check") }
  const mayPass = async (
    value: string | undefined,
    given: { sender?: Sender; config?: Partial<AuthConfig> } = {},
  ): Promise<boolean> => {
    const settings = settingsOf(given.config ?? {})
    const request = post("https://app.test/auth/signout", {}, value === undefined ? {} : { cookie: `${name}=${value}` })
    const incoming = await readIncoming(request, settings, given.sender)
    return mayPassCsrf(createContext({ settings, incoming, now: noon }))
  }

  it.each([
    ["no cookie", undefined, false],
    ["an empty cookie", "", false],
    ["a cookie", "x", true],
    ["a cookie of 2,048 characters", "x".repeat(2048), true],
    ["a longer cookie", "x".repeat(2049), false],
  ])("answers for %s", { tags: ["threat:CS-05"] }, async (_, value, expected) => {
    expect(await mayPass(value)).toBe(expected)
    expect(await mayPass(value, { sender: "unknown" })).toBe(expected)
  })

  it("needs no cookie of what this application sent, or where the token is switched off", {
    tags: ["threat:CS-13", "threat:CS-17"],
  }, async () => {
    expect(await mayPass(undefined, { sender: "own" })).toBe(true)
    expect(await mayPass(undefined, { config: skipping })).toBe(true)
    expect(await mayPass(undefined, { sender: "unknown", config: skipping })).toBe(true)
    expect(await mayPass("x", { sender: "foreign", config: skipping })).toBe(false)
  })
})

describe("explainCsrf", () => {
  it("names the cookie that did not come", async () => {
    expect(explainCsrf(await posting("", { csrfToken: token }))).toContain(`its cookie "${name}" is missing: browsers`)
  })

  it.each([
    [{}, "The form has no CSRF token."],
    [{ csrfToken: "" }, "The form has no CSRF token."],
    [{ csrfToken: token }, "The CSRF token does not match its cookie."],
  ])("says of the form %j what is wrong", async (form, expected) => {
    expect(explainCsrf(await posting("x", form as Record<string, string>))).toContain(expected)
  })

  it("names another origin before anything else", async () => {
    const settings = settingsOf()
    const incoming = await readIncoming(post("https://app.test/auth/signout"), settings, "foreign")
    expect(explainCsrf(createContext({ settings, incoming, now: noon }))).toBe(
      "A page of another origin sent the form.",
    )
  })
})

describe("renewCsrf", () => {
  it("makes a new token for a browser that had one", { tags: ["threat:CS-15"] }, async () => {
    const { token, value } = await visit()
    const [change] = await renewCsrf(await posting(value, { csrfToken: token }))
    expect(await verifyCsrf(await posting(sealedIn(change), { csrfToken: token }))).toBe(false)
    const next = await issueCsrf(await contextOf(new Request(page, { headers: cookie(sealedIn(change)) })))
    expect(next.token).not.toBe(token)
    expect(next.cookies).toEqual([])
  })

  it("creates none for a browser that had none, or if the protection is off", async () => {
    expect(await renewCsrf(await posting("", {}))).toEqual([])
    expect(await renewCsrf(await posting("x", {}, { config: { skipCSRFCheck: Symbol("skip-csrf-check") } }))).toEqual(
      [],
    )
  })
})
