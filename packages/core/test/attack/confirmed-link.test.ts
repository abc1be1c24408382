/** The page behind a link asks for confirmation before it signs in, and another site cannot confirm. */
import { describe, expect, it } from "vitest"
import type { Provider } from "../../src/types/provider.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie as session } from "../support/journeys.js"
import { type Mail, makeWorld, type WorldOptions } from "../support/world.js"

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
