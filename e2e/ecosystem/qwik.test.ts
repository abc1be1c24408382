/** `@auth/qwik` on our engine, in an application that Vite has built for Node. */

import type { TestProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Visit } from "../../packages/core/test/support/browser.js"
import { type Fixture, prepare } from "./support/fixture.js"
import { ada, comeAndGo, complaintsIn, environmentOf, readJson, startProvider, visit } from "./support/journey.js"
import { freeOrigin, type Served, serve } from "./support/process.js"

const basePath = "/auth"
/** Names its build gives its actions. */
const actions = { signIn: "xjVnyrcqS90", signOut: "ah1IDwV91Ag" }
let fixture: Fixture
let op: TestProvider
let app: Served

beforeAll(async () => {
  fixture = await prepare("qwik")
  fixture.use("latchkey")
  await fixture.command(["node_modules/.bin/vite", "build"])
  await fixture.command(["node_modules/.bin/vite", "build", "-c", "server.vite.config.ts"])
  const origin = await freeOrigin()
  op = await startProvider([origin], basePath)
  const env = environmentOf(op, origin)
  app = await serve(["node", "dist/server/entry.node.js"], { folder: fixture.folder, origin, env })
})
afterAll(async () => {
  await app?.stop()
  await op?.close()
})

describe("@auth/qwik", () => {
  it("compiles against our types", async () => {
    expect((await fixture.attempt(["node_modules/.bin/tsc"])).output).toBe("")
  })

  it("lets a person in through the certified provider, knows them, and lets them go", async () => {
    const browser = visit(app.origin, basePath)
    await comeAndGo(browser, { op, basePath, csrf: false }, () => readJson(browser, "/me"))
  })

  it("signs in and out by its actions, where a script asks", async () => {
    const browser = visit(app.origin, basePath)
    const act = (action: string, fields: Record<string, string>, headers = {}): Promise<Visit> =>
      browser.post(`/?qaction=${action}`, fields, { csrf: false, headers })
    const fields = { providerId: "certified", "options.redirectTo": "/?came=back" }
    // Without the header its action goes nowhere: it waits for JSON and gets a redirect, whatever the engine.
    expect((await act(actions.signIn, fields)).status).toBe(200)
    const gone = await act(actions.signIn, fields, { "x-auth-return-redirect": "1" })
    expect([gone.status, gone.location]).toEqual([301, expect.stringContaining(op.issuer)])
    await browser.get(await op.authorize(gone.location ?? ""))
    expect((await browser.get("/")).text).toContain(ada.name)
    await act(actions.signOut, { redirectTo: "/" })
    expect(await browser.session()).toBeNull()
  })

  it("complains of nothing", () => {
    expect(complaintsIn(app.output(), /csrf-disabled/)).toEqual([])
  })
})
