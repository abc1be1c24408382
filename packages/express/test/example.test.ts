/** The example application, driven over HTTP as a person would. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { holdBody } from "../../../e2e/support/held-body.js"
import { type Front, type Listener, serveDirectly } from "./support/proxy.js"
import { type Answer, Visitor } from "./support/visitor.js"

const host = "localhost"
const origin = { origin: `http://${host}` }
const folder = mkdtempSync(join(tmpdir(), "latchkey-example-"))
let front: Front
let closeApp: () => Promise<void>

beforeAll(async () => {
  const file = new URL("../../../examples/express/app.js", import.meta.url).href
  const { createApp } = (await import(file)) as {
    createApp(parts: object): Promise<{ readonly app: Listener; close(): Promise<void> }>
  }
  const filename = join(folder, "app.db")
  const { app, close } = await createApp({ filename, secret: "a secret of more than 32 characters" })
  closeApp = close
  front = await serveDirectly(app)
}, 60_000)

afterAll(async () => {
  front?.close()
  await closeApp?.()
  rmSync(folder, { recursive: true, force: true })
})

const visit = (): Visitor => new Visitor({ front, host })

function enter(visitor: Visitor, fields: Record<string, string> = {}): Promise<Answer> {
  const form = { provider: "credentials", email: "ada@app.test", password: "analytical engine", ...fields }
  return visitor.ask("/signin", { form, headers: origin })
}

describe("the example on Express", { timeout: 60_000 }, () => {
  it("brings a stranger through sign-up to the protected page, and lets them change their name and leave", async () => {
    const visitor = visit()
    const refused = await visitor.ask("/secret")
    expect(refused.headers.location).toBe("/signin?error=SessionRequired&callbackUrl=%2Fsecret")
    const page = await visitor.ask(refused.headers.location ?? "")
    expect(page.text).toContain("Please sign in to see that page.")
    expect(page.text).toContain('name="callbackUrl" value="/secret"')

    const entered = await enter(visitor, { isNew: "on", callbackUrl: "/secret" })
    expect([entered.status, entered.headers.location]).toEqual([302, `http://${host}/secret`])
    expect((await visitor.ask("/secret")).text).toContain("ada@app.test")

    const saved = await visitor.ask("/profile", { form: { name: "Ada <b>Byron" }, headers: origin })
    expect(saved.headers.location).toBe("/profile")
    expect((await visitor.ask("/")).text).toContain("Hello, Ada &lt;b&gt;Byron.")

    const left = await visitor.ask("/signout", { form: {}, headers: origin })
    expect(left.headers.location).toBe(`http://${host}/`)
    expect((await visitor.ask("/")).text).toContain("Nobody is signed in")
    expect((await visitor.ask("/secret")).status).toBe(302)
  })

  it("tells who is known apart from who is not by the password alone", async () => {
    expect((await enter(visit())).status).toBe(302)
    for (const fields of [{ password: "wrong password" }, { email: "nobody@app.test" }]) {
      const answer = await enter(visit(), fields)
      expect(answer.status).toBe(401)
      expect(answer.text).toContain("Address or password are not right.")
    }
    for (const fields of [{}, { email: "none" }, { email: "new@app.test", password: "short" }])
      expect((await enter(visit(), { isNew: "on", ...fields })).text).toContain("That did not work")
  })

  it("changes nothing for a session that ended while the form was on its way", { tags: ["threat:SF-08"] }, async () => {
    const owner = visit()
    await enter(owner)
    const cookie = [...owner.cookies].map((pair) => pair.join("=")).join("; ")
    const headers = { ...origin, host, cookie }
    const finish = await holdBody({ port: front.port, path: "/profile", headers, form: { name: "Mallory" } })
    await owner.ask("/signout", { form: {}, headers: origin })
    expect(await finish()).toBe(403)
    await enter(owner)
    expect((await owner.ask("/")).text).not.toContain("Mallory")
  })

  it("changes nothing for other sites, and leads to none", async () => {
    const visitor = visit()
    await enter(visitor)
    for (const path of ["/profile", "/signout", "/signin"]) {
      const answer = await visitor.ask(path, { form: { name: "Mallory" }, headers: { origin: "http://evil.test" } })
      expect(answer.status).toBe(403)
    }
    expect((await visitor.ask("/secret")).status).toBe(200)
    const { headers } = await enter(visit(), { callbackUrl: "//evil.test" })
    expect(new URL(headers.location ?? "").host).toBe(host)
  })
})
