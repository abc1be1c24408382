/** How the demo starts where something is in its way. */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openChromium } from "../support/chromium.js"
import { startDemo } from "./support/demo.js"
import { Person } from "./support/person.js"

let browser: Browser
beforeAll(async () => {
  browser = await openChromium()
})
afterAll(() => browser?.close())

describe("the demo", () => {
  it("takes the next port when the wanted one is in use, and says so", async () => {
    const squatter = createServer().listen(3600, "127.0.0.1")
    await once(squatter, "listening")
    const data = await mkdtemp(join(tmpdir(), "latchkey-demo-"))
    const demo = await startDemo({ strategy: "jwt", data, port: 3600 })
    expect(demo.output()).toContain("http://localhost:3601  (port 3600 is taken)")
    const person = await Person.arrive(browser, "http://127.0.0.1:3601/mailbox")
    expect(new URL(person.page.url()).host).toBe("localhost:3601")
    await person.leave()
    await demo.stop()
    squatter.close()
    await rm(data, { recursive: true })
  }, 180_000)

  it("starts in a shell whose NODE_ENV is production, and lets people in at the identity provider", async () => {
    const data = await mkdtemp(join(tmpdir(), "latchkey-demo-"))
    const demo = await startDemo({ strategy: "jwt", data, port: 3650, nodeEnv: "production" })
    const person = await Person.arrive(browser, demo.origin)
    await person.openSignIn()
    await person.useIdentity("Grace Hopper")
    await person.headed("Hello, Grace Hopper")
    await person.leave()
    await demo.stop()
    await rm(data, { recursive: true })
  }, 180_000)
})
