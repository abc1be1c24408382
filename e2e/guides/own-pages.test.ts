/** The sign-in pages of `docs/guides/pages.md`: the code of each framework is taken out, built, started, and used without JavaScript. */
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestBrowser, Visit } from "../../packages/core/test/support/browser.js"
import { extract } from "./extract.js"
import { execute, fixture } from "./fixture.js"
import { ownPages, sectionOf } from "./own-pages.js"
import { pages, writeFiles } from "./project.js"
import { freePort, type Running, start } from "./server.js"
import { fieldsOf, visit } from "./visitor.js"

const text = await readFile(join(pages, "../pages.md"), "utf8")
const routeFile = "app/api/auth/[...auth]/route.ts"
const [route] = extract(await readFile(join(pages, "next.md"), "utf8")).blocks.filter(({ file }) => file === routeFile)
if (!route) throw new Error(`Expected ${routeFile} in the guide about Next.js.`)

describe.each(ownPages(route))("the sign-in page in $framework", ({ framework, basePath = "/auth", ...page }) => {
  let running: Running | undefined
  let browser: TestBrowser

  beforeAll(async () => {
    const folder = join(fixture, `.data/own-page-${framework}`)
    await rm(folder, { recursive: true, force: true })
    const { blocks } = extract(sectionOf(text, framework))
    const shown = Object.fromEntries(blocks.map(({ file, code }) => [file, code]))
    await writeFiles(folder, { ...page.scaffold, ...shown })
    for (const step of page.steps)
      await execute(process.execPath, step, { cwd: folder, env: { NEXT_TELEMETRY_DISABLED: "1", CI: "true" } })
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const service = { AUTH_URL: origin, AUTH_SECRET: "the-secret-of-own-pages-that-is-long-enough" }
    const provider = { AUTH_GITHUB_ID: "an-id", AUTH_GITHUB_SECRET: "a-secret" }
    const env = { ...service, ...provider, ORIGIN: origin, HOST: "127.0.0.1" }
    running = await start({ command: [process.execPath, ...page.start(port)], cwd: folder, env, port })
    browser = visit(port, { basePath })
  })
  afterAll(() => running?.stop())

  it("is where the service sends people", async () => {
    const { location = "" } = await browser.get(`${basePath}/signin?callbackUrl=/account`)
    const { pathname, searchParams } = new URL(location)
    expect(pathname).toBe("/signin")
    expect(new URL(searchParams.get("callbackUrl") ?? "", location).pathname).toBe("/account")
  })

  it("says what went wrong, and nothing while nothing is", async () => {
    expect((await browser.get("/signin")).text).not.toContain('role="alert"')
    expect((await browser.get("/signin?error=AccessDenied")).text).toMatch(
      /role="alert"[^>]*>[^<]*You could not be signed in/,
    )
  })

  it("leads to the provider, and remembers where to go afterwards", async () => {
    const shown = await browser.get("/signin?callbackUrl=/account")
    expect(shown.text).toMatch(/<h1[^>]*>Sign in/)
    const sent = await submit(browser, { shown, label: "Continue with GitHub" })
    expect(sent.location).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?.*client_id=an-id/)
    expect(decodeURIComponent(browser.cookie("authjs.callback-url") ?? "")).toMatch(/\/account$/)
  })
})

const attributeOf = (name: string, tag = ""): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`, "i").exec(tag)?.[1]

/** Presses the button as a browser without scripts does. */
async function submit(browser: TestBrowser, { shown, label }: { shown: Visit; label: string }): Promise<Visit> {
  const form = shown.text.match(/<form\b[\s\S]*?<\/form>/g)?.find((one) => one.includes(label)) ?? ""
  const [opening] = /<form\b[^>]*>/.exec(form) ?? []
  const [button] = /<button\b[^>]*>/.exec(form) ?? []
  const name = attributeOf("name", button)
  const fields = { ...fieldsOf(form), ...(name !== undefined && { [name]: attributeOf("value", button) ?? "" }) }
  const action = new URL(attributeOf("action", opening) ?? "", shown.url).href
  if (attributeOf("enctype", opening) !== "multipart/form-data") return browser.post(action, fields, { csrf: false })
  const body = new FormData()
  for (const [field, content] of Object.entries(fields)) body.append(field, content)
  return browser.send(action, { method: "POST", body })
}
