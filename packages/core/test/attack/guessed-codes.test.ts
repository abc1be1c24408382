/** Applications that mail short codes in place of links: a code must not be found by trying. */
import { createHash, randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import { openBrowser, type TestBrowser } from "../support/browser.js"

const ada = "ada@op.test"

/** Mails `token` to whoever asks; a second provider, `links`, mails tokens of the service. */
function open(
  token: string,
  more: object = {},
  strategy: "jwt" | "database" = "jwt",
  adapter: Adapter = memoryAdapter(),
  others: object = {},
) {
  const links = { id: "links", name: "Links", type: "email", from: "app@app.test", sendVerificationRequest: () => {} }
  const mail = { ...links, id: "mail", name: "Mail", generateVerificationToken: () => token, ...more }
  const secret = randomBytes(32).toString("hex")
  const config = {
    secret,
    trustHost: true,
    adapter,
    session: { strategy },
    providers: [mail, links] as never[],
    ...others,
  }
  const auth = createAuth(config, { env: { NODE_ENV: "production" } })
  return () => openBrowser(auth.handle)
}

const link = (token: string, email = ada, provider = "mail"): string =>
  `/auth/callback/${provider}?${new URLSearchParams({ callbackUrl: "https://app.test/", token, email })}`
const follow = async (browser: TestBrowser, token: string): Promise<number> => (await browser.get(link(token))).status

describe("a mailed code", { tags: ["threat:V6-06"] }, () => {
  it("is refused after ten wrong ones, in every browser", async () => {
    const browser = open("004711")
    await browser().post("/auth/signin/mail", { email: ada })
    const thief = browser()
    for (let index = 0; index < 10; index += 1) expect(await follow(thief, `00000${index}`)).toBe(302)
    expect(await follow(browser(), "004711")).toBe(429)
    expect(await follow(thief, "004711")).toBe(429)
    expect(await thief.session()).toBeNull()
    expect((await thief.get(link("000000", "grace@op.test"))).status).toBe(302)
  })

  // Where the page depends on the browser, it counts itself.
  it.each([
    ["always", 10],
    ["other-browser", 5],
  ])("is not forgotten to be guessed by the page that asks first (%s)", async (confirm, expected) => {
    const browser = open("004711", { confirm })
    await browser().post("/auth/signin/mail", { email: ada })
    const thief = browser()
    let tried = 0
    for (let index = 0; index < 30; index += 1) {
      await thief.get(link("004711"))
      const answer = await thief.post(link(`00000${index}`), { email: `somebody-${index}@op.test` })
      if (answer.status !== 429) tried += 1
    }
    expect(tried).toBe(expected)
  })

  describe('which the thief asked for, with `confirm: "other-browser"`', () => {
    /** The cookie of the browser that asked for the mail: with the right code, no page would ask to confirm. */
    const asking = async (config: object = {}) => {
      const browser = open("0471", { confirm: "other-browser" }, "jwt", memoryAdapter(), config)
      const thief = browser()
      await thief.post("/auth/signin/mail", { email: ada })
      return { browser, thief }
    }
    const codes = Array.from({ length: 30 }, (_, at) => `04${at + 60}`)

    it("is not found by the page that asks, which counts", async () => {
      const { thief } = await asking()
      const statuses: number[] = []
      for (const code of codes) statuses.push(await follow(thief, code))
      expect(statuses).toEqual(codes.map((_, at) => (at < 10 ? 200 : 429)))
      expect(await thief.session()).toBeNull()
    })

    it("is not found by the cookies that a refusal clears: without the token of forms, or after too many tries", async () => {
      const { browser, thief } = await asking()
      const cleared = async (answer: Promise<{ setCookies: readonly string[]; status: number }>) => {
        const { setCookies, status } = await answer
        return [status, setCookies.filter((name) => name.includes("state"))]
      }
      const forged = { csrf: false, headers: { "sec-fetch-site": "cross-site" } }
      for (const code of ["0470", "0471"]) expect(await cleared(thief.post(link(code), {}, forged))).toEqual([302, []])
      const stranger = browser()
      for (let index = 0; index < 10; index += 1) await stranger.post(link(`999${index}`))
      for (const code of ["0470", "0471"]) expect(await cleared(thief.get(link(code)))).toEqual([429, []])
    })

    it.each([
      ["at other addresses", (code: string, at: number) => link(code, `x${at}@nobody.test`)],
      ["at no address", (code: string) => `/auth/callback/mail?token=${code}`],
      [
        "at an address that is too long",
        (code: string, at: number) => link(code, `${"x".repeat(400)}${at}@nobody.test`),
      ],
      ["at another provider", (code: string, at: number) => link(code, `x${at}@nobody.test`, "links")],
    ])("is not found by guesses %s, which nobody counts at the person", async (_, guess) => {
      const { thief } = await asking()
      const answers = new Set<string>()
      for (const [at, code] of codes.entries()) {
        const { status, setCookies } = await thief.get(guess(code, at))
        answers.add(JSON.stringify([status, setCookies.filter((name) => name.includes("state"))]))
      }
      expect(answers.size).toBe(1)
      expect(await thief.session()).toBeNull()
      expect(await follow(thief, "0471")).toBe(302)
    })

    it("is not found where the limits themselves fail", async () => {
      const address = () => {
        throw new Error("no such header")
      }
      const { thief } = await asking({ limits: { address } })
      const cleared = async (code: string) => (await thief.get(link(code))).setCookies
      expect([await cleared("0470"), await cleared("0471")]).toEqual([[], []])
    })

    it("signs its browser in, though another one has looked at the page", async () => {
      const { browser, thief: owner } = await asking()
      expect(await follow(browser(), "0471")).toBe(200)
      expect(await follow(owner, "0471")).toBe(302)
      expect(await owner.session()).toMatchObject({ user: { email: ada } })
    })
  })

  it("is counted as well where another provider of the application mails links", async () => {
    const browser = open("004711")
    await browser().post("/auth/signin/mail", { email: ada })
    const thief = browser()
    for (let index = 0; index < 10; index += 1) await thief.get(link(`00000${index}`, ada, "links"))
    expect((await thief.get(link("004711", ada, "links"))).status).toBe(429)
    expect(await thief.session()).toBeNull()
    expect(await follow(thief, "004711")).toBe(429)
  })

  it("signs in at once after some wrong ones, which are forgotten", async () => {
    const browser = open("004711")
    const own = browser()
    for (let round = 0; round < 2; round += 1) {
      await own.post("/auth/signin/mail", { email: ada })
      for (let index = 0; index < 9; index += 1) await follow(own, `00000${index}`)
      expect(await follow(own, "004711")).toBe(302)
      expect(await own.session()).toMatchObject({ user: { email: ada } })
    }
  })
})

it.each([
  ["a token of the service", { generateVerificationToken: undefined }, "a".repeat(64)],
  ["a long token of the application", {}, "a".repeat(19)],
])("%s is never slowed by wrong ones", async (_, more, wrong) => {
  const browser = open("b".repeat(19), more)
  for (let index = 0; index < 15; index += 1) expect(await follow(browser(), wrong)).toBe(302)
})

it.each(["jwt", "database"] as const)(
  "a mailed code cannot be found from the names of cookies that whoever asks gets, with sessions of %s",
  { tags: ["threat:V6-06"] },
  async (strategy) => {
    const browser = open("004711", { confirm: "other-browser" }, strategy)
    const asked = await browser().post("/auth/signin/mail", { email: ada })
    const shown = asked.headers.getSetCookie().map((line) => line.split("=", 1)[0] ?? "")
    expect(shown).toContainEqual(expect.stringMatching(/\.state\.[\w-]{8}$/))
    const digests = ["sha256", "sha1", "sha512", "md5"].flatMap((kind) => {
      const digest = createHash(kind).update("004711").digest()
      return [digest.toString("base64url"), digest.toString("hex")].map((text) => text.slice(0, 8))
    })
    expect(shown.filter((name) => digests.some((digest) => name.includes(digest)))).toEqual([])
    // Another application that mails the same code: its cookie has another name.
    const elsewhere = await open("004711", { confirm: "other-browser" }, strategy)().post("/auth/signin/mail", {
      email: ada,
    })
    expect(elsewhere.headers.getSetCookie().map((line) => line.split("=", 1)[0])).not.toEqual(shown)
  },
)

it("a code is counted where the store fails when there is no such token", { tags: ["threat:V6-06"] }, async () => {
  const memory = memoryAdapter()
  const browser = open("004711", {}, "jwt", {
    ...memory,
    async useVerificationToken(given) {
      const row = await memory.useVerificationToken(given)
      if (!row) throw new Error("Record to delete does not exist.")
      return row
    },
  })
  await browser().post("/auth/signin/mail", { email: ada })
  const thief = browser()
  for (let index = 0; index < 10; index += 1) expect(await follow(thief, `00000${index}`)).toBe(302)
  expect(await follow(thief, "004711")).toBe(429)
})
