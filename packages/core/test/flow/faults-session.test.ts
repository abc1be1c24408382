/** The store fails while a session is read, extended or ended: an unknown session is not signed out. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { faultyAdapter } from "../support/faulty.js"
import { address, openStage, type Stage, sessionCookie } from "../support/journeys.js"
import { leaks } from "../support/logged.js"

const day = 24 * 60 * 60 * 1000
const html = { accept: "text/html" }

async function signedIn(config: Parameters<typeof openStage>[1] = {}) {
  const store = faultyAdapter("with transactions")
  const stage = await openStage(store, { strategy: "database", ...config })
  await stage.world.signInAtOp(stage.browser)
  store.heal()
  return { ...stage, store, token: stage.browser.cookie(sessionCookie) ?? "" }
}

const inDays = (days: number): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * day })
}

afterEach(() => void vi.useRealTimers())

describe("a store that is down", () => {
  it.each(["rejects", "throws"] as const)(
    "answers a read with 503 in JSON and leaves the cookie alone (%s)",
    { tags: ["threat:FD-01", "threat:CK-36"] },
    async (how) => {
      const { world, browser, store, token } = await signedIn()
      store.arm({ operation: "getSessionAndUser", nth: 1, how, isLasting: true })
      const visit = await browser.get("/auth/session")
      expect(JSON.parse(visit.text)).toEqual({
        error: "Configuration",
        message: expect.any(String),
        incident: expect.stringMatching(/^[\dA-Za-z]{12}$/),
      })
      for (const { status, headers, setCookies } of [visit, await browser.get("/auth/session", html)]) {
        expect(status).toBe(503)
        expect(headers.get("cache-control")).toContain("no-store")
        expect(setCookies).toEqual([])
      }
      const posted = await browser.post("/auth/session", {}, { json: true })
      expect(posted.status).toBe(503)
      expect(posted.setCookies).not.toContain(sessionCookie)
      await expect(
        world.auth.session({ url: "https://app.test/", headers: { cookie: `${sessionCookie}=${token}` } }),
      ).rejects.toMatchObject({ type: "SessionTokenError" })
      await expect(
        world.auth.update({ url: "https://app.test/", headers: { cookie: `${sessionCookie}=${token}` } }, {}),
      ).rejects.toMatchObject({ type: "SessionTokenError" })
      expect(world.errors.map(({ name }) => name)).toEqual([
        "SessionTokenError",
        "SessionTokenError",
        "SessionTokenError",
        "SessionTokenError",
      ])
      expect(leaks(world, [browser], store.secrets)).toEqual([])
      store.heal()
      expect(await browser.session()).toMatchObject({ user: { email: address } })
      expect(browser.cookie(sessionCookie)).toBe(token)
    },
  )

  it("returns a session that cannot be extended with its old end, logs the fault, and extends it later", {
    tags: ["threat:FD-09"],
  }, async () => {
    const { world, browser, store } = await signedIn()
    const { expires } = (await browser.session()) as { expires: string }
    inDays(2)
    store.arm({ operation: "updateSession", nth: 1, how: "rejects", isLasting: true })
    const visit = await browser.get("/auth/session")
    expect(visit.status).toBe(200)
    expect(JSON.parse(visit.text)).toMatchObject({ user: { email: address }, expires })
    expect(visit.setCookies).toEqual([])
    expect(world.errors).toMatchObject([{ name: "AdapterError", incident: expect.any(String) }])
    expect(leaks(world, [browser], store.secrets)).toEqual([])
    store.heal()
    const later = (await browser.session()) as { expires: string }
    expect(Date.parse(later.expires)).toBeGreaterThan(Date.parse(expires) + day)
  })

  it.each(["rejects", "throws", "lost"] as const)(
    "ends the session in the browser and says that it may still be stored (%s)",
    { tags: ["threat:FD-10", "threat:SF-07"] },
    async (how) => {
      const { world, browser, store, token } = await signedIn()
      store.arm({ operation: "deleteSession", nth: 1, how, isLasting: false })
      const visit = await browser.post("/auth/signout")
      expect(browser.cookie(sessionCookie)).toBeUndefined()
      expect(visit.setCookies).toContain(sessionCookie)
      if (how === "lost") {
        expect(visit.location).toBe("https://app.test/")
        expect(world.errors).toEqual([])
      } else {
        expect(visit.location).toMatch(
          /^https:\/\/app\.test\/auth\/error\?error=Configuration&incident=[\dA-Za-z]{12}$/,
        )
        expect(world.errors).toMatchObject([{ name: "SignOutError" }])
        expect(world.events.map(([name]) => name)).not.toContain("signOut")
      }
      expect(leaks(world, [browser], [...store.secrets, token])).toEqual([])
    },
  )

  it("answers a script that signs out with 503, and still clears the cookie", {
    tags: ["threat:SF-07"],
  }, async () => {
    const { browser, store } = await signedIn()
    store.arm({ operation: "deleteSession", nth: 1, how: "rejects", isLasting: true })
    const visit = await browser.post("/auth/signout", {}, { json: true, headers: { "x-auth-return-redirect": "1" } })
    expect(visit.status).toBe(503)
    expect(browser.cookie(sessionCookie)).toBeUndefined()
  })

  it("answers null for a row that is over although it cannot be removed, and logs once", {
    tags: ["threat:SF-09"],
  }, async () => {
    const { world, browser, store } = await signedIn()
    inDays(31)
    store.arm({ operation: "deleteSession", nth: 1, how: "rejects", isLasting: true })
    expect(await browser.session()).toBeNull()
    expect(world.errors).toMatchObject([{ name: "AdapterError" }])
  })

  it("is not asked about somebody without a session cookie", async () => {
    const { world, store } = await signedIn()
    store.arm({ operation: "*", nth: 1, how: "rejects", isLasting: true })
    expect(await world.browser().session()).toBeNull()
    expect(store.calls).toEqual([])
  })
})

describe("reading a session", () => {
  const read = async ({ browser }: Stage): Promise<readonly string[]> => (await browser.get("/auth/session")).setCookies

  it("is one call and no cookie while nothing is due, one write and one cookie when it is", {
    tags: ["threat:CK-33", "threat:SF-11"],
  }, async () => {
    const { store, ...stage } = await signedIn()
    expect(await read(stage)).toEqual([])
    expect(store.calls).toEqual(["getSessionAndUser"])
    inDays(2)
    store.heal()
    expect(await read(stage)).toEqual([sessionCookie])
    expect(store.calls).toEqual(["getSessionAndUser", "updateSession"])
    store.heal()
    expect(await read(stage)).toEqual([])
    expect(store.calls).toEqual(["getSessionAndUser"])
  })

  it("asks the store for nothing where sessions are tokens, and seals only when due", {
    tags: ["threat:CK-33"],
  }, async () => {
    const { store, ...stage } = await signedIn({ strategy: "jwt", provider: { emailVerified: () => true } })
    expect(await read(stage)).toEqual([])
    inDays(2)
    expect(await read(stage)).toEqual([sessionCookie])
    expect(await read(stage)).toEqual([])
    expect(store.calls).toEqual([])
  })
})
