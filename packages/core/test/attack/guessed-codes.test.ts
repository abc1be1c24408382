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
) {
  const links = { id: "links", name: "Links", type: "email", from: "app@app.test", sendVerificationRequest: () => {} }
  const mail = { ...links, id: "mail", name: "Mail", generateVerificationToken: () => token, ...more }
  const secret = randomBytes(32).toString("hex")
  const config = { secret, trustHost: true, adapter, session: { strategy }, providers: [mail, links] as never[] }
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

  it.each(["always", "other-browser"])(
    "is not forgotten to be guessed by the page that asks first (%s)",
    async (confirm) => {
      const browser = open("004711", { confirm })
      await browser().post("/auth/signin/mail", { email: ada })
      const thief = browser()
      let tried = 0
      for (let index = 0; index < 30; index += 1) {
        await thief.get(link("004711"))
        const answer = await thief.post(link(`00000${index}`), { email: `somebody-${index}@op.test` })
        if (answer.status !== 429) tried += 1
      }
      expect(tried).toBe(10)
    },
  )

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
