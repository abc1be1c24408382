/** The page behind a link asks for confirmation before it signs in, and another site cannot confirm. */
import { describe, expect, it } from "vitest"
import { hashVerificationToken } from "../../src/crypto/token.js"
import type { Provider } from "../../src/types/provider.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie as session } from "../support/journeys.js"
import { type Mail, makeWorld, type WorldOptions, worldSecret } from "../support/world.js"

async function open(confirm: string, config: NonNullable<WorldOptions["config"]> = {}) {
  const mails: Mail[] = []
  const provider = {
    ...{ id: "mail", name: "Mail", type: "email", confirm },
    sendVerificationRequest: (mail: Mail) => void mails.push(mail),
  }
  const world = await makeWorld({ config: { ...config, providers: [provider as unknown as Provider] } })
  const linkFor = async (browser: TestBrowser, email: string): Promise<string> => {
    await browser.post("/auth/signin/mail", { email, callbackUrl: "/inside" }, { csrf: !config.skipCSRFCheck })
    const { pathname, search } = new URL(mails.at(-1)?.url ?? "")
    return pathname + search
  }
  return { world, linkFor }
}

/** What a browser posts when the button of the page is pressed. */
function pressed(text: string): { action: string; fields: Record<string, string> } {
  const unescaped = text.replaceAll("&amp;", "&")
  const [, action = ""] = /<form action="([^"]*)"/.exec(unescaped) ?? []
  const hidden = [...unescaped.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return { action, fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])) }
}

const addressIn = async (browser: TestBrowser): Promise<unknown> =>
  ((await browser.session()) as { user: { email: string } } | null)?.user.email

describe.each(["always", "other-browser"])("with confirm %j", (confirm) => {
  it("a page that posts the attacker's own link signs nobody in", { tags: ["threat:CS-11"] }, async () => {
    const { world, linkFor } = await open(confirm)
    const link = await linkFor(world.browser(), "mallory@evil.test")
    const victim = world.browser()
    for (const fields of [{}, { csrfToken: await world.browser().csrfToken() }]) {
      const visit = await victim.post(link, fields, { csrf: false })
      expect(visit.location).toContain("/auth/signin?error=Signin")
      expect(victim.cookie(session)).toBeUndefined()
    }
  })

  it("and does not replace the session of a signed-in user", { tags: ["threat:CS-11"] }, async () => {
    const { world, linkFor } = await open(confirm)
    const victim = world.browser()
    const { action, fields } = pressed((await victim.get(await linkFor(world.browser(), "victim@app.test"))).text)
    await victim.post(action, fields, { csrf: false })
    await victim.post(await linkFor(world.browser(), "mallory@evil.test"), {}, { csrf: false })
    expect(await addressIn(victim)).toBe("victim@app.test")
  })

  it("the button of the page signs in, also after refused requests", async () => {
    const { world, linkFor } = await open(confirm)
    const link = await linkFor(world.browser(), "ada@app.test")
    await world.browser().post(link, {}, { csrf: false })
    const browser = world.browser()
    const page = await browser.get(link)
    expect(browser.cookie(session)).toBeUndefined()
    const { action, fields } = pressed(page.text)
    const visit = await browser.post(action, fields, { csrf: false })
    expect(visit.location).toBe("https://app.test/inside")
    expect(await addressIn(browser)).toBe("ada@app.test")
  })
})

it("the button works where other protection replaces the token", async () => {
  const { world, linkFor } = await open("always", { skipCSRFCheck: Symbol("skip-csrf-check") })
  const browser = world.browser()
  const { action, fields } = pressed((await browser.get(await linkFor(world.browser(), "ada@app.test"))).text)
  expect(fields).toEqual({})
  await browser.post(action, fields, { csrf: false })
  expect(await addressIn(browser)).toBe("ada@app.test")
})

describe("text of a stranger in a link", () => {
  const prose = "your account, which was locked. Call +1 555 0100 and say your code"

  it.each([
    ["prose", prose],
    ["prose before an address", `${prose} ada@app.test`],
    ["prose behind a name for it", `"${prose}"@app.test`],
    ["other blanks", "your\u00a0account,\u2003locked@app.test"],
    ["two addresses", "ada@app.test@evil.test"],
    ["what only looks like an address", "ada\uff20app.test"],
  ])("is not on the page: %s", { tags: ["threat:HT-30"] }, async (_, email) => {
    const { world } = await open("other-browser")
    const query = new URLSearchParams({ token: "f".repeat(64), email })
    const { status, text } = await world.browser().get(`/auth/callback/mail?${query}`)
    expect([status, text]).toEqual([200, expect.stringContaining("<h1>Confirm it is you</h1>")])
    // The button posts the link itself, encoded.
    const shown = text.replaceAll(/<[^>]*>/g, " ")
    for (const word of ["account", "0100", "evil", "ada"]) expect(shown).not.toContain(word)
    expect(text).not.toContain("<bdi>")
  })

  it("stays off for a link that the application made itself, whose button works", async () => {
    const { world } = await open("always")
    const { createVerificationToken } = world.adapter
    const token = await hashVerificationToken("invitation", worldSecret)
    const expires = new Date(Date.now() + 60_000)
    await createVerificationToken?.({ identifier: "invited guest", token, expires })
    const browser = world.browser()
    const { action, fields } = pressed(
      (await browser.get("/auth/callback/mail?token=invitation&email=invited+guest")).text,
    )
    await browser.post(action, fields, { csrf: false })
    expect(await addressIn(browser)).toBe("invited guest")
  })

  it("is on it where it is an address, as long as one may be", async () => {
    const { world } = await open("other-browser")
    const email = `${"a".repeat(310)}@app.test`
    const { text } = await world.browser().get(`/auth/callback/mail?token=t&email=${email}`)
    expect(text).toContain(`<bdi><strong>${email}</strong></bdi>`)
  })
})
