/**
 * What every earlier version has left behind is read by this one: `sets/` holds a file for each. A release writes its own
 * with `LATCHKEY_GOLDEN=<version> npx vitest run packages/core/test/golden`; a set that is there is never written again.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { memoryAdapter } from "@latchkey/core/memory"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { makeWorld } from "../support/world.js"
import { browserWith, type GoldenSet, makeSet, revived } from "./golden-set.js"

const folder = fileURLToPath(new URL("./sets/", import.meta.url))
const version = process.env["LATCHKEY_GOLDEN"]
if (version !== undefined) await write(version)

async function write(name: string): Promise<void> {
  const file = `${folder}${name}.json`
  if (existsSync(file)) throw new Error(`${file} is there already: what a version has left behind does not change.`)
  writeFileSync(file, `${JSON.stringify(await makeSet(name, new Date()), null, 2)}\n`)
}

const sets = readdirSync(folder).map((name) => JSON.parse(readFileSync(folder + name, "utf8")) as GoldenSet)

it("finds at least one set", () => {
  expect(sets.length).toBeGreaterThan(0)
})

describe.each(sets)("data of version $version", (golden) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(golden.made) + 60_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("opens the sealed session", { tags: ["threat:FP-10"] }, async () => {
    const browser = browserWith(await makeWorld({ adapter: false }), golden.sealed)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@op.test" } })
  })

  it("opens the session that is larger than a cookie", async () => {
    expect(Object.keys(golden.chunked).length).toBeGreaterThan(1)
    const browser = browserWith(await makeWorld({ adapter: false }), golden.chunked)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@op.test" } })
  })

  it("finds the row of the session", async () => {
    const { cookies, session, user } = golden.row
    const adapter = memoryAdapter()
    const { id: userId } = await adapter.createUser({ ...user, emailVerified: null })
    await adapter.createSession({ ...revived(session), userId })
    const browser = browserWith(await makeWorld({ strategy: "database", adapter }), cookies)
    expect(await browser.session()).toMatchObject({ user: { email: user.email } })
  })

  it("answers with no session, and no fault, what another version wrote in a way of its own", {
    tags: ["threat:FP-10"],
  }, async () => {
    const changes = [
      (value: string) => `9.${value}`,
      (value: string) => value.slice(1),
      (value: string) => `${value}.9`,
    ]
    for (const change of changes) {
      const world = await makeWorld({ adapter: false })
      const changed = (cookies: Readonly<Record<string, string>>) =>
        Object.fromEntries(Object.entries(cookies).map(([name, value]) => [name, change(value)]))
      const visit = await browserWith(world, changed(golden.sealed)).get("/auth/session")
      expect([visit.status, visit.text]).toEqual([200, "null"])
      const back = world.op.authorize(golden.flow.location)
      const { status, location } = await browserWith(world, changed(golden.flow.cookies)).get(
        back.pathname + back.search,
      )
      expect([status, location]).toEqual([302, expect.stringContaining("/auth/signin?error=")])
      expect(world.errors.map(({ name }) => name)).not.toContain("TypeError")
    }
  })

  it("completes the sign-in that was under way", { tags: ["threat:FP-10"] }, async () => {
    const world = await makeWorld({ adapter: false })
    const browser = browserWith(world, golden.flow.cookies)
    const back = world.op.authorize(golden.flow.location)
    expect(back.origin + back.pathname, "the address that is registered at the provider").toBe(
      "https://app.test/auth/callback/op",
    )
    expect((await browser.get(back.pathname + back.search)).location).toBe("https://app.test/inside")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@op.test" } })
  })

  it("opens the link of the mail", async () => {
    const { link, row, email } = golden.mail
    const adapter = memoryAdapter()
    await adapter.createVerificationToken(revived(row))
    const browser = (await makeWorld({ adapter })).browser()
    const { pathname, search } = new URL(link)
    await browser.get(pathname + search)
    expect(await browser.session()).toMatchObject({ user: { email } })
  })

  it("accepts the form that was open", async () => {
    const { cookies, csrfToken } = golden.form
    const browser = browserWith(await makeWorld({ adapter: false }), cookies)
    const begun = await browser.post("/auth/signin/op", { csrfToken }, { csrf: false })
    expect(begun.location).toContain("/authorize?")
  })
})
