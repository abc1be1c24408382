/** A mail that cannot be sent, and a link that arrives changed: what people are shown, what is kept, and what works afterwards. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { sessionCookie } from "../support/journeys.js"
import { type Mail, makeWorld } from "../support/world.js"

const [known, unknown] = ["ada@app.test", "eve@app.test"]

const failures: readonly (readonly [string, () => unknown])[] = [
  ["refuses the connection", () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" }))],
  ["refuses the password", () => Promise.reject(Object.assign(new Error("535 no"), { code: "EAUTH" }))],
  ["does not know the mailbox", () => Promise.reject(Object.assign(new Error("550 unknown"), { responseCode: 550 }))],
  ["asks to come again", () => Promise.reject(Object.assign(new Error("451 later"), { responseCode: 451 }))],
  ["rejects with nothing", () => Promise.reject()],
  [
    "throws at once",
    () => {
      throw new Error("no")
    },
  ],
]

describe.each(failures)("a mail server that %s", (_, fail) => {
  it("is no news of who is known here, and its token opens nothing but the link of its own mail", {
    tags: ["threat:FM-01", "threat:FM-02", "threat:FM-04", "threat:FM-06"],
  }, async () => {
    const world = await makeWorld({ strategy: "database", adapter: memoryAdapter() })
    await world.signInByMail(world.browser(), known)
    const lost: Mail[] = []
    world.post.send = (mail) => {
      lost.push(mail)
      return fail()
    }
    const answers = []
    for (const email of [known, unknown]) {
      const browser = world.browser()
      const { status, location, setCookies, text } = await browser.post("/auth/signin/mail", { email })
      answers.push([status, location?.replace(/incident=\w+/, ""), [...setCookies].sort(), text])
      expect(browser.cookie(sessionCookie)).toBeUndefined()
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.[1]).toContain("/auth/signin?error=EmailSignin")
    expect(world.errors.map(({ name }) => name)).toEqual(["EmailSignInError", "EmailSignInError"])
    expect(await world.adapter.getUserByEmail?.(unknown)).toBeNull()
    delete world.post.send
    const browser = world.browser()
    await world.signInByMail(browser, unknown)
    expect(await browser.session()).toMatchObject({ user: { email: unknown } })
    const tokens = [...lost, ...world.mails].map(({ token }) => token)
    expect(new Set(tokens).size).toBe(tokens.length)
    // With another address it is nobody's.
    const stolen = new URL(lost[0]?.url ?? "")
    stolen.searchParams.set("email", unknown)
    expect((await world.browser().get(stolen.pathname + stolen.search)).location).toContain("error=Verification")
  })
})

describe("a link that a mail program has changed", { tags: ["threat:FM-09"] }, () => {
  it.each<[string, (url: string) => string]>([
    ["keeps the entities of HTML", (url) => url.replaceAll("&", "&amp;")],
    ["has a dot behind it", (url) => `${url}.`],
    ["has a bracket behind it", (url) => `${url}>`],
    ["was cut off", (url) => url.slice(0, -9)],
    ["keeps the line break of quoted-printable", (url) => url.replace("token=", "token=ab=%0D%0A")],
    ["keeps the signs of quoted-printable", (url) => url.replaceAll("=", "=3D")],
    ["is encoded twice", (url) => url.replaceAll("%", "%25")],
    ["has lost its parameters", (url) => url.slice(0, url.indexOf("?"))],
    ["names the address twice", (url) => `${url}&email=${encodeURIComponent(unknown)}`],
    ["is in capitals", (url) => url.replace(/token=\w+/, (text) => text.toUpperCase().replace("TOKEN", "token"))],
  ])("%s: is refused, and the whole one still works", async (_, change) => {
    const world = await makeWorld({ strategy: "database" })
    const browser = world.browser()
    await browser.post("/auth/signin/mail", { email: known })
    const whole = world.mails[0]?.url ?? ""
    const visit = await browser.get(change(whole))
    expect([visit.status, visit.location]).toEqual([302, "https://app.test/auth/error?error=Verification"])
    expect(browser.cookie(sessionCookie)).toBeUndefined()
    await browser.get(whole)
    expect(await browser.session()).toMatchObject({ user: { email: known } })
  })
})
