/** `next-auth` on our engine, in an application that Next has built: app and pages router, edge, proxy, browser. */

import type { TestProvider } from "@latchkey/testing"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestBrowser } from "../../packages/core/test/support/browser.js"
import { openChromium } from "../support/chromium.js"
import { arriveAt, Visitor } from "../support/visitor.js"
import { type Fixture, prepare } from "./support/fixture.js"
import {
  ada,
  comeAndGo,
  complaintsIn,
  environmentOf,
  goToProvider,
  readJson,
  signIn,
  startProvider,
  visit,
} from "./support/journey.js"
import { freeOrigin, type Served, serve } from "./support/process.js"

const basePath = "/api/auth"
let fixture: Fixture
let chromium: Browser
let op: TestProvider
let app: Served
/** One address; the engine behind it changes. */
let front: string
let moved: { latchkey: Served; authjs: Served }

async function build(engine: "latchkey" | "authjs"): Promise<void> {
  fixture.use(engine)
  await fixture.command(["node_modules/.bin/next", "build"], { BUILD_FOLDER: `dist/${engine}`, NODE_ENV: "production" })
}

async function start(engine: "latchkey" | "authjs", origin: string, env: Record<string, string> = {}): Promise<Served> {
  const command = ["node_modules/.bin/next", "start", "-H", "127.0.0.1", "-p", new URL(origin).port]
  const all = { ...environmentOf(op, origin), BUILD_FOLDER: `dist/${engine}`, ...env }
  return serve(command, { folder: fixture.folder, origin, env: all })
}

beforeAll(async () => {
  chromium = await openChromium()
  fixture = await prepare("next-auth")
  await build("authjs")
  await build("latchkey")
  const [own, left, right] = [await freeOrigin(), await freeOrigin(), await freeOrigin()]
  front = left
  op = await startProvider([own, front], basePath)
  const address = { AUTH_URL: `${front}${basePath}` }
  app = await start("latchkey", own)
  moved = { latchkey: await start("latchkey", left, address), authjs: await start("authjs", right, address) }
})
afterAll(async () => {
  await Promise.all([app?.stop(), moved?.latchkey.stop(), moved?.authjs.stop()])
  await chromium?.close()
  await op?.close()
})

describe("next-auth", () => {
  const open = (): TestBrowser => visit(app.origin, basePath)

  it("compiles against our types", async () => {
    const check = ["node_modules/.bin/tsc", "-p", "tsconfig.types.json", "--skipLibCheck", "false"]
    const { output } = await fixture.attempt(check)
    // Its own: it names a type it does not have, and one that React 19 has moved.
    const own = /^node_modules\/next-auth\/\w+\.d\.ts.*(?:'SignInAuthorizationParams'|'JSX')\.$/
    expect(complaintsIn(output, own)).toEqual([])
  })

  it("lets a person in through the certified provider, knows them everywhere, and lets them go", async () => {
    const browser = open()
    const read = async (): Promise<unknown> => {
      const answers = await Promise.all(
        ["/api/me", "/edge", "/api/legacy"].map((path) => readJson<{ session: object | null }>(browser, path)),
      )
      const [first, ...others] = answers.map(({ session }) => session)
      for (const other of others) expect(other).toEqual(first && { ...first, expires: expect.any(String) })
      return first
    }
    await comeAndGo(browser, { op, basePath }, read)
  })

  it("reads the token with `getToken`", async () => {
    const browser = open()
    await signIn(browser, { op, basePath })
    expect(await readJson(browser, "/api/me")).toMatchObject({ sub: expect.any(String), session: { user: {} } })
  })

  it("keeps the proxy's gate shut until somebody is signed in", async () => {
    const browser = open()
    const refused = await browser.get("/closed")
    expect(refused.location).toContain("/api/auth/signin?callbackUrl=")
    await signIn(browser, { op, basePath })
    expect((await browser.get("/closed")).text).toContain("inside")
  })

  it("answers scripts and shows our pages", async () => {
    const browser = open()
    expect(Object.keys(await readJson<object>(browser, `${basePath}/providers`))).toEqual(["certified", "credentials"])
    expect((await browser.get(`${basePath}/signin`)).text).toContain("Certified")
  })
})

describe("next-auth in a browser", () => {
  const see = async (visitor: Visitor, id: string, text: string): Promise<void> =>
    visitor.page.locator(`#${id}`, { hasText: text }).waitFor()

  it("signs in, updates and signs out by server actions", async () => {
    const visitor = new Visitor(await arriveAt(chromium, `${app.origin}/`))
    await see(visitor, "who", "nobody")
    await visitor.page.click("#enter")
    await visitor.page.waitForURL(/came=back/)
    await see(visitor, "who", ada.name)
    await visitor.page.click("#note")
    await visitor.page.waitForURL(/noted/)
    await see(visitor, "who", `${ada.name} written by the server`)
    await visitor.page.click("#leave")
    await see(visitor, "who", "nobody")
    await visitor.leave()
  })

  it("takes a password by a server action, and hands a wrong one over as the error it is", async () => {
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

  it("signs in, refuses, updates and signs out by the hooks and functions of the client", async () => {
    const visitor = new Visitor(await arriveAt(chromium, `${app.origin}/client`))
    await see(visitor, "status", "unauthenticated")
    await visitor.page.click("#wrong")
    await see(visitor, "answer", '"ok":false,"error":"CredentialsSignin","code":"credentials"')
    await visitor.page.click("#enter")
    await see(visitor, "who", ada.name)
    await visitor.page.click("#note")
    await see(visitor, "who", `${ada.name} written by the browser`)
    await visitor.page.click("#leave")
    await see(visitor, "status", "unauthenticated")
    await visitor.leave({ mayComplain: /401/ })
  })
})

describe.each([
  ["from Auth.js to Latchkey", "authjs", "latchkey"],
  ["from Latchkey back to Auth.js", "latchkey", "authjs"],
] as const)("an application of next-auth that moves %s", (_, before, after) => {
  let browser: TestBrowser
  let behind: "latchkey" | "authjs"
  const open = (): TestBrowser => {
    behind = before
    // The browser uses one address and does not notice which engine is behind it.
    return visit(front, basePath, (url) => url.replace(front, moved[behind].origin))
  }

  it("stands on the one and then on the other", async () => {
    // They answer differently where there is no session.
    const answers = { latchkey: 404, authjs: 400 }
    browser = open()
    expect((await browser.get(`${basePath}/nothing`)).status).toBe(answers[before])
    behind = after
    expect((await browser.get(`${basePath}/nothing`)).status).toBe(answers[after])
  })

  it("signs nobody out", async () => {
    browser = open()
    await signIn(browser, { op, basePath })
    const session = await browser.session()
    behind = after
    expect(await browser.session()).toEqual({ ...(session as object), expires: expect.any(String) })
    expect((await browser.get("/")).text).toContain(ada.name)
    await browser.post(`${basePath}/signout`)
    expect(await browser.session()).toBeNull()
  })

  it("lets those in who had set out before", async () => {
    browser = open()
    const back = await goToProvider(browser, { op, basePath })
    behind = after
    expect((await browser.get(back)).location).toBe(`${front}/?came=back`)
    expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
  })
})

describe("the servers of Next", () => {
  it("complain of nothing but what was wrong", () => {
    const greeting = /^(?:▲|✓|- (?:Local|Network):)|CredentialsSignin|UnknownAction/
    for (const { output } of [app, moved.latchkey]) expect(complaintsIn(output(), greeting)).toEqual([])
  })
})
