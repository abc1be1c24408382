/** The example application as its README says: built, started, and used by a person. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openChromium } from "../support/chromium.js"
import { holdBody } from "../support/held-body.js"
import { type Application, inPlace } from "./support/fixture.js"
import { Guest } from "./support/guest.js"
import { freePort } from "./support/port.js"
import { type Running, start } from "./support/server.js"

describe("the SvelteKit example", () => {
  let application: Application
  let browser: Browser
  let running: Running
  let data: string

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "latchkey-example-"))
    application = await inPlace("examples/sveltekit")
    await application.runs("svelte-kit", ["sync"])
    await application.runs("vite", ["build"])
    browser = await openChromium()
    running = await start(application, "oidc", ({ op }) => ({
      DATABASE: join(data, "app.db"),
      AUTH_OIDC_ISSUER: op.issuer,
      AUTH_OIDC_ID: op.clientId,
      AUTH_OIDC_SECRET: op.clientSecret,
      AUTH_OIDC_NAME: "Example Inc.",
    }))
  }, 600_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    await rm(data, { recursive: true, force: true })
  })

  it("lets a person in by password, back to the page that asked, and changes their name", async () => {
    const guest = await Guest.arrive(browser, running)
    await guest.headed("Nobody is signed in")
    await guest.clickLink("Protected")
    await guest.headed("Sign in")
    await guest.page.waitForLoadState("networkidle")
    await guest.types("Sign in", { email: "ada@example.test", password: "wrong" })
    await guest.page.getByRole("alert").waitFor()
    await guest.picture("example-signin")
    await guest.types("Sign in", { email: "ada@example.test", password: "analytical-engine-1843" })
    await guest.headed("Behind the door")
    await guest.page.waitForLoadState("networkidle")
    await guest.clickLink("Profile")
    await guest.headed("Your profile")
    await guest.page.getByLabel("Name").fill("Ada Lovelace")
    await guest.clickButton("Save")
    await guest.page.getByRole("status").waitFor()
    expect(await guest.page.getByLabel("Name").inputValue()).toBe("Ada Lovelace")
    await guest.picture("example-profile")
    await guest.clickLink("Latchkey")
    await guest.headed("Hello, Ada Lovelace")
    await guest.clickLink("Sign out")
    await guest.headed("Sign out?")
    await guest.clickButton("Sign out")
    await guest.headed("Nobody is signed in")
    await guest.leave({ mayComplain: /401/ })
  })

  it("lets a person in by the identity provider that the surroundings name, without JavaScript as well", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const guest = await Guest.arrive(browser, running, { javaScriptEnabled })
      await guest.page.goto(`${running.home}/protected`)
      await guest.headed("Sign in")
      await guest.clickButton("Continue with Example Inc.")
      await guest.headed("Behind the door")
      await guest.sees("ada@op.example")
      await guest.leave()
    }
  })

  it("changes nothing for a session that ended while the form was on its way", async () => {
    const { origin, port } = new URL(running.home)
    const headers = { accept: "text/html", origin }
    const send = (path: string, fields: Record<string, string>, cookie = ""): Promise<Response> =>
      fetch(origin + path, {
        method: "POST",
        headers: { ...headers, cookie },
        body: new URLSearchParams(fields),
        redirect: "manual",
      })
    const fields = { providerId: "credentials", email: "ada@example.test", password: "analytical-engine-1843" }
    const cookie = (await send("/signin", fields)).headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ")
    const form = { name: "Mallory" }
    const hold = () => holdBody({ port: Number(port), path: "/profile", headers: { ...headers, cookie }, form })
    expect(await (await hold())()).toBe(200)
    const finish = await hold()
    await send("/signout", {}, cookie)
    expect(await finish()).toBe(303)
  })

  it("knows nobody whose password anybody can read, where it is reached from elsewhere", async () => {
    const port = await freePort()
    const ORIGIN = "https://app.example"
    const variables = { DATABASE: join(data, "elsewhere.db"), PORT: String(port), ORIGIN, AUTH_URL: ORIGIN }
    const elsewhere = await start(application, "oidc", () => variables)
    const page = `http://localhost:${port}/signin`
    expect(await (await fetch(page)).text()).not.toContain("analytical-engine")
    const fields = { providerId: "credentials", email: "ada@example.test", password: "analytical-engine-1843" }
    const answer = await fetch(page, {
      method: "POST",
      headers: { accept: "text/html", origin: ORIGIN },
      body: new URLSearchParams(fields),
      redirect: "manual",
    })
    expect(answer.status).toBe(401)
    await elsewhere.stop()
  })

  it("passes svelte-check", async () => {
    const said = await application.runs("svelte-check", ["--tsconfig", "./tsconfig.json", "--fail-on-warnings"])
    expect(said).toContain("found 0 errors and 0 warnings")
  }, 300_000)
})
