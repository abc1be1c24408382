/** `@latchkey/next` in a fresh application that Next has built: both routers, the proxy, server actions, the browser. */
import type { TestProvider } from "@latchkey/testing"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestBrowser } from "../../packages/core/test/support/browser.js"
import {
  ada,
  comeAndGo,
  complaintsIn,
  environmentOf,
  readJson,
  signIn,
  startProvider,
  visit,
} from "../ecosystem/support/journey.js"
import { type Finished, freeOrigin, type Served } from "../ecosystem/support/process.js"
import { agedToken } from "../guides/aged.js"
import { openChromium } from "../support/chromium.js"
import { arriveAt, Visitor } from "../support/visitor.js"
import { build, majors, start } from "./application.js"

const basePath = "/api/auth"
const sessionCookie = "authjs.session-token"
describe.each(majors)("Next %s", (major) => {
  let built: Finished
  let chromium: Browser
  let op: TestProvider
  let app: Served
  let secret: string

  beforeAll(async () => {
    built = await build(major)
    expect(built.code, built.output).toBe(0)
    chromium = await openChromium()
    const origin = await freeOrigin()
    op = await startProvider([origin], basePath)
    const env = environmentOf(op, origin)
    secret = env["AUTH_SECRET"] ?? ""
    app = await start(major, origin, env)
  })
  afterAll(async () => {
    await app?.stop()
    await chromium?.close()
    await op?.close()
  })

  const open = (): TestBrowser => visit(app.origin, basePath)

  describe("a fresh application of Next", () => {
    it("is built with its types checked, without a secret and without a complaint", () => {
      expect(built.output).toMatch(/TypeScript|Linting and checking validity of types/)
      expect(built.output).not.toMatch(/Skipping validation of types/)
      // Webpack, which Next 15 builds with, warns of what the edge runtime lacks and `jose` has for compressed tokens alone.
      const known = major === "15" ? /⚠ Compiled with warnings|A Node.js API is used \((?:Dec|C)ompressionStream/ : /^$/
      const lines = built.output.split("\n").filter((line) => !known.test(line))
      expect(lines.join("\n")).not.toMatch(/MissingSecret|warn|not supported/i)
    })

    it("lets a person in through the certified provider, knows them in both routers, and lets them go", async () => {
      const browser = open()
      const read = async (): Promise<unknown> => {
        const [first, second] = await Promise.all(
          ["/api/me", "/api/legacy"].map((path) => readJson<{ session: object | null }>(browser, path)),
        )
        expect(second?.session).toEqual(first?.session && { ...first.session, expires: expect.any(String) })
        const name = first?.session ? ada.name : "nobody"
        expect((await browser.get("/rendered")).text).toContain(name)
        expect((await browser.get("/")).text).toContain(name)
        return first?.session
      }
      await comeAndGo(browser, { op, basePath }, read)
    })

    it("types and reads what the session callback returns", async () => {
      const browser = open()
      await signIn(browser, { op, basePath })
      expect(await readJson(browser, "/api/me")).toMatchObject({ id: expect.any(String), session: { note: "" } })
    })

    it("keeps the page behind the proxy shut until somebody is signed in", async () => {
      const browser = open()
      const refused = await browser.get("/closed?tab=2")
      expect(refused.status).toBe(307)
      const address = new URL(refused.location ?? "")
      expect(address.pathname).toBe("/api/auth/signin")
      expect(new URL(address.searchParams.get("callbackUrl") ?? "", app.origin).href).toBe(`${app.origin}/closed?tab=2`)
      await signIn(browser, { op, basePath })
      const opened = await browser.get("/closed")
      expect(opened.text).toContain("inside")
      // Next has built the page ahead and would let a shared cache keep it for everybody.
      expect(opened.headers.get("cache-control")).toBe("private, no-store")
    })

    it.each(["/closed", "/api/me", "/api/legacy", "/rendered"])(
      "extends a session that is due where the response can carry the cookie: %s",
      async (path) => {
        const browser = open()
        browser.setCookie(
          sessionCookie,
          await agedToken({ secret, salt: sessionCookie, user: { sub: "1", name: "Ada" } }),
        )
        const due = await browser.get(path)
        expect(due.status, due.text).toBe(200)
        expect(due.setCookies).toContain(sessionCookie)
        expect(due.headers.get("cache-control")).toMatch(/private|no-store/)
        expect((await browser.get(path)).setCookies).not.toContain(sessionCookie)
      },
    )

    it("extends nothing in a server component, which cannot set a cookie", async () => {
      const browser = open()
      browser.setCookie(
        sessionCookie,
        await agedToken({ secret, salt: sessionCookie, user: { sub: "1", name: "Ada" } }),
      )
      const page = await browser.get("/")
      expect(page.text).toContain("Ada")
      expect(page.setCookies).toEqual([])
    })
  })

  describe("in a browser", () => {
    const see = async (visitor: Visitor, id: string, text: string): Promise<void> =>
      visitor.page.locator(`#${id}`, { hasText: text }).waitFor()

    it("server actions sign in, update and sign out", async () => {
      const visitor = new Visitor(await arriveAt(chromium, `${app.origin}/`))
      await see(visitor, "who", "nobody")
      await visitor.page.click("#enter")
      await visitor.page.waitForURL(/came=back/)
      await see(visitor, "who", ada.name)
      await visitor.page.click("#note")
      await visitor.page.waitForURL(/noted=written%20by%20the%20server/)
      await see(visitor, "who", `${ada.name} written by the server`)
      await visitor.page.click("#leave")
      await see(visitor, "who", "nobody")
      await visitor.leave()
    })

    it("a server action takes a password, and gets a wrong one as the error it is", async () => {
      const visitor = new Visitor(await arriveAt(chromium, `${app.origin}/`))
      await visitor.page.fill("[name=password]", "wrong")
      await visitor.page.click("#enter-by-password")
      await visitor.page.waitForURL(/refused=CredentialsSignin/)
      await visitor.page.fill("[name=password]", "open sesame")
      await visitor.page.click("#enter-by-password")
      await visitor.page.waitForURL(/by=password/)
      await see(visitor, "who", "Password Person")
      await visitor.leave()
    })

    it("two tabs show the same: signing out in one signs out the other, and each question is asked once", async () => {
      const visitor = new Visitor(await arriveAt(chromium, `${app.origin}/client`))
      const asked: string[] = []
      visitor.context.on("request", (request) => {
        if (new URL(request.url()).pathname === `${basePath}/session`) asked.push(request.method())
      })
      await see(visitor, "status", "unauthenticated")
      await visitor.page.click("#enter")
      await see(visitor, "who", ada.name)
      const { page: other } = await visitor.anotherTab()
      await other.locator("#who", { hasText: ada.name }).waitFor()
      asked.length = 0
      await visitor.page.click("#leave")
      await see(visitor, "status", "unauthenticated")
      await other.bringToFront()
      await other.locator("#status", { hasText: "unauthenticated" }).waitFor()
      // Long enough for a storm of requests to begin.
      await other.waitForTimeout(1500)
      for (const page of [visitor.page, other, visitor.page]) await page.bringToFront()
      await other.waitForTimeout(500)
      expect(asked.length, `requests for the session after signing out: ${asked.join(" ")}`).toBeLessThanOrEqual(2)
      await visitor.leave()
    })
  })

  it("the server has nothing to complain of", () => {
    expect(complaintsIn(app.output(), /CredentialsSignin|^▲|^- |✓/)).toEqual([])
  })
})
