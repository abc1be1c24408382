/** Another sub-domain sets cookies next to the real ones: they are never combined with them, and never change the user. */
import { describe, expect, it } from "vitest"
import { sessionCookie as session } from "../support/journeys.js"
import { redirectCorpus } from "../support/redirect-corpus.js"
import { makeWorld, type World } from "../support/world.js"

const strategies = ["database", "jwt"] as const
const csrf = "__Host-authjs.csrf-token"
const returnTo = "__Secure-authjs.callback-url"

async function tokenOf(world: World, email: string): Promise<string> {
  const browser = world.browser()
  await world.signInByMail(browser, email)
  return browser.cookie(session) ?? ""
}

async function sessionOf(world: World, cookie: string): Promise<{ email: string | null; cleared: readonly string[] }> {
  const visit = await world.browser().get("/auth/session", { cookie })
  expect(visit.status).toBe(200)
  const body = JSON.parse(visit.text) as { user: { email: string } } | null
  return { email: body?.user.email ?? null, cleared: visit.setCookies }
}

describe.each(strategies)("beside the session cookie, %s", (strategy) => {
  it("a second one of the same name is one or the other, never a mixture", {
    tags: ["threat:SF-22", "threat:CK-06", "threat:CK-20"],
  }, async () => {
    const world = await makeWorld({ strategy })
    const [own, foreign] = [await tokenOf(world, "ada@op.test"), await tokenOf(world, "mallory@evil.test")]
    expect((await sessionOf(world, `${session}=${own}; ${session}=${foreign}`)).email).toBe("ada@op.test")
    expect((await sessionOf(world, `${session}=${foreign}; ${session}=${own}`)).email).toBe("mallory@evil.test")
    const half = Math.floor(own.length / 2)
    const mixed = `${session}.0=${foreign.slice(0, half)}; ${session}.1=${own.slice(half)}`
    expect(await sessionOf(world, mixed)).toEqual({ email: null, cleared: [`${session}.0`, `${session}.1`] })
  })

  it.each([
    ["the name for http", (token: string) => `authjs.session-token=${token}`],
    ["the name in small letters", (token: string) => `${session.toLowerCase()}=${token}`],
    ["another prefix", (token: string) => `__Host-authjs.session-token=${token}`],
    ["a space of another kind before it", (token: string) => `\u00a0${session}=${token}`],
    ["no name", (token: string) => `=${session}=${token}`],
    ["a tail that is no number", (token: string) => `${session}.x=${token}`],
    ["a number of another form", (token: string) => `${session}.00=${token}`],
    ["the second part alone", (token: string) => `${session}.1=${token}`],
    ["a longer name", (token: string) => `${session}X=${token}`],
  ])(
    "a token under %s is none",
    { tags: ["threat:CK-03", "threat:CK-04", "threat:CK-05", "threat:CK-15", "threat:CK-17", "threat:CK-35"] },
    async (_, header) => {
      const world = await makeWorld({ strategy })
      const token = await tokenOf(world, "ada@op.test")
      expect((await sessionOf(world, header(token))).email).toBeNull()
      const foreign = header(await tokenOf(world, "mallory@evil.test"))
      for (const both of [`${foreign}; ${session}=${token}`, `${session}=${token}; ${foreign}`])
        expect((await sessionOf(world, both)).email).toBe("ada@op.test")
    },
  )

  it("chunks that an older and longer session left are none of the new one", { tags: ["threat:CK-18"] }, async () => {
    const world = await makeWorld({ strategy })
    const [token, old] = [await tokenOf(world, "ada@op.test"), await tokenOf(world, "ada@op.test")]
    const stale = [0, 1, 2].map((index) => `${session}.${index}=${old.slice(index * 10, (index + 1) * 10)}`)
    expect((await sessionOf(world, `${stale.join("; ")}; ${session}=${token}`)).email).toBe("ada@op.test")
    expect(await sessionOf(world, `${session}.0=${token}; ${stale.slice(1).join("; ")}`)).toEqual({
      email: null,
      cleared: [0, 1, 2].map((index) => `${session}.${index}`),
    })
  })

  it("ten thousand others change nothing", { tags: ["threat:CK-11"] }, async () => {
    const world = await makeWorld({ strategy })
    const token = await tokenOf(world, "ada@op.test")
    const flood = Array.from({ length: 10_000 }, (_, index) => `c${index}=${index}`).join("; ")
    for (const header of [`${flood}; ${session}=${token}`, `${session}=${token}; ${";".repeat(65_536)}`])
      expect(await sessionOf(world, header)).toEqual({ email: "ada@op.test", cleared: [] })
  })

  it("an invalid value is cleared once, and causes no fault", {
    tags: ["threat:CK-12", "threat:CK-13", "threat:CK-37"],
  }, async () => {
    const world = await makeWorld({ strategy })
    for (const rubbish of ["x", "%", "%zz", '"', "a.b.c.d.e", "\u0080"]) {
      expect(await sessionOf(world, `${session}=${rubbish}`)).toEqual({ email: null, cleared: [session] })
    }
    expect(await sessionOf(world, `a; =b; ;;; __proto__=x; constructor=y; ${session}=`)).toEqual({
      email: null,
      cleared: [],
    })
    expect(world.errors).toEqual([])
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe("beside the checks of a sign-in", () => {
  it.each(["state", "pkce.code_verifier"])(
    "the attacker's %s for a longer path refuses the sign-in and is not combined with the real ones",
    { tags: ["threat:CK-06", "threat:CK-09"] },
    async (name) => {
      const world = await makeWorld({ provider: { checks: ["state", "pkce"] } })
      const thief = world.browser()
      await thief.post("/auth/signin/op")
      const browser = world.browser()
      const begun = await browser.post("/auth/signin/op")
      const back = world.op.authorize(begun.location ?? "")
      const full = `__Secure-authjs.${name}`
      const own = [...browser.jar].map(([key, { value }]) => `${key}=${value}`).join("; ")
      const visit = await browser.get(back.href, { cookie: `${full}=${thief.cookie(full)}; ${own}` })
      expect(visit.location).toContain("error=OAuthCallbackError")
      expect(browser.cookie(session)).toBeUndefined()
      expect(world.events).toEqual([])
      // The next attempt is not spoilt.
      await world.signInAtOp(browser)
      expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    },
  )

  it("two hundred of them that displace the real ones refuse the sign-in, and a retry works", {
    tags: ["threat:CK-10"],
  }, async () => {
    const world = await makeWorld()
    const browser = world.browser()
    const begun = await browser.post("/auth/signin/op")
    const back = world.op.authorize(begun.location ?? "")
    const flood = Array.from(
      { length: 200 },
      (_, index) => `__Secure-authjs.state.${String(index).padStart(8, "a")}=x${index}`,
    )
    const visit = await browser.get(back.href, { cookie: flood.join("; ") })
    expect(visit.location).toContain("error=OAuthCallbackError")
    const token = await browser.csrfToken()
    const again = await browser.send("/auth/signin/op", {
      method: "POST",
      headers: { cookie: [...flood, `${csrf}=${browser.cookie(csrf)}`].join("; ") },
      body: new URLSearchParams({ csrfToken: token }),
    })
    const done = await browser.get(world.op.authorize(again.location ?? "").href)
    expect(done.location).toBe("https://app.test/")
  })
})

describe("a tossed token against forgery", () => {
  it("does not work without its form, and a made-up one never", {
    tags: ["threat:CK-07", "threat:CS-04", "threat:CS-05"],
  }, async () => {
    const world = await makeWorld()
    const thief = world.browser()
    const theirs = await thief.csrfToken()
    const browser = world.browser()
    const own = await browser.csrfToken()
    browser.setCookie(csrf, thief.cookie(csrf) ?? "")
    const visit = await browser.post("/auth/signout", { csrfToken: own }, { csrf: false })
    expect(visit.location).toContain("error=Signin")
    for (const made of [`${theirs}|${"0".repeat(64)}`, `|${theirs}`, `${theirs}|`, theirs, "a|b|c", "x".repeat(3000)]) {
      browser.setCookie(csrf, made)
      const refused = await browser.post("/auth/signin/op", { csrfToken: theirs }, { csrf: false })
      expect(refused.location).toContain("error=Signin")
    }
    expect(world.op.calls).toEqual([])
  })
})

describe("a tossed return address", () => {
  it.each([
    "https://evil.test/",
    "//evil.test",
    "/\\evil.test",
    "javascript:alert(1)",
    "https://app.test@evil.test",
    "https%3A%2F%2Fevil.test",
  ])("%s leads nowhere else", { tags: ["threat:CK-08"] }, async (address) => {
    const world = await makeWorld()
    const browser = world.browser()
    for (const value of [address, encodeURIComponent(address)]) {
      browser.setCookie(returnTo, value)
      const visits = [
        await world.signInAtOp(browser),
        await world.signInByMail(browser, "ada@app.test"),
        await browser.post("/auth/signout"),
      ]
      for (const { location } of visits) expect(new URL(location ?? "").origin).toBe("https://app.test")
    }
  })
})

/** Half of a character cannot be written in a cookie. */
const writable = redirectCorpus.filter(([, text]) => !/\p{Surrogate}/u.test(text))

it.each(writable)(
  "a return address of another host next door leads to where it may: %s, %j",
  {
    tags: ["threat:CK-08"],
  },
  async (_, address) => {
    const world = await makeWorld()
    const browser = world.browser()
    browser.setCookie(returnTo, encodeURIComponent(address))
    const { location } = await browser.post("/auth/signout")
    expect(new URL(location ?? "").origin).toBe("https://app.test")
  },
)
