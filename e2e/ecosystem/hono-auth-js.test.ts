/** `@hono/auth-js` on our engine. */

import type { TestProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestBrowser } from "../../packages/core/test/support/browser.js"
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
import { type Finished, freeOrigin, type Served, serve } from "./support/process.js"

const basePath = "/auth"
let fixture: Fixture
let compiled: Finished
let op: TestProvider
let app: Served

const open = (): TestBrowser => visit(app.origin, basePath)

beforeAll(async () => {
  fixture = await prepare("hono-auth-js")
  fixture.use("latchkey")
  compiled = await fixture.attempt(["node_modules/.bin/tsc"])
  const origin = await freeOrigin()
  op = await startProvider([origin], basePath)
  app = await serve(["node", "dist/app.js"], { folder: fixture.folder, origin, env: environmentOf(op, origin) })
})
afterAll(async () => {
  await app?.stop()
  await op?.close()
})

describe("@hono/auth-js", () => {
  it("compiles against our types, the declarations of the libraries included", () => {
    expect(compiled.output).toBe("")
  })

  it("lets a person in through the certified provider, knows them, and lets them go", async () => {
    const browser = open()
    await comeAndGo(browser, { op, basePath }, () => readJson(browser, "/me"))
  })

  it("guards a page, and hands the token to what lies behind", async () => {
    const browser = open()
    expect((await browser.get("/closed")).status).toBe(401)
    await signIn(browser, { op, basePath })
    expect((await browser.get("/closed")).text).toBe(`inside: ${ada.name}`)
  })

  it("takes a password, and refuses a wrong one", async () => {
    const browser = open()
    const refused = await browser.post("/auth/callback/credentials", { password: "wrong" })
    expect(refused.location).toMatch(/error=CredentialsSignin&code=credentials/)
    await browser.post("/auth/callback/credentials", { password: "open sesame" })
    expect(await readJson(browser, "/me")).toMatchObject({ user: { name: "Password Person" } })
  })

  it("is loaded by `require` as well", async () => {
    const { code, output } = await fixture.attempt(["node", "-p", "typeof require('@hono/auth-js').authHandler"])
    expect([code, output.trim()]).toEqual([0, "function"])
  })

  it("complains of nothing but the wrong password", () => {
    expect(complaintsIn(app.output())).toEqual([])
  })
})
