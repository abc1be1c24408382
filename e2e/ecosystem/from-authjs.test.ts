/**
 * Applications written against the packages of Auth.js, moved by `latchkey from-authjs --write`: who was signed in before is
 * signed in afterwards, and who was on the way to the provider arrives.
 */
import type { TestProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestBrowser } from "../../packages/core/test/support/browser.js"
import { ada, environmentOf, readJson, secret, signIn, startProvider, visit } from "./support/journey.js"
import { type Moving, prepareMoving } from "./support/moving.js"
import { freeOrigin, type Served, serve } from "./support/process.js"

interface Story {
  readonly framework: string
  readonly fixture: string
  readonly basePath: string
  /** `false` where the integration of Auth.js switches the protection off. */
  readonly csrf: boolean
  readonly build: readonly (readonly string[])[]
  readonly check: readonly string[]
  start(origin: string): readonly string[]
  /** Who the application sees, read by a page of its own. */
  readonly pages: readonly string[]
  /** What a file says after the move. */
  readonly file: string
  readonly says: readonly string[]
}

const stories: readonly Story[] = [
  {
    framework: "@auth/express",
    fixture: "auth-express",
    basePath: "/auth",
    csrf: true,
    build: [],
    check: ["node_modules/.bin/tsc"],
    start: () => ["node", "dist/app.js"],
    pages: ["/me"],
    file: "app.ts",
    says: ['from "@latchkey/express"', 'from "@latchkey/express/providers/credentials"'],
  },
  {
    framework: "@auth/sveltekit",
    fixture: "auth-sveltekit",
    basePath: "/auth",
    csrf: false,
    build: [["node_modules/.bin/vite", "build"]],
    check: ["node_modules/.bin/svelte-check", "--threshold", "error"],
    start: () => ["node", "dist/app/index.js"],
    pages: ["/me"],
    file: "src/routes/+page.svelte",
    says: ['from "@latchkey/sveltekit/components"'],
  },
  {
    framework: "next-auth",
    fixture: "next-auth",
    basePath: "/api/auth",
    csrf: true,
    build: [["node_modules/.bin/next", "build"]],
    check: ["node_modules/.bin/tsc", "--noEmit"],
    start: (origin) => ["node_modules/.bin/next", "start", "-H", "127.0.0.1", "-p", new URL(origin).port],
    // A route handler, the edge runtime, the pages router.
    pages: ["/api/me", "/edge", "/api/legacy"],
    file: "auth.ts",
    says: ['from "@latchkey/next"', 'declare module "@latchkey/next/types"', 'declare module "@latchkey/next/jwt"'],
  },
]

describe.each(stories)("an application of $framework", (story) => {
  let application: Moving
  let op: TestProvider
  let origin: string
  let served: Served | undefined
  let signedIn: TestBrowser
  let onTheWay: TestBrowser
  let departure: string
  let before: object
  let said: string

  const place = (): { op: TestProvider; basePath: string; csrf: boolean } => ({
    op,
    basePath: story.basePath,
    csrf: story.csrf,
  })

  async function serveIt(): Promise<void> {
    const env = { NODE_ENV: "production", AUTH_SECRET: secret }
    for (const command of story.build) await application.command(command, env)
    await application.command(story.check)
    served = await serve(story.start(origin), { folder: application.folder, origin, env: environmentOf(op, origin) })
  }

  beforeAll(async () => {
    application = await prepareMoving(story.fixture)
    origin = await freeOrigin()
    op = await startProvider([origin], story.basePath)
    await serveIt()
    signedIn = visit(origin, story.basePath)
    onTheWay = visit(origin, story.basePath)
    await signIn(signedIn, place())
    before = (await signedIn.session()) as object
    // The person is at the provider while the application moves: a code would expire meanwhile.
    const gone = await onTheWay.post(
      `${story.basePath}/signin/certified`,
      { callbackUrl: "/?came=back" },
      { csrf: story.csrf },
    )
    departure = gone.location ?? ""
    await served?.stop()
    said = (await application.move()).output
    await serveIt()
  })
  afterAll(async () => {
    await served?.stop()
    await op?.close()
  })

  it("stands on our packages, in its code and in its dependencies", () => {
    for (const text of story.says) expect(application.read(story.file)).toContain(text)
    expect(application.read("package.json")).toContain("@latchkey/")
    expect(application.read("package.json")).not.toMatch(/"(?:@auth\/|next-auth)/)
    expect(said).toContain("Differences that concern this application")
    expect(said).not.toContain("Left to you")
  })

  it("reads the cookie that was made before", async () => {
    expect(before).toMatchObject({ user: { name: ada.name, email: ada.email } })
    expect(await signedIn.session()).toEqual({ ...before, expires: expect.any(String) })
    for (const page of story.pages) expect(JSON.stringify(await readJson(signedIn, page))).toContain(ada.name)
  })

  it("lets those in who had set out before", async () => {
    const back = await op.authorize(departure)
    expect((await onTheWay.get(back)).location).toBe(`${origin}/?came=back`)
    expect(await onTheWay.session()).toMatchObject({ user: { email: ada.email } })
  })

  it("lets a person in and out as before", async () => {
    const browser = visit(origin, story.basePath)
    await signIn(browser, place())
    expect(await browser.session()).toMatchObject({ user: { name: ada.name } })
    await browser.post(`${story.basePath}/signout`, {}, { csrf: story.csrf })
    expect(await browser.session()).toBeNull()
  })
})
