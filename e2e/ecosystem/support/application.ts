/** What is the same for the application of every framework: it is built on our engine, compiles, signs a person in and out, and logs no error. */

import type { TestProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestBrowser } from "../../../packages/core/test/support/browser.js"
import { type Fixture, prepare } from "./fixture.js"
import { comeAndGo, complaintsIn, environmentOf, type Place, readJson, startProvider, visit } from "./journey.js"
import { freeOrigin, type Served, serve } from "./process.js"

/** An application of `e2e/fixtures/ecosystem`. */
interface Story {
  /** The package of the framework. */
  readonly framework: string
  /** The folder of the fixture. */
  readonly folder: string
  readonly basePath: string
  /** Commands that build it, beside the type check. */
  readonly build?: readonly (readonly string[])[]
  /** Reports type errors; its output is empty when there are none. */
  readonly checkTypes: (fixture: Fixture) => Promise<string>
  readonly start: readonly string[]
  /** `false` where the integration switches the protection off, because its framework has one of its own. */
  readonly csrf?: boolean
  /** Lines of the server's output that are expected. */
  readonly mayPrint?: RegExp
}

/** The running application. */
interface Application {
  readonly fixture: Fixture
  readonly op: TestProvider
  readonly place: Place
  readonly origin: string
  /** A new simulated browser. */
  open(): TestBrowser
}

/** Type checks by `tsc`, whose compiled files are what runs. */
export const byTsc: Story["checkTypes"] = async (fixture) => (await fixture.attempt(["node_modules/.bin/tsc"])).output

/** Tests what holds for all, and what `own` adds for this one; the application runs while `own`'s tests do. */
export function describeApplication(story: Story, own: (running: () => Application) => void): void {
  const { framework, basePath, csrf = true } = story
  let fixture: Fixture
  let faults: string
  let op: TestProvider
  let served: Served

  const running = (): Application => ({
    fixture,
    op,
    place: { op, basePath, csrf },
    origin: served.origin,
    open: () => visit(served.origin, basePath),
  })

  beforeAll(async () => {
    fixture = await prepare(story.folder)
    fixture.use("latchkey")
    for (const command of story.build ?? []) await fixture.command([...command])
    faults = await story.checkTypes(fixture)
    const origin = await freeOrigin()
    op = await startProvider([origin], basePath)
    served = await serve([...story.start], { folder: fixture.folder, origin, env: environmentOf(op, origin) })
  })
  afterAll(async () => {
    await served?.stop()
    await op?.close()
  })

  describe(framework, () => {
    it("compiles against our types, the declarations of the libraries included", () => {
      expect(faults).toBe("")
    })

    it("lets a person in through the certified provider, knows them, and lets them go", async () => {
      const browser = running().open()
      await comeAndGo(browser, running().place, () => readJson(browser, "/me"))
    })

    own(running)

    it("complains of nothing but what was provoked", () => {
      expect(complaintsIn(served.output(), story.mayPrint)).toEqual([])
    })
  })
}

/** Tests that a wrong password is refused and the right one accepted. */
export function itTakesPasswords(running: () => Application): void {
  it("accepts a password, and refuses a wrong one", async () => {
    const { open, place } = running()
    const browser = open()
    const address = `${place.basePath}/callback/credentials`
    const refused = await browser.post(address, { password: "wrong" })
    expect(refused.location).toMatch(/error=CredentialsSignin&code=credentials/)
    await browser.post(address, { password: "open sesame" })
    expect(await readJson(browser, "/me")).toMatchObject({ user: { name: "Password Person" } })
  })
}
