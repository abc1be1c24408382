/** `@auth/express` on our engine. */

import type { TestProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestBrowser } from "../../packages/core/test/support/browser.js"
import { type Fixture, prepare } from "./support/fixture.js"
import { comeAndGo, complaintsIn, environmentOf, readJson, signIn, startProvider, visit } from "./support/journey.js"
import { type Finished, freeOrigin, type Served, serve } from "./support/process.js"

const basePath = "/auth"
let fixture: Fixture
let compiled: Finished
let op: TestProvider
let app: Served

const open = (): TestBrowser => visit(app.origin, basePath)

beforeAll(async () => {
  fixture = await prepare("auth-express")
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

describe("@auth/express", () => {
  it("compiles against our types, the declarations of the libraries included", () => {
    expect(compiled.output).toBe("")
  })

  it("lets a person in through the certified provider, knows them, and lets them go", async () => {
    const browser = open()
    await comeAndGo(browser, { op, basePath }, () => readJson(browser, "/me"))
  })

  it("guards a page with its session", async () => {
    const browser = open()
    expect((await browser.get("/closed")).status).toBe(401)
    await signIn(browser, { op, basePath })
    expect((await browser.get("/closed")).text).toBe("inside")
  })

  it("shows our pages, with every provider of the configuration", async () => {
    const { status, text } = await open().get("/auth/signin")
    expect(status).toBe(200)
    for (const words of ["Certified", "Credentials", "Password"]) expect(text).toContain(words)
  })

  it("takes a password from a form and from a script, and refuses a wrong one", async () => {
    const browser = open()
    const refused = await browser.post("/auth/callback/credentials", { password: "wrong" })
    expect(refused.location).toMatch(/error=CredentialsSignin&code=credentials/)
    const answer = await browser.post(
      "/auth/callback/credentials",
      { password: "open sesame", callbackUrl: "/closed" },
      { json: true, headers: { "x-auth-return-redirect": "1" } },
    )
    expect(JSON.parse(answer.text)).toEqual({ url: `${app.origin}/closed` })
    expect(await readJson(browser, "/me")).toMatchObject({ user: { name: "Password Person", id: "7" } })
  })

  it("complains of nothing but the wrong password", () => {
    expect(complaintsIn(app.output())).toEqual([])
  })
})
