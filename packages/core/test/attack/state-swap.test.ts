/** Responses of a provider that belong to another browser, another flow or none are refused before anything is sent. */
import { describe, expect, it } from "vitest"
import { sessionCookie as session } from "../support/journeys.js"
import { leaks } from "../support/logged.js"
import { makeWorld, type World } from "../support/world.js"

const names = ["state", "pkce.code_verifier", "nonce"].map((name) => `__Secure-authjs.${name}`)
const all = { checks: ["pkce", "state", "nonce"] }

async function begin(world: World, browser = world.browser()) {
  const visit = await browser.post("/auth/signin/op")
  return { browser, back: world.op.authorize(visit.location ?? "") }
}

describe.each([{ checks: ["pkce"] }, { checks: ["state"] }, all])("with $checks", (provider) => {
  it("the attacker's whole callback has no effect in the victim's browser", {
    tags: ["threat:CS-10", "threat:A-008"],
  }, async () => {
    const world = await makeWorld({ provider })
    const thief = await begin(world)
    const victim = world.browser()
    await victim.csrfToken()
    const visit = await victim.get(thief.back.href)
    expect(visit.location).toMatch(/\/auth\/signin\?error=OAuthCallbackError&incident=/)
    expect(victim.cookie(session)).toBeUndefined()
    expect(world.op.callsOf("token")).toEqual([])
    expect(world.events).toEqual([])
    expect(leaks(world, [thief.browser, victim])).toEqual([])
  })

  it("the attacker's code in the victim's own flow has no effect", {
    tags: ["threat:CS-10", "threat:CS-14"],
  }, async () => {
    const world = await makeWorld({ provider })
    const thief = await begin(world)
    const victim = await begin(world)
    const forged = new URL(victim.back)
    forged.searchParams.set("code", thief.back.searchParams.get("code") ?? "")
    const visit = await victim.browser.get(forged.href)
    // Without PKCE and nonce nothing but the state binds a code: the state was the victim's own.
    if (provider.checks.length > 1 || provider.checks[0] === "pkce") {
      expect(visit.location).toContain("error=OAuthCallbackError")
      expect(victim.browser.cookie(session)).toBeUndefined()
      expect(world.events).toEqual([])
    }
    expect(names.filter((name) => victim.browser.jar.has(name))).toEqual([])
  })
})

describe.each(["jwt", "database"] as const)("somebody who is signed in, with sessions of %s", (strategy) => {
  it("gets no account of an attacker linked, neither by a form nor by a callback of theirs", {
    tags: ["threat:CS-14"],
  }, async () => {
    const world = await makeWorld({ strategy })
    const victim = world.browser()
    await world.signInByMail(victim, "victim@app.test")
    const before = await victim.session()
    const linked = world.events.filter(([name]) => name === "linkAccount")
    world.op.person = { sub: "thief", name: "Thief", email: "thief@evil.test", email_verified: true }
    // A form of another site, which begins the sign-in.
    const begun = await victim.post("/auth/signin/op", { csrfToken: "f".repeat(64) }, { csrf: false })
    expect(begun.location).toContain("/auth/signin?error=Signin")
    expect(names.filter((name) => victim.jar.has(name))).toEqual([])
    // The callback of a sign-in that the attacker began.
    const { back } = await begin(world)
    expect((await victim.get(back.href)).location).toContain("error=OAuthCallbackError")
    expect(await victim.session()).toMatchObject({ user: (before as { user: object }).user })
    expect(await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "thief" })).toBeNull()
    expect(world.events.filter(([name]) => name === "linkAccount")).toEqual(linked)
    expect(world.op.callsOf("token")).toEqual([])
  })
})

describe("HEAD of a callback", () => {
  it("takes no code to the provider, and the flow goes on", { tags: ["threat:CS-24"] }, async () => {
    const world = await makeWorld({ provider: all })
    const { browser, back } = await begin(world)
    const looked = await browser.send(back.href, { method: "HEAD" })
    expect(looked.setCookies).toEqual([])
    expect(world.op.callsOf("token")).toEqual([])
    expect((await browser.get(back.href)).location).toBe("https://app.test/")
    expect(browser.cookie(session)).toBeDefined()
  })
})

describe("a state", () => {
  it.each([
    ["of another flow of this browser that is over", "old"],
    ["of another browser", "other"],
    ["that is empty", ""],
    ["that is missing", undefined],
    ["that is cut", "cut"],
    ["that is given twice", "twice"],
  ])(
    "%s is refused, and the flow is over",
    { tags: ["threat:A-008", "threat:A-025", "threat:A-139"] },
    async (_, kind) => {
      const world = await makeWorld({ provider: all })
      const { browser, back } = await begin(world)
      if (kind === "old") {
        const done = await begin(world, browser)
        await browser.get(done.back.href)
        await browser.post("/auth/signout")
        back.searchParams.set("state", done.back.searchParams.get("state") ?? "")
      }
      if (kind === "other") back.searchParams.set("state", (await begin(world)).back.searchParams.get("state") ?? "")
      if (kind === "") back.searchParams.set("state", "")
      if (kind === undefined) back.searchParams.delete("state")
      if (kind === "cut") back.searchParams.set("state", (back.searchParams.get("state") ?? "").slice(0, -3))
      if (kind === "twice") back.searchParams.append("state", "another")
      const exchanged = world.op.callsOf("token").length
      const visit = await browser.get(back.href)
      expect(visit.location).toContain("error=OAuthCallbackError")
      expect(browser.cookie(session)).toBeUndefined()
      expect(world.op.callsOf("token")).toHaveLength(exchanged)
    },
  )

  it("is valid once, and for fifteen minutes in a browser that kept its cookies", async () => {
    const world = await makeWorld({ provider: all })
    const { browser, back } = await begin(world)
    const kept = [...browser.jar]
    await browser.get(back.href)
    expect(names.filter((name) => browser.jar.has(name))).toEqual([])
    const again = world.browser()
    for (const [name, { value }] of kept) again.setCookie(name, value)
    expect((await again.get(back.href)).location).toContain("error=OAuthCallbackError")
    expect(again.cookie(session)).toBeUndefined()
  })

  it.each(names)("is refused without its cookie %s", async (name) => {
    const world = await makeWorld({ provider: all })
    const { browser, back } = await begin(world)
    browser.jar.delete(name)
    expect((await browser.get(back.href)).location).toContain("error=OAuthCallbackError")
    expect(world.op.callsOf("token")).toEqual([])
  })

  it.each(names)(
    "is refused where %s holds what was sealed for another purpose",
    { tags: ["threat:A-007"] },
    async (name) => {
      const world = await makeWorld({ provider: all })
      for (const other of [...names, "__Host-authjs.csrf-token"].filter((one) => one !== name)) {
        const { browser, back } = await begin(world)
        browser.setCookie(name, browser.cookie(other) ?? "")
        expect((await browser.get(back.href)).location).toContain("error=OAuthCallbackError")
      }
      expect(world.op.callsOf("token")).toEqual([])
    },
  )
})
