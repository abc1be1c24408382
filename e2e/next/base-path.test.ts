/** An application of Next with a `basePath` in its next.config, as it is built and started. */
import type { TestProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ada, comeAndGo, environmentOf, readJson, signIn, startProvider, visit } from "../ecosystem/support/journey.js"
import { freeOrigin, type Served } from "../ecosystem/support/process.js"
import { build, start } from "./application.js"

const below = "/shop"
const basePath = `${below}/api/auth`

describe("Next 16 below a base path", () => {
  let op: TestProvider
  let app: Served

  beforeAll(async () => {
    const built = await build("16", below)
    expect(built.code, built.output).toBe(0)
    const origin = await freeOrigin()
    op = await startProvider([origin], basePath)
    const address = { AUTH_URL: `${origin}${basePath}`, BELOW: below }
    app = await start("16", origin, { ...environmentOf(op, origin), ...address })
  })
  afterAll(async () => {
    await app?.stop()
    await op?.close()
  })

  it("lets a person in, knows them in both routers, and lets them go", async () => {
    const browser = visit(app.origin, basePath)
    await comeAndGo(browser, { op, basePath }, async () => {
      const [first, second] = await Promise.all(
        ["me", "legacy"].map((name) => readJson<{ session: object | null }>(browser, `${below}/api/${name}`)),
      )
      expect(second?.session).toEqual(first?.session && { ...first.session, expires: expect.any(String) })
      return first?.session
    })
  })

  it("keeps the page behind the proxy shut, leads to the sign-in page inside, and back to the page", async () => {
    const browser = visit(app.origin, basePath)
    const refused = await browser.get(`${below}/closed?tab=2`)
    expect(refused.status).toBe(307)
    const address = new URL(refused.location ?? "")
    expect(address.pathname).toBe(`${basePath}/signin`)
    const back = new URL(address.searchParams.get("callbackUrl") ?? "", app.origin)
    expect(back.href).toBe(`${app.origin}${below}/closed?tab=2`)
    const page = await browser.get(address.pathname + address.search)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`action="${app.origin}${basePath}/signin/certified"`)
    await signIn(browser, { op, basePath })
    const opened = await browser.get(`${below}/closed`)
    expect(opened.text).toContain("inside")
    expect(opened.headers.get("cache-control")).toBe("private, no-store")
  })

  it("shows a person to the server components of the application", async () => {
    const browser = visit(app.origin, basePath)
    expect((await browser.get(below)).text).toContain("nobody")
    await signIn(browser, { op, basePath })
    expect((await browser.get(below)).text).toContain(ada.name)
  })
})
