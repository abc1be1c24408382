/** A flow belongs to the person who began it: its response never links an account to somebody else, whoever is signed in. */
import { describe, expect, it } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import { Box } from "../../src/providers/box.js"
import { Twitch } from "../../src/providers/twitch.js"
import type { Provider } from "../../src/types/provider.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie as session } from "../support/journeys.js"
import { makeWorld, type World } from "../support/world.js"

const strategies = ["database", "jwt"] as const
const checksOfAll = { checks: ["pkce", "state", "nonce"] }
const account = { provider: "op", providerAccountId: "person-1" }
const isCheck = (name: string): boolean => /authjs\.(state|pkce|nonce)/.test(name)

async function begin(world: World, browser: TestBrowser): Promise<URL> {
  const { location } = await browser.post("/auth/signin/op")
  return world.op.authorize(location ?? "")
}

/** What a page on a neighbouring sub-domain can do: `__Secure-` does not stop `Domain=`. */
function toss(from: TestBrowser, to: TestBrowser): void {
  for (const [name, { value }] of from.jar) if (isCheck(name)) to.setCookie(name, value)
}

const ownerOf = async (world: World): Promise<unknown> =>
  (await world.adapter.getUserByAccount?.(account))?.email ?? null

const addressIn = async (browser: TestBrowser): Promise<unknown> =>
  ((await browser.session()) as { user?: { email?: string } } | null)?.user?.email ?? null

describe.each(strategies)(
  "a flow that the attacker began and whose cookies were set in another browser, %s",
  (strategy) => {
    it("begun signed out, is never linked to the victim", { tags: ["threat:CK-09"] }, async () => {
      const world = await makeWorld({ strategy, provider: checksOfAll })
      const thief = world.browser()
      const back = await begin(world, thief)
      const victim = world.browser()
      await world.signInByMail(victim, "victim@app.test")
      toss(thief, victim)
      await victim.get(back.href)
      expect(await ownerOf(world)).not.toBe("victim@app.test")
      expect(await addressIn(victim)).toBe("ada@op.test")
    })

    it("begun as the attacker, is refused and links nothing", { tags: ["threat:CK-09"] }, async () => {
      const world = await makeWorld({ strategy, provider: checksOfAll })
      const thief = world.browser()
      await world.signInByMail(thief, "thief@evil.test")
      const back = await begin(world, thief)
      const victim = world.browser()
      await world.signInByMail(victim, "victim@app.test")
      toss(thief, victim)
      const visit = await victim.get(back.href)
      expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
      expect(await ownerOf(world)).toBeNull()
      expect(await addressIn(victim)).toBe("victim@app.test")
    })
  },
)

describe.each(strategies)("a person, %s", (strategy) => {
  it("who begins signed in links the account, in parallel tabs too", { tags: ["threat:RC-20"] }, async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    const [first, second] = [await begin(world, browser), await begin(world, browser)]
    expect((await browser.get(second.href)).location).toBe("https://app.test/")
    expect(await ownerOf(world)).toBe("ada@app.test")
    expect((await browser.get(first.href)).location).toBe("https://app.test/")
    expect(await addressIn(browser)).toBe("ada@app.test")
    expect(world.errors).toEqual([])
  })

  it("who begins signed out in two tabs is signed in by both", async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    const [first, second] = [await begin(world, browser), await begin(world, browser)]
    for (const tab of [second, first]) expect((await browser.get(tab.href)).location).toBe("https://app.test/")
    expect(await addressIn(browser)).toBe("ada@op.test")
    expect(world.errors).toEqual([])
  })

  it("who signed in elsewhere meanwhile signs in with a known account, as if signed out", async () => {
    const world = await makeWorld({ strategy })
    await world.signInAtOp(world.browser())
    const browser = world.browser()
    const back = await begin(world, browser)
    await world.signInByMail(browser, "grace@app.test")
    expect((await browser.get(back.href)).location).toBe("https://app.test/")
    expect(await addressIn(browser)).toBe("ada@op.test")
  })

  it("who signed out meanwhile signs in with a known account and is refused with an unknown one", async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    await world.signInByMail(browser, "grace@app.test")
    const unknown = await begin(world, browser)
    await browser.post("/auth/signout")
    const refused = await browser.get(unknown.href)
    expect(refused.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
    expect(browser.cookie(session)).toBeUndefined()
    expect(await ownerOf(world)).toBeNull()
    await world.signInAtOp(world.browser())
    await world.signInByMail(browser, "grace@app.test")
    const known = await begin(world, browser)
    await browser.post("/auth/signout")
    expect((await browser.get(known.href)).location).toBe("https://app.test/")
    expect(await addressIn(browser)).toBe("ada@op.test")
  })

  it("who begins at the provider signs in where nothing is checked, and links nothing", async () => {
    const world = await makeWorld({ strategy, provider: { checks: ["none"] } })
    const browser = world.browser()
    await world.signInByMail(browser, "grace@app.test")
    const back = await begin(world, browser)
    expect((await browser.get(back.href)).location).toBe("https://app.test/")
    expect(await addressIn(browser)).toBe("ada@op.test")
    expect(await ownerOf(world)).toBe("ada@op.test")
  })
})

