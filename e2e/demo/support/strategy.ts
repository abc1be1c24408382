/** The demo in a browser, as started by `npm start`, with one kind of sessions, and once more after a restart. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openChromium } from "../../support/chromium.js"
import { account } from "../journeys/account.js"
import { browsers } from "../journeys/browsers.js"
import { returning } from "../journeys/return.js"
import { waysIn } from "../journeys/ways-in.js"
import { openWorld } from "../journeys/world.js"
import { type Demo, startDemo } from "./demo.js"
import { Person } from "./person.js"

const journeys = [waysIn, account, returning, browsers]

/** Declares the tests of the demo with sessions of a strategy. It listens on a port of its own: files of tests run side by side. */
export function demoWith(strategy: "database" | "jwt", port: number): void {
  describe(`the demo with ${strategy} sessions`, () => {
    let browser: Browser
    let data: string
    let demo: Demo
    const world = openWorld(() => ({ browser, demo }), strategy)
    const declareJourneys = (): void => {
      for (const declare of journeys) declare(world)
    }

    beforeAll(async () => {
      browser = await openChromium()
      data = await mkdtemp(join(tmpdir(), "latchkey-demo-"))
      demo = await startDemo({ strategy, data, port })
    }, 180_000)
    afterAll(async () => {
      await demo?.stop()
      await browser?.close()
      await rm(data, { recursive: true, force: true })
    })

    it("tells what can be tried, without a warning", () => {
      expect(demo.output()).toContain(demo.origin)
      for (const way of ["Identity provider", "E-mail link", "Password", "Passkey", strategy])
        expect(demo.output()).toContain(way)
      expect(demo.output() + demo.errors()).not.toMatch(/warn|deprecat|unsupported|insecure|experimental/i)
    })

    describe("first start", declareJourneys)

    it("keeps people signed in over a restart", async () => {
      const stayed = await Person.arrive(browser, demo.origin)
      await stayed.openSignIn()
      await stayed.useIdentity("Ada Byron")
      await stayed.headed("Hello, Ada Byron")
      await demo.stop()
      demo = await startDemo({ strategy, data, port })
      await stayed.page.reload()
      await stayed.headed("Hello, Ada Byron")
      await stayed.leave({ mayComplain: /ERR_CONNECTION_REFUSED/ })
    }, 180_000)

    describe("after a restart", declareJourneys)

    it("stops with Ctrl-C, and has complained of nothing but what people did wrong", async () => {
      await demo.stop()
      expect(demo.output()).toMatch(/Stopping\.\s*$/)
      // Below each error is a line that leads to its explanation.
      const lines = demo.errors().split("\n").filter(Boolean)
      const complaints = lines.filter((line) => !line.startsWith("[auth][help] https://"))
      expect(complaints.map((line) => /^\[auth\]\[error\] (\w+): /.exec(line)?.[1] ?? line).sort()).toEqual([
        "CredentialsSignin",
        "InvalidProvider",
        "OAuthAccountNotLinked",
        "Verification",
        "WebAuthnVerificationError",
      ])
    })
  })
}
