import { describe, expect, it } from "vitest"
import { cookiesAfter, later, makeContext, type Surroundings, type TestContext } from "../../test/support/context.js"
import { combine } from "../adapters/combine.js"
import { memoryAdapter } from "../adapters/memory.js"
import type { VerificationTokenStore } from "../adapters/parts.js"
import { memoryRecords } from "../adapters/records.js"
import { createContext } from "../context/context.js"
import { open, seal } from "../crypto/jwe.js"
import type { CookieOption } from "../types/config.js"
import { openChallenge, sealChallenge, spendChallenge } from "./challenge.js"
import { sealCheck } from "./sealed.js"

const passkey = (id: string): object => ({ id, name: id, type: "webauthn" })
const config = { providers: [passkey("passkey"), passkey("other")] as never, experimental: { enableWebAuthn: true } }
const at = (given: Surroundings): TestContext =>
  makeContext({ action: "callback", provider: "passkey", config, ...given })
const registerData = { id: "u1", email: "ann@app.test", name: "Ann" }

describe("a challenge", () => {
  it.each([
    ["authentication", { challenge: "abc" }],
    ["registration", { challenge: "abc", registerData }],
  ])("opens as it was sealed: %s", async (_, challenge) => {
    const context = at({})
    const cookies = cookiesAfter(context, [await sealChallenge(context, challenge)])
    expect(await openChallenge(at({ cookies, now: later(800) }))).toEqual(challenge)
  })

  it("is sealed twice, the inner time for its ceremony", async () => {
    const context = at({})
    const { name } = context.cookies.webauthnChallenge
    const cookies = cookiesAfter(context, [await sealChallenge(context, { challenge: "abc", registerData })])
    const opening = { keyring: context.settings.jwt.keyring, now: context.now }
    const outer = await open(cookies[name] ?? "", { ...opening, salt: name })
    expect(outer.provider).toBe("passkey")
    const inner = await open(String(outer.value), { ...opening, salt: "encodedWebauthnChallenge" })
    expect(inner).toMatchObject({ challenge: "abc", registerData })
  })

  it.each([
    ["of another provider [A-003]", { provider: "other" }, undefined],
    ["fifteen minutes old", { now: later(915) }, undefined],
    ["that is missing", {}, {}],
  ])("is refused %s", { tags: ["threat:WO-02"] }, async (_, given, cookies) => {
    const context = at({})
    const made = cookiesAfter(context, [await sealChallenge(context, { challenge: "abc" })])
    await expect(openChallenge(at({ cookies: cookies ?? made, ...given }))).rejects.toMatchObject({
      type: "InvalidCheck",
    })
  })

  it.each([
    ["no token", async () => "abc"],
    ["a state [A-020]", (context: TestContext) => inner(context, "encodedState", { challenge: "abc" })],
    ["no challenge", (context: TestContext) => inner(context, "encodedWebauthnChallenge", {})],
    ["an empty challenge", (context: TestContext) => inner(context, "encodedWebauthnChallenge", { challenge: "" })],
  ])("is refused when its cookie holds %s", async (_, make) => {
    const context = at({})
    const change = await sealCheck(context, { role: "webauthnChallenge", value: await make(context) })
    const cookies = cookiesAfter(context, [change])
    await expect(openChallenge(at({ cookies }))).rejects.toMatchObject({ type: "InvalidCheck" })
  })
})

