/** `@auth/sveltekit` on our engine, in an application that Vite has built for Node: hooks, form actions, components, client. */

import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openChromium } from "../support/chromium.js"
import { arriveAt, Visitor } from "../support/visitor.js"
import { describeApplication } from "./support/application.js"
import type { Fixture } from "./support/fixture.js"
import { ada, complaintsIn, signIn } from "./support/journey.js"

let chromium: Browser

beforeAll(async () => {
  chromium = await openChromium()
})
afterAll(() => chromium?.close())

async function bySvelteCheck(fixture: Fixture): Promise<string> {
  const { output } = await fixture.attempt(["node_modules/.bin/svelte-check", "--output", "machine"])
  // The framework's own: it reads the types of another major of "cookie" than it brings, wherever that one stands
  // beside it.
  const own = /COMPLETED|START|node_modules\/@sveltejs\/kit\/types.*'Cookie(?:Parse|Serialize)Options'/
  expect(output).toContain("COMPLETED")
  return complaintsIn(output, own).join("\n")
}

const story = {
  framework: "@auth/sveltekit",
  folder: "auth-sveltekit",
  basePath: "/auth",
  build: [["node_modules/.bin/vite", "build"]],
  checkTypes: bySvelteCheck,
  start: ["node", "dist/app/index.js"],
  csrf: false,
  mayPrint: /^Listening|CredentialsSignin|csrf-disabled/,
}

describeApplication(story, (running) => {
  it("guards a page with its session", async () => {
    const browser = running().open()
    expect((await browser.get("/closed")).location).toContain("/auth/signin?callbackUrl=")
    await signIn(browser, running().place)
    expect((await browser.get("/closed")).text).toContain(`inside: ${ada.email}`)
  })

  it("signs in and out by the components and their form actions", async () => {
    const visitor = new Visitor(await arriveAt(chromium, `${running().origin}/`))
    await seen(visitor, "who", "nobody")
    await visitor.page.click("#enter button")
    await visitor.page.waitForURL(/came=back/)
    await seen(visitor, "who", ada.name)
    await visitor.page.click("#leave button")
    await seen(visitor, "who", "nobody")
    await visitor.leave()
  })

  it("signs in, refuses and signs out by the functions of the client", async () => {
    const visitor = new Visitor(await arriveAt(chromium, `${running().origin}/client`))
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
})

async function seen(visitor: Visitor, id: string, text: string): Promise<void> {
  await visitor.page.locator(`#${id}`, { hasText: text }).waitFor()
}
