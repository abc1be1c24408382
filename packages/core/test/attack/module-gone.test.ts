/** A module that is loaded when it is first needed, and is gone by then, as where a deployment replaced the files of a running process. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { sessionCookie } from "../support/journeys.js"

const modules = {
  visits: "../../src/actions/visits.js",
  error: "../../src/actions/error.js",
  database: "../../src/sessions/database.js",
} as const

afterEach(() => {
  for (const path of Object.values(modules)) vi.doUnmock(path)
  vi.resetModules()
})

/** A world in a process whose module is gone. */
async function worldWithout(...gone: readonly (keyof typeof modules)[]) {
  vi.resetModules()
  for (const name of gone)
    vi.doMock(modules[name], () => {
      throw new Error("The module is gone.")
    })
  const { makeWorld } = await import("../support/world.js")
  return makeWorld({ strategy: "database" })
}

describe("a module that is gone", () => {
  it.each([
    ["of the pages", ["visits"]],
    ["of the page that says so", ["error"]],
    ["of both", ["visits", "error"]],
  ] as const)("%s makes no redirect that comes back without end", { tags: ["threat:FP-26"] }, async (_, gone) => {
    const world = await worldWithout(...gone)
    for (const start of ["/auth/signin", "/auth/error", "/auth/verify-request"]) {
      const browser = world.browser()
      let visit = await browser.get(start, { accept: "text/html" })
      let redirects = 0
      while (visit.location !== undefined && redirects < 9) {
        redirects += 1
        visit = await browser.get(visit.location, { accept: "text/html" })
      }
      expect([start, redirects < 2, visit.location]).toEqual([start, true, undefined])
      if (visit.status !== 200)
        expect([visit.status, visit.text]).toEqual([500, expect.stringMatching(/configuration|not working/i)])
    }
  })

  it("of the sessions in the database signs nobody in or out, and says that it is a fault", {
    tags: ["threat:FP-26"],
  }, async () => {
    const world = await worldWithout("database")
    const browser = world.browser()
    browser.setCookie(sessionCookie, "a-token")
    const visit = await browser.get("/auth/session")
    expect([visit.status, browser.cookie(sessionCookie)]).toEqual([500, "a-token"])
    const headers = { cookie: `${sessionCookie}=a-token` }
    await expect(world.auth.session({ url: "https://app.test/", headers })).rejects.toMatchObject({ type: "AuthError" })
    const out = await browser.post("/auth/signout")
    expect([out.location, browser.cookie(sessionCookie)]).toEqual([
      expect.stringContaining("error=Configuration"),
      "a-token",
    ])
  })
})