describe("what is sealed of a person for a visitor", () => {
  /** The length of the cookie, which opens as what was sealed. */
  const lengthFor = async (person: object, options: Partial<CookieOption> = {}): Promise<number> => {
    const own = { ...config, cookies: { webauthnChallenge: options } }
    const context = at({ config: own })
    const sealed = { challenge: "abc", registerData: person }
    const change = await sealChallenge(context, { ...sealed, isForVisitor: true })
    const cookies = cookiesAfter(context, [change])
    expect(await openChallenge(at({ config: own, cookies }))).toStrictEqual(sealed)
    return "value" in change ? change.value.length : 0
  }
  const email = "a@b.test"
  const nameOf = (bytes: number): string => "n".repeat(bytes - JSON.stringify({ email, name: "" }).length)

  it("has one length, up to 1,024 bytes, far below what browsers keep", { tags: ["threat:CK-22"] }, async () => {
    const usual = await lengthFor({ email })
    expect(usual).toBeLessThan(2900)
    expect(await lengthFor({ email, name: "n".repeat(300) })).toBe(usual)
    expect(await lengthFor({ email, name: "é".repeat(300) })).toBe(usual)
    expect(await lengthFor({ email, name: nameOf(1024) })).toBe(usual)
    expect(await lengthFor({ email, name: nameOf(1300) })).toBeGreaterThan(usual)
  })

  it("is not padded where the cookie has no room for that", { tags: ["threat:CK-22"] }, async () => {
    const usual = await lengthFor({ email }, { name: "n".repeat(900), options: { domain: "app.test" } })
    expect(usual).toBe(await lengthFor({ email }))
    const options = { path: `/${"p".repeat(2000)}` }
    expect(await lengthFor({ email }, { options })).toBeLessThan(1100)
  })

  it("is refused where it does not fit into the cookie: that request, and nobody else's", async () => {
    const person = { email, name: "n".repeat(2000) }
    const sealing = sealChallenge(at({}), { challenge: "abc", registerData: person, isForVisitor: true })
    await expect(sealing).rejects.toMatchObject({ type: "UnreadableRequest", status: 400 })
    await expect(sealing).rejects.toThrow('"name" has 2002 characters')
    const cookies = { webauthnChallenge: { options: { path: `/${"p".repeat(4000)}` } } }
    const drafts = [{ challenge: "abc" }, { challenge: "abc", registerData: { email }, isForVisitor: true }]
    for (const draft of drafts) {
      await expect(sealChallenge(at({ config: { ...config, cookies } }), draft)).rejects.toMatchObject({
        type: "InvalidConfiguration",
      })
    }
  })
})

it.each(["of its cookie", "of its ceremony"])(
  "a challenge whose seal is changed, %s, is refused",
  {
    tags: ["threat:WO-02"],
  },
  async (which) => {
    const context = at({})
    const { name } = context.cookies.webauthnChallenge
    const [made] = Object.values(
      cookiesAfter(context, [await sealChallenge(context, { challenge: "abc", registerData })]),
    )
    const swapped = (value: string, at: number): string =>
      value.slice(0, at) + (value[at] === "A" ? "B" : "A") + value.slice(at + 1)
    const opening = { keyring: context.settings.jwt.keyring, now: context.now, salt: name }
    const inside = String((await open(made ?? "", opening)).value)
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const changed =
        which === "of its cookie"
          ? { [name]: swapped(made ?? "", Math.floor((made ?? "").length * part)) }
          : cookiesAfter(context, [
              await sealCheck(context, {
                role: "webauthnChallenge",
                value: swapped(inside, Math.floor(inside.length * part)),
              }),
            ])
      await expect(openChallenge(at({ cookies: changed }))).rejects.toMatchObject({ type: "InvalidCheck" })
    }
  },
)

describe("the credentials that were offered", () => {
  it("are read as far as they are names", async () => {
    const context = at({})
    const value = await inner(context, "encodedWebauthnChallenge", {
      challenge: "abc",
      offered: ["one", 7, null, "two"],
    })
    const cookies = cookiesAfter(context, [await sealCheck(context, { role: "webauthnChallenge", value })])
    expect(await openChallenge(at({ cookies }))).toEqual({ challenge: "abc", offered: ["one", "two"] })
  })

  it("are left out where they are no list", async () => {
    const context = at({})
    const value = await inner(context, "encodedWebauthnChallenge", { challenge: "abc", offered: "one" })
    const cookies = cookiesAfter(context, [await sealCheck(context, { role: "webauthnChallenge", value })])
    expect(await openChallenge(at({ cookies }))).toStrictEqual({ challenge: "abc" })
  })
})

