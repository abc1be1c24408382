/** Every page about a framework: its code is taken out, type-checked, built, started, and used as a person would. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { createProvider, type TestProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestBrowser } from "../../packages/core/test/support/browser.js"
import { agedToken } from "./aged.js"
import { extract } from "./extract.js"
import { guides, notRun } from "./guides.js"
import { makeProject, type Project, pages } from "./project.js"
import { freePort, type Running } from "./server.js"
import { fieldsOf, publicOrigin, visit } from "./visitor.js"

const secret = "the-secret-of-the-guides-that-is-long-enough"
const right = { email: "ada@app.example", password: "correct horse", callbackUrl: "/me" }

describe("the pages", async () => {
  const files = (await readdir(pages)).filter((file) => file.endsWith(".md"))

  it("are all run, or say why they are not", async () => {
    const known = [...guides.map(({ page }) => page), ...Object.keys(notRun), "README"]
    expect(files.map((file) => file.slice(0, -3)).sort()).toEqual(known.sort())
    for (const [page, reason] of Object.entries(notRun))
      expect(await readFile(join(pages, `${page}.md`), "utf8")).toContain(`Not run in the tests, because ${reason}`)
  })

  it.each(files)("name the file of every block: %s", async (file) => {
    const { blocks, nameless } = extract(await readFile(join(pages, file), "utf8"))
    expect(nameless, `lines of ${file} with code that nobody runs`).toEqual([])
    expect(blocks.length).toBeGreaterThan(0)
  })

  it.each(files.filter((file) => file !== "README.md"))("tell each thing a newcomer needs: %s", async (file) => {
    const text = await readFile(join(pages, file), "utf8")
    const own = guides.find(({ page }) => file === `${page}.md`)?.package
    // A package answers the actions and adds the cookies by itself.
    const calls =
      own === undefined ? ["auth.handle", "toSetCookie|addOlderCookies"] : [`install ${own}`, `from "${own}"`]
    for (const need of [
      ...calls,
      "auth.session|auth\\(\\)",
      "/auth/signout",
      "AUTH_URL",
      "npm:@latchkey|add @latchkey|install @latchkey",
      "http://localhost:\\d+/me>",
      // Without either, nothing is limited by network.
      "handle\\(.*\\{ address|limits\\.address",
    ])
      expect(text).toMatch(new RegExp(need))
    const { commands } = extract(text)
    expect(commands[0], "the command that makes an empty project").toMatch(
      /^(?:npm init -y && npm pkg set type=module|(?:npm create|npx create-\S+|bun init|deno init)\b.*)$/,
    )
    const typed = guides.find(({ page }) => file === `${page}.md`)?.typed
    if (typed !== undefined) expect(commands).toContain(typed)
  })
})

for (const guide of guides)
  describe(`the page about ${guide.page}`, () => {
    let op: TestProvider
    let project: Project
    let port: number
    const { basePath = "/auth", onward, leave } = guide

    const environment = (more: Readonly<Record<string, string>>): Record<string, string> => {
      const values: Readonly<Record<string, string>> = {
        AUTH_SECRET: secret,
        AUTH_KEYCLOAK_ID: op.clientId,
        AUTH_KEYCLOAK_SECRET: op.clientSecret,
        AUTH_KEYCLOAK_ISSUER: op.issuer,
      }
      // Only what the page lists is there: what it forgets is missing here too.
      return { ...Object.fromEntries(project.variables.map((name) => [name, values[name] ?? ""])), ...more }
    }

    beforeAll(async () => {
      port = await freePort()
      const origins = [`http://127.0.0.1:${port}`, publicOrigin]
      op = await createProvider({ redirectUris: origins.map((origin) => `${origin}${basePath}/callback/keycloak`) })
      project = await makeProject(guide)
    })
    afterAll(() => op?.close())

    describe("on the developer's machine", () => {
      const server = held()
      beforeAll(async () => {
        server.running = await project.start(port, environment(guide.local?.(`http://127.0.0.1:${port}`) ?? {}))
      })
      afterAll(() => server.running?.stop())
      journeys(() => visit(port, { basePath }), {
        op: () => op,
        basePath,
        session: "authjs.session-token",
        onward,
        leave,
      })
    })

    describe("behind a proxy that ends TLS", () => {
      const server = held()
      beforeAll(async () => {
        const more = { ...guide.local?.(publicOrigin), AUTH_URL: publicOrigin, NODE_ENV: "production" }
        server.running = await project.start(port, environment(more))
      })
      afterAll(() => server.running?.stop())
      const session = "__Secure-authjs.session-token"
      journeys(() => visit(port, { proxied: true, basePath }), { op: () => op, basePath, session, onward, leave })
    })
  })

function held(): { running?: Running } {
  return {}
}

interface Place {
  readonly op: () => TestProvider
  readonly basePath: string
  /** Name of the cookie. */
  readonly session: string
  readonly onward?: string | undefined
  readonly leave?: string | undefined
}

