/** Many people ask for a link in one browser, which has to remember that it asked, but not so much that servers refuse it. */
import { describe, expect, it } from "vitest"
import type { EmailConfig, Provider } from "../../src/types/provider.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { type Mail, makeWorld } from "../support/world.js"

async function open(more: Partial<EmailConfig> = {}) {
  const mails: Mail[] = []
  const provider = {
    ...{ id: "link", name: "Mail", type: "email", confirm: "other-browser" },
    sendVerificationRequest: (mail: Mail) => void mails.push(mail),
    ...more,
  }
  const checks = ["pkce", "state", "nonce"]
  const world = await makeWorld({ mail: false, provider: { checks }, more: [provider as unknown as Provider] })
  const browser = world.browser()
  const ask = async (email: string, callbackUrl = "/"): Promise<string> => {
    expect((await browser.post("/auth/signin/link", { email, callbackUrl })).status).toBe(302)
    const { pathname, search } = new URL(mails.at(-1)?.url ?? "")
    return pathname + search
  }
  const begin = async (callbackUrl: string): Promise<string> => {
    const { location = "" } = await browser.post("/auth/signin/op", { callbackUrl })
    return world.op.authorize(location).href
  }
  return { world, browser, ask, begin }
}

const inSlots = ({ jar }: TestBrowser): string[] => [...jar.keys()].filter((name) => /\.[\w-]{8}$/.test(name))
const header = ({ jar }: TestBrowser): string => [...jar].map(([name, { value }]) => `${name}=${value}`).join("; ")
const addressIn = async (browser: TestBrowser): Promise<unknown> =>
  ((await browser.session()) as { user: { email: string } } | null)?.user.email

describe("a browser in which sixty people ask for a link", () => {
  it("remembers the last five, and all links sign in", { tags: ["threat:CK-10"] }, async () => {
    const { browser, ask } = await open()
    const links: string[] = []
    for (let index = 0; index < 60; index += 1) {
      links.push(await ask(`person-${index}@app.test`))
      expect(inSlots(browser).length).toBeLessThanOrEqual(5)
      expect(header(browser).length).toBeLessThan(4000)
    }
    for (const index of [59, 55]) {
      await browser.get(links[index] ?? "")
      expect(await addressIn(browser)).toBe(`person-${index}@app.test`)
    }
    await browser.post("/auth/signout")
    const page = await browser.get(links[54] ?? "")
    expect([page.status, browser.cookie(sessionCookie)]).toEqual([200, undefined])
    await browser.post(links[54] ?? "")
    expect(await addressIn(browser)).toBe("person-54@app.test")
  })

  it("has cookies from before, of which it loses a few with every mail", { tags: ["threat:CK-10"] }, async () => {
    const { browser, ask } = await open()
    await ask("old@app.test")
    const [name = ""] = inSlots(browser)
    for (let index = 0; index < 28; index += 1) {
      browser.setCookie(name.replace(/.{8}$/, String(index).padStart(8, "0")), browser.cookie(name) ?? "")
    }
    for (const left of [22, 15, 8, 5]) {
      await ask(`new-${left}@app.test`)
      expect(inSlots(browser)).toHaveLength(left)
    }
  })

  it("says the names of a dozen slots at most in an answer", { tags: ["threat:CK-10"] }, async () => {
    const { browser } = await open()
    for (let index = 0; index < 200; index += 1) {
      browser.setCookie(`__Secure-authjs.state.${String(index).padStart(8, "0")}`, "x")
    }
    const { setCookies } = await browser.post("/auth/signin/link", { email: "ada@app.test" })
    expect(setCookies.filter((name) => /state\./.test(name))).toHaveLength(13)
  })
})

describe("a sign-in that is pending beside mails", () => {
  it("finishes, and so do three links in three tabs, each at once", { tags: ["threat:CK-10"] }, async () => {
    const { browser, ask, begin } = await open()
    const links = [await ask("a@app.test", "/a")]
    const older = await begin("/older")
    links.push(await ask("b@app.test", "/b"))
    const newer = await begin("/newer")
    links.push(await ask("c@app.test", "/c"))
    for (const [index, name] of [
      [1, "b"],
      [0, "a"],
      [2, "c"],
    ] as const) {
      expect((await browser.get(links[index] ?? "")).location).toBe(`https://app.test/${name}`)
      expect(await addressIn(browser)).toBe(`${name}@app.test`)
      await browser.post("/auth/signout")
    }
    for (const [flow, name] of [
      [older, "older"],
      [newer, "newer"],
    ] as const) {
      expect((await browser.get(flow)).location).toBe(`https://app.test/${name}`)
    }
  })

  it("finishes after sixty mails", { tags: ["threat:CK-10"] }, async () => {
    const { browser, ask, begin } = await open()
    const flows = [await begin("/0"), await begin("/1"), await begin("/2")]
    for (let index = 0; index < 60; index += 1) await ask(`person-${index}@app.test`)
    for (const [index, flow] of flows.entries()) {
      expect((await browser.get(flow)).location).toBe(`https://app.test/${index}`)
    }
  })

  it.each(["q", "&"])(
    "leaves room for other headers, where it has a long return address of %j, and mails long ones",
    {
      tags: ["threat:CK-10"],
    },
    async (character) => {
      const { world, browser, ask, begin } = await open({ normalizeIdentifier: (typed) => typed })
      const counted = (): number =>
        [...inSlots(browser), "__Secure-authjs.callback-url"].map((name) => browser.cookie(name) ?? "").join("").length
      const flows: string[] = []
      for (let round = 0; round < 4; round += 1) {
        for (let person = 0; person < 6; person += 1) {
          await ask(`${round}${person}${"\u4e00".repeat(240)}@app.test`)
          expect(counted()).toBeLessThanOrEqual(7000)
        }
        flows.push(await begin(round % 2 ? `/?${character.repeat(1200)}` : "/short"))
        expect(counted()).toBeLessThanOrEqual(7000)
      }
      expect((await browser.get(flows.at(-1) ?? "")).location).toContain("https://app.test/")
      expect((await browser.get(flows.at(-2) ?? "")).location).toBe("https://app.test/short")
      expect(world.errors).toEqual([])
    },
  )
})

it("a code that is mailed again lets the browser sign in at once", { tags: ["threat:CK-10"] }, async () => {
  const { browser, ask } = await open({ generateVerificationToken: () => "a code that is always the same" })
  for (const person of ["a", "b", "c", "d", "e"]) await ask(`${person}@app.test`)
  expect(inSlots(browser)).toHaveLength(5)
  await browser.get(await ask("a@app.test"))
  expect(await addressIn(browser)).toBe("a@app.test")
})
