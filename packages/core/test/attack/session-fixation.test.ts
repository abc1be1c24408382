/** An attacker puts their session into the browser, before, during or after a sign-in: it never becomes the victim's. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { sessionCookie as cookie } from "../support/journeys.js"
import { makeWorld, type World } from "../support/world.js"

const strategies = ["database", "jwt"] as const
const mallory = "mallory@evil.test"
const ada = "ada@op.test"

async function thiefsToken(world: World): Promise<string> {
  const thief = world.browser()
  await world.signInByMail(thief, mallory)
  return thief.cookie(cookie) ?? ""
}

describe.each(strategies)("a planted session, %s", (strategy) => {
  it.each(["the thief's own", "one that nobody has", "an empty one", "one with chunks"])(
    "%s is replaced by the sign-in, and gives no access to the victim",
    { tags: ["threat:SF-01", "threat:SF-02", "threat:SF-03", "threat:CS-11"] },
    async (what) => {
      const adapter = memoryAdapter()
      const world = await makeWorld({ strategy, adapter })
      const own = await thiefsToken(world)
      const planted = { "the thief's own": own, "one that nobody has": "a".repeat(64), "an empty one": "" }[what] ?? own
      const browser = world.browser()
      if (what === "one with chunks") {
        browser.setCookie(`${cookie}.0`, planted.slice(0, 20))
        browser.setCookie(`${cookie}.1`, planted.slice(20))
      } else browser.setCookie(cookie, planted)
      await world.signInByMail(browser, ada)
      expect(await browser.session()).toMatchObject({ user: { email: ada } })
      expect([...browser.jar.keys()].filter((name) => name.startsWith(cookie))).toEqual([cookie])
      expect(browser.cookie(cookie)).not.toBe(planted)
      const thief = world.browser()
      thief.setCookie(cookie, planted || "x")
      const seen = (await thief.session()) as { user: { email: string } } | null
      // A token lives until its end; a row ends when its browser signs in again.
      expect(seen?.user.email ?? null).toBe(strategy === "jwt" && planted === own ? mallory : null)
      expect(await adapter.getSessionAndUser("a".repeat(64))).toBeNull()
    },
  )

  it("takes no claim of the earlier session into the next", { tags: ["threat:SF-02"] }, async () => {
    const world = await makeWorld({
      strategy,
      config: {
        callbacks: {
          jwt: ({ token, trigger, session }: Record<string, object>) =>
            String(trigger) === "update" ? { ...token, role: session } : token,
          session: ({ session, token }: Record<string, Record<string, unknown>>) => ({
            ...session,
            role: token?.["role"] ?? null,
          }),
        },
      } as never,
    })
    const browser = world.browser()
    await world.signInByMail(browser, mallory)
    await browser.post("/auth/session", { data: "admin" }, { json: true })
    await world.signInByMail(browser, ada)
    expect(await browser.session()).toMatchObject({ user: { email: ada }, role: null })
  })

  it("never links the victim's account at a provider, which has another owner, to the attacker's user", {
    tags: ["threat:SF-03"],
  }, async () => {
    const world = await makeWorld({ strategy })
    await world.signInAtOp(world.browser())
    const browser = world.browser()
    browser.setCookie(cookie, await thiefsToken(world))
    const visit = await world.signInAtOp(browser)
    expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
    const owner = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "person-1" })
    expect(owner).toMatchObject({ email: ada })
  })

  it("makes a new token at every sign-in of the same person, and a new token against forgery", {
    tags: ["threat:SF-04", "threat:CS-15"],
  }, async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    const seen = new Set<string>()
    const forms = new Set<string>()
    for (let round = 0; round < 3; round++) {
      await world.signInAtOp(browser)
      seen.add(browser.cookie(cookie) ?? "")
      forms.add(await browser.csrfToken())
    }
    await browser.post("/auth/signout")
    forms.add(await browser.csrfToken())
    expect(seen.size).toBe(3)
    expect(forms.size).toBe(4)
  })

  it("makes both anew where an account is linked to whoever is signed in", { tags: ["threat:SF-04"] }, async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    await world.signInByMail(browser, "grace@app.test")
    const [token, form] = [browser.cookie(cookie) ?? "", await browser.csrfToken()]
    await world.signInAtOp(browser)
    expect(world.events.map(([name]) => name)).toContain("linkAccount")
    expect(await browser.session()).toMatchObject({ user: { email: "grace@app.test" } })
    expect(browser.cookie(cookie)).not.toBe(token)
    expect(await browser.csrfToken()).not.toBe(form)
    const thief = world.browser()
    thief.setCookie(cookie, token)
    expect((await thief.session()) === null).toBe(strategy === "database")
  })

  it("ends with the attributes it began with, chunks and all, and a second sign-out is harmless", {
    tags: ["threat:SF-05", "threat:SF-08"],
  }, async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    await world.signInAtOp(browser)
    const token = browser.cookie(cookie) ?? ""
    const out = await browser.post("/auth/signout")
    const lines = out.headers.getSetCookie().filter((line) => line.startsWith(`${cookie}=`))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^__Secure-authjs\.session-token=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax$/i,
    )
    expect((await browser.post("/auth/signout")).location).toBe("https://app.test/")
    const thief = world.browser()
    thief.setCookie(cookie, token)
    expect((await thief.session()) === null).toBe(strategy === "database")
    expect(world.errors).toEqual([])
  })

  it("is not read from the address, a body or a header [spec authentication 10]", {
    tags: ["threat:SF-24"],
  }, async () => {
    const world = await makeWorld({ strategy })
    const token = await thiefsToken(world)
    const browser = world.browser()
    const visits = [
      await browser.get(`/auth/session?sessionToken=${token}&${cookie}=${token}`),
      await browser.get("/auth/session", { authorization: `Bearer ${token}`, "x-session-token": token }),
      await browser.post("/auth/session", { sessionToken: token, [cookie]: token }, { json: true }),
    ]
    expect(visits.map(({ text }) => text)).toEqual(["null", "null", "null"])
  })
})