describe("a challenge that was answered", () => {
  it("is remembered for half an hour, by its provider", async () => {
    // Without transactions, whose functions would be those of the adapter itself.
    const { transaction, ...adapter } = memoryAdapter()
    expect(transaction).toBeDefined()
    const rows: object[] = []
    const createVerificationToken: typeof adapter.createVerificationToken = (row) => {
      rows.push(row)
      return adapter.createVerificationToken(row)
    }
    const withStore = {
      ...config,
      adapter: { ...adapter, createVerificationToken },
      session: { strategy: "jwt" },
    } as const
    await spendChallenge(at({ config: withStore }), "abc")
    await expect(spendChallenge(at({ config: withStore }), "abc")).rejects.toMatchObject({ type: "InvalidCheck" })
    await spendChallenge(at({ config: withStore, provider: "other" }), "abc")
    expect(rows.map((row) => "identifier" in row && row.identifier)).toEqual([
      "webauthn-challenge:passkey",
      "webauthn-challenge:passkey",
      "webauthn-challenge:other",
    ])
    expect(rows[0]).toHaveProperty("expires", later(1800))
  })

  describe("is refused at once while its row is taken out to be looked at, where no transaction hides that", () => {
    const opened = (more: object = {}) => {
      const { transaction, ...adapter } = memoryAdapter()
      // What an answer finds while another one has the row.
      const useVerificationToken = async (): Promise<null> => null
      return at({ config: { ...config, adapter: { ...adapter, useVerificationToken }, ...more } as never })
    }
    const next = ({ settings, now }: TestContext, incoming = opened().incoming) =>
      createContext({ settings, incoming, now })

    it("counted in the memory of the process", { tags: ["threat:WO-03"] }, async () => {
      const first = opened()
      await spendChallenge(first, "abc")
      await expect(spendChallenge(next(first), "abc")).rejects.toMatchObject({ type: "InvalidCheck" })
      await expect(spendChallenge(next(first), "def")).resolves.toBeUndefined()
    })

    it("counted in records, where the other answer came to another process", { tags: ["threat:WO-03"] }, async () => {
      const given = { records: memoryRecords(), limits: {} }
      await spendChallenge(opened(given), "abc")
      await expect(spendChallenge(opened(given), "abc")).rejects.toMatchObject({ type: "InvalidCheck" })
    })

    it("also where transactions do not cover the rows of tokens", { tags: ["threat:WO-03"] }, async () => {
      const verificationTokens: VerificationTokenStore = {
        createVerificationToken: async (row) => row,
        useVerificationToken: async () => null,
      }
      const adapter = combine(memoryAdapter(), { verificationTokens })
      expect(adapter.transaction).toBeDefined()
      const first = opened({ adapter })
      await spendChallenge(first, "abc")
      await expect(spendChallenge(next(first), "abc")).rejects.toMatchObject({ type: "InvalidCheck" })
    })

    it("but not for the same request, which may be tried again", async () => {
      const first = opened()
      for (let time = 0; time < 3; time += 1) await expect(spendChallenge(first, "abc")).resolves.toBeUndefined()
    })
  })

  it.each(["createVerificationToken", "useVerificationToken"])("is not remembered without %s", async (missing) => {
    const adapter = { ...memoryAdapter(), [missing]: undefined }
    const withStore = { ...config, adapter, session: { strategy: "jwt" } } as const
    await spendChallenge(at({ config: withStore as never }), "abc")
    await expect(spendChallenge(at({ config: withStore as never }), "abc")).resolves.toBeUndefined()
  })
})

async function inner(context: TestContext, salt: string, claims: Record<string, unknown>): Promise<string> {
  return seal(claims, { keyring: context.settings.jwt.keyring, salt, maxAge: 900, now: context.now })
}
