/** `@auth/sveltekit` on our engine, in an application that Vite has built for Node: hooks, form actions, components, client. */

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
  readJson,
  signIn,
  startProvider,
  visit,
} from "./support/journey.js"
import { freeOrigin, type Served, serve } from "./support/process.js"

const basePath = "/auth"
let fixture: Fixture
let chromium: Browser
let op: TestProvider
let app: Served

const open = (): TestBrowser => visit(app.origin, basePath)

beforeAll(async () => {
  chromium = await openChromium()
  fixture = await prepare("auth-sveltekit")
  fixture.use("latchkey")
  await fixture.command(["node_modules/.bin/vite", "build"])
  const origin = await freeOrigin()
  op = await startProvider([origin], basePath)
  app = await serve(["node", "dist/app/index.js"], { folder: fixture.folder, origin, env: environmentOf(op, origin) })
})
afterAll(async () => {
  await app?.stop()
  await chromium?.close()
  await op?.close()
})

describe("@auth/sveltekit", () => {
  it("compiles against our types, the declarations of the libraries included", async () => {
    const { output } = await fixture.attempt(["node_modules/.bin/svelte-check", "--output", "machine"])
    // The framework's own: it reads the types of another major of "cookie" than it brings, wherever that one stands beside it.
    const own = /COMPLETED|START|node_modules\/@sveltejs\/kit\/types.*'Cookie(?:Parse|Serialize)Options'/
    expect(output).toContain("COMPLETED")
    expect(complaintsIn(output, own)).toEqual([])
  }, 240_000)

  it("lets a person in through the certified provider, knows them, and lets them go", async () => {
    const browser = open()
    await comeAndGo(browser, { op, basePath, csrf: false }, () => readJson(browser, "/me"))
  })

  it("guards a page with its session", async () => {
    const browser = open()
    expect((await browser.get("/closed")).location).toContain("/auth/signin?callbackUrl=")
    await signIn(browser, { op, basePath, csrf: false })
    expect((await browser.get("/closed")).text).toContain(`inside: ${ada.email}`)
  })

  it("signs in and out by the components and their form actions", async () => {
    const visitor = new Visitor(await arriveAt(chromium, `${app.origin}/`))
    await seen(visitor, "who", "nobody")
    await visitor.page.click("#enter button")
    await visitor.page.waitForURL(/came=back/)
    await seen(visitor, "who", ada.name)
    await visitor.page.click("#leave button")
    await seen(visitor, "who", "nobody")
    await visitor.leave()
  })

  it("signs in, refuses and signs out by the functions of the client", async () => {
    const visitor = new Visitor(await arriveAt(chromium, `${app.origin}/client`))
    await visitor.page.waitForLoadState("networkidle")
    await visitor.page.click("#wrong")
    await seen(visitor, "answer", '"error":"CredentialsSignin","code":"credentials"')
    await visitor.page.click("#enter")
    await seen(visitor, "who", ada.name)
    await visitor.page.waitForLoadState("networkidle")
    await visitor.page.click("#leave")
    await seen(visitor, "who", "nobody")
    await visitor.leave({ mayComplain: /401/ })
  })

  it("complains of nothing but the wrong password", () => {
    expect(complaintsIn(app.output(), /^Listening|CredentialsSignin|csrf-disabled/)).toEqual([])
  })
})

async function seen(visitor: Visitor, id: string, text: string): Promise<void> {
  await visitor.page.locator(`#${id}`, { hasText: text }).waitFor()
}