describe("an answer without its state", () => {
  const withoutState = async (given: { provider?: object; metadata?: object }) => {
    const world = await makeWorld({ provider: { ...given.provider } })
    world.op.metadata = { ...given.metadata }
    const victim = world.browser()
    await world.signInByMail(victim, "victim@app.test")
    const own = await begin(world, victim)
    own.searchParams.delete("state")
    return { world, victim, visit: await victim.get(own.href) }
  }
  const s256 = { code_challenge_methods_supported: ["S256"] }

  it.each([
    ["of a provider that announces nothing", {}],
    ["of a provider that announces plain challenges", { metadata: { code_challenge_methods_supported: ["plain"] } }],
    ["where the state is a check", { provider: checksOfAll, metadata: s256 }],
    ["where the challenge is plain", { provider: { pkceMethod: "plain" }, metadata: s256 }],
    ["where PKCE is off", { provider: { checks: ["nonce"] }, metadata: s256 }],
    ["of a provider that loses it, without a nonce", { provider: { losesState: true } }],
  ])("%s is refused before anything is sent", { tags: ["threat:A-025"] }, async (_, given) => {
    const { world, victim, visit } = await withoutState(given)
    expect(visit.location).toContain("error=OAuthCallbackError")
    expect(world.op.callsOf("token")).toEqual([])
    expect(await addressIn(victim)).toBe("victim@app.test")
    expect(world.errors.map(({ message }) => message).join()).toContain("losesState")
  })

  const withNonce = { checks: ["pkce", "nonce"] }
  it.each([
    ["that announces S256, with a nonce", { provider: withNonce, metadata: s256 }],
    ["that loses it, with a nonce", { provider: { losesState: true, checks: ["nonce"] } }],
  ])("is taken from a provider %s", async (_, given) => {
    const { world, visit } = await withoutState(given)
    expect(visit.location).toBe("https://app.test/")
    expect(await ownerOf(world)).toBe("victim@app.test")
  })

  it("signs in, but links nothing, where PKCE alone protects it: the code may be one without a challenge", {
    tags: ["threat:B9-28", "threat:A-025"],
  }, async () => {
    const { world, victim, visit } = await withoutState({ metadata: s256 })
    expect(visit.location).toContain("error=OAuthAccountNotLinked")
    expect([await ownerOf(world), await addressIn(victim)]).toEqual([null, "victim@app.test"])
    const alone = world.browser()
    const own = await begin(world, alone)
    own.searchParams.delete("state")
    expect((await alone.get(own.href)).location).toBe("https://app.test/")
    expect(await addressIn(alone)).toBe("ada@op.test")
  })

  it.each([[undefined], [withNonce]])(
    "gives a thief's code nobody, with the provider %j",
    {
      tags: ["threat:B9-28"],
    },
    async (provider) => {
      const world = await makeWorld({ ...(provider && { provider }) })
      world.op.metadata = s256
      const victim = world.browser()
      await world.signInByMail(victim, "victim@app.test")
      await victim.post("/auth/signin/op")
      // Requested by the thief, without challenge, nonce and state; the provider ignores the verifier.
      const asked = new URLSearchParams({ redirect_uri: "https://app.test/auth/callback/op" })
      const thief = { sub: "thief", name: "Thief", email: "thief@evil.test", email_verified: true }
      const code = world.op.authorize(`${world.op.issuer}/authorize?${asked}`, {}, thief)
      expect((await victim.get(code.href)).location).toContain("error=OAuth")
      expect(await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "thief" })).toBeNull()
      expect(await addressIn(victim)).toBe("victim@app.test")
    },
  )
})

describe.each([
  ["Box", Box],
  ["Twitch", Twitch],
])("%s, which ignores PKCE", (_, make) => {
  it("refuses a code that the browser did not request", { tags: ["threat:A-025", "threat:CS-10"] }, async () => {
    const calls: string[] = []
    const fetch = async (input: unknown): Promise<Response> => {
      const url = input instanceof Request ? input.url : String(input)
      calls.push(url)
      // Twitch as it was seen: no code_challenge_methods_supported. Even if that changed, the state stays a check.
      const base = "https://id.twitch.tv/oauth2"
      const document = {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/keys`,
        userinfo_endpoint: `${base}/userinfo`,
        code_challenge_methods_supported: ["S256"],
      }
      return url.includes("openid-configuration") ? Response.json(document) : Response.json({ error: "unplanned" })
    }
    const { id, ...rest } = make({ clientId: "c", clientSecret: "s" })
    const written = { id, ...rest, [customFetch]: fetch } as unknown as Provider
    const world = await makeWorld({ more: [written] })
    const victim = world.browser()
    await world.signInByMail(victim, "victim@app.test")
    const { location } = await victim.post(`/auth/signin/${id}`)
    expect(new URL(location ?? "").searchParams.get("state")).toBeTruthy()
    const visit = await victim.get(`/auth/callback/${id}?code=the-code-of-the-thief`)
    expect(visit.location).toContain("error=OAuthCallbackError")
    expect(calls.filter((url) => url.endsWith("/token"))).toEqual([])
    expect(await addressIn(victim)).toBe("victim@app.test")
  })
})
