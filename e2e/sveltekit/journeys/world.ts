/** One row of the matrix: builds the application, starts it, and lets the journeys run in a browser. */
import type { Browser, BrowserContextOptions } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openChromium } from "../../support/chromium.js"
import { type Application, type Build, prepare } from "../support/fixture.js"
import { Guest } from "../support/guest.js"
import { type Running, start } from "../support/server.js"

/** What journeys use. */
export interface World {
  readonly application: Application
  readonly running: Running
  readonly strategy: Strategy
  /** A path of the application with its base path before it. */
  at(path: string): string
  arrive(options?: BrowserContextOptions): Promise<Guest>
  /** An address nobody has used. */
  freshAddress(): string
}

/** How sessions are kept. */
export type Strategy = "database" | "jwt"

/** A row: what is built, how sessions are kept, and which journeys are made. */
export interface Row extends Build {
  readonly strategy: Strategy
  /** Whether the types are checked as well: once for each major version of Svelte and of SvelteKit. */
  readonly isChecked?: boolean
  readonly journeys: readonly ((world: () => World) => void)[]
}

/** What the application says of itself when somebody was refused, or says whenever it starts. */
const expected =
  /^(?:Listening on .*|\[auth\] (?:WrongPassword: |MissingCSRF: .*|experimental-webauthn)|\[app\] WrongPassword: )$/
/** Lines of a build that list files, whatever these are called. */
const listed = /^\.svelte-kit\/|kB/

/** Registers a row. */
export function row(name: string, { isChecked = false, journeys, strategy, ...build }: Row): void {
  describe(name, () => {
    let browser: Browser
    let world: World
    let built: string

    beforeAll(async () => {
      const application = await prepare(build)
      await application.runs("svelte-kit", ["sync"])
      built = await application.runs("vite", ["build"])
      browser = await openChromium()
      const running = await start(application, "op", ({ mailbox, op }) => ({
        STRATEGY: strategy,
        OP_ISSUER: op.issuer,
        OP_CLIENT_ID: op.clientId,
        OP_CLIENT_SECRET: op.clientSecret,
        SMTP_SERVER: mailbox.server,
      }))
      let count = 0
      world = {
        application,
        running,
        strategy,
        at: (path) => `${application.base}${path}`,
        arrive: (options) => Guest.arrive(browser, running, options),
        freshAddress: () => `guest${++count}@mail.test`,
      }
    }, 600_000)
    afterAll(async () => {
      await browser?.close()
      await world?.running.stop()
    })

    it("is built without a secret, and without a warning", () => {
      expect(
        built.split("\n").filter((line) => !listed.test(line) && /warn|error|deprecat|secret/i.test(line)),
      ).toEqual([])
    })

    if (isChecked)
      it("passes svelte-check", async () => {
        const said = await world.application.runs("svelte-check", [
          "--tsconfig",
          "./tsconfig.json",
          "--fail-on-warnings",
        ])
        expect(said).toContain("found 0 errors and 0 warnings")
      }, 300_000)

    for (const journey of journeys) journey(() => world)

    it("has complained of nothing but refusals", () => {
      const lines = world.running.said().split("\n").filter(Boolean)
      expect(lines.filter((line) => !expected.test(line))).toEqual([])
    })
  })
}