function journeys(arrive: () => TestBrowser, { op, basePath, session, onward, leave }: Place): void {
  it("sends whoever is not signed in to the sign-in page, which leads back", async () => {
    const browser = arrive()
    const sent = await browser.get("/me")
    expect([302, 303, 307]).toContain(sent.status)
    const address = new URL(sent.location ?? "")
    expect(address.pathname).toBe(`${basePath}/signin`)
    expect(new URL(address.searchParams.get("callbackUrl") ?? "", sent.url).pathname).toBe("/me")
    const page = await browser.get(address.pathname + address.search)
    expect(page.text).toContain("Keycloak")
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  })

  it("lets the right password in and no other, and signs out again", async () => {
    const browser = arrive()
    const origin = new URL((await browser.get(`${basePath}/csrf`)).url).origin
    const refused = await browser.post(`${basePath}/callback/credentials`, { ...right, password: "wrong" })
    expect(refused.location).toContain("error=CredentialsSignin")
    expect((await browser.get("/me")).text).not.toContain("Ada")
    const forged = await browser.post(`${basePath}/callback/credentials`, right, { csrf: false })
    expect(browser.cookie(session), `signed in without a token: ${forged.status}`).toBeUndefined()

    const entered = await browser.post(`${basePath}/callback/credentials`, right)
    expect(entered.location).toBe(`${origin}/me`)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada", email: "ada@app.example" } })
    const page = await browser.get("/me")
    expect(page.status).toBe(200)
    expect(page.text).toContain("Ada")
    expect(page.setCookies, "a young session is not written again").not.toContain(session)

    const asked = await browser.get(`${basePath}/signout`)
    expect(await browser.session(), "a link signs nobody out").not.toBeNull()
    await browser.post(`${basePath}/signout`, fieldsOf(asked.text), { csrf: false })
    expect(await browser.session()).toBeNull()
    expect((await browser.get("/me")).text).not.toContain("Ada")
  })

  it("writes the cookie of a session that was due for extension", async () => {
    const browser = arrive()
    browser.setCookie(session, await agedToken({ secret, salt: session, user: { sub: "1", name: "Ada" } }))
    const page = await browser.get("/me")
    expect(page.text).toContain("Ada")
    expect(page.setCookies).toContain(session)
    expect((await browser.get("/me")).setCookies).not.toContain(session)
  })

  if (onward !== undefined)
    it("leads those who are signed in where the application redirects them", async () => {
      const browser = arrive()
      browser.setCookie(session, await agedToken({ secret, salt: session, user: { sub: "1", name: "Ada" } }))
      const sent = await browser.get(onward)
      expect([sent.status, sent.location]).toEqual([302, "https://elsewhere.example/"])
      expect(sent.setCookies).toContain(session)
    })

  if (leave !== undefined)
    it("lets a route of the application end a session that was due for extension", async () => {
      const browser = arrive()
      browser.setCookie(session, await agedToken({ secret, salt: session, user: { sub: "1", name: "Ada" } }))
      expect((await browser.get(leave)).status).toBe(303)
      expect(await browser.session()).toBeNull()
    })

  it("signs in at a certified OpenID provider, also in two tabs at once", async () => {
    const browser = arrive()
    const csrfToken = await browser.csrfToken()
    const leave = () => browser.post(`${basePath}/signin/keycloak`, { csrfToken, callbackUrl: "/me" }, { csrf: false })
    // At the same time, for the first time: what one request fetches of the provider, the other waits for.
    const [, begun] = await Promise.all([arrive().post(`${basePath}/signin/keycloak`), leave()])
    expect(begun.location).toContain(op().issuer)
    const back = new URL(await op().authorize(begun.location ?? ""))
    const entered = await browser.get(back.pathname + back.search)
    expect(new URL(entered.location ?? "").pathname).toBe("/me")
    expect((await browser.get("/me")).text).toContain("Ada Lovelace")
  })
}
