/** Passkeys through the whole service: what is written, who may write it, and what is said of a refusal. */
import { type Misbehaviour, softwarePasskey } from "@latchkey/testing"
import { newKeys } from "@latchkey/testing/webauthn"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import { sessionCookie } from "../support/journeys.js"
import { optionsOf, passkeyCeremony, passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type WorldOptions } from "../support/world.js"

const strategies = ["jwt", "database"] as const

/** A world in which Ada has a passkey; `row` reads what is stored of it. */
async function adaHasPasskey(strategy: WorldOptions["strategy"]) {
  const callbacks = { isOpen: true, signIn: (): boolean => callbacks.isOpen }
  const world = await makeWorld({ strategy: strategy ?? "jwt", config: { ...passkeyConfig, callbacks } })
  const authenticator = softwarePasskey()
  await registerPasskey(world.browser(), authenticator, "ada@app.test")
  const user = await world.adapter.getUserByEmail?.("ada@app.test")
  const row = async () => (await world.adapter.listAuthenticatorsByUserId?.(user?.id ?? ""))?.[0]
  return { world, authenticator, callbacks, row }
}

describe.each(strategies)("a passkey that the signIn callback refuses, %s", (strategy) => {
  it("opens no session, and its counter stays what it was until it is let in", {
    tags: ["threat:WA-18"],
  }, async () => {
    const { world, authenticator, callbacks, row } = await adaHasPasskey(strategy)
    const before = await row()
    callbacks.isOpen = false
    const browser = world.browser()
    const refused = await signInByPasskey(browser, authenticator)
    expect(refused.text + refused.location).toContain("AccessDenied")
    expect([browser.cookie(sessionCookie), await row()]).toEqual([undefined, before])
    callbacks.isOpen = true
    await signInByPasskey(browser, authenticator)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
    expect(await row()).toEqual({ ...before, counter: authenticator.credentials[0]?.counter })
  })
})

describe("the answer to a passkey that does not fit", () => {
  const wrong: Readonly<Record<string, () => Promise<Misbehaviour>>> = {
    "another origin": async () => ({ clientData: { origin: "https://evil.test" } }),
    "a signature of another key": async () => ({ keys: await newKeys() }),
    "a counter that stands still": async () => ({ counter: 1 }),
    "an id that nobody registered": async () => ({ answer: { id: "AAAA", rawId: "AAAA" } }),
    "no authenticator data": async () => ({ response: { authenticatorData: undefined } }),
  }

  it.each([
    ["a page", {}, "302 https://app.test/auth/signin?error=Signin "],
    [
      "the client",
      { "x-auth-return-redirect": "1" },
      `401 undefined {"error":"Signin","message":"The request was refused: load the page again and repeat.","url":"https://app.test/auth/signin?error=Signin"}`,
    ],
  ])(
    "names %s no reason and no place in the code, which the log does",
    {
      tags: ["threat:WA-25", "threat:WA-02"],
    },
    async (_, headers: Record<string, string>, expected) => {
      const said = new Set<string>()
      for (const [title, misbehaviour] of Object.entries(wrong)) {
        const { world, authenticator, row } = await adaHasPasskey("database")
        await signInByPasskey(world.browser(), authenticator)
        const before = await row()
        const browser = world.browser()
        const { options } = await optionsOf(browser, { action: "authenticate" })
        const data = JSON.stringify(await authenticator.get(options, await misbehaviour()))
        const body = { action: "authenticate", data }
        const { status, location, text } = await browser.post("/auth/callback/passkey", body, {
          csrf: false,
          json: true,
          headers,
        })
        const [error] = world.errors as (Error & { cause?: { err?: Error } })[]
        expect(error, title).toMatchObject({ type: "WebAuthnVerificationError", cause: { err: expect.any(Error) } })
        const reason = String(error?.cause?.err?.message)
        const answer = `${status} ${location} ${text}`
        expect(answer).not.toContain(reason)
        expect(answer).not.toMatch(/\.[jt]s:\d|\bat \S+ \(|node_modules/)
        said.add(answer)
        expect([browser.cookie(sessionCookie), await row()]).toEqual([undefined, before])
      }
      expect([...said]).toEqual([expected])
    },
  )
})

describe.each(["with a store of tokens", "without one"])("the cookie of the challenge, %s", (kind) => {
  it.each([
    ["an answer that fits", {}, 1],
    ["one that does not", { clientData: { origin: "https://evil.test" } }, 0],
  ])("is cleared by %s", { tags: ["threat:WO-03", "threat:WO-08"] }, async (_, misbehaviour, sessions) => {
    const { createVerificationToken, useVerificationToken, ...less } = memoryAdapter()
    const adapter = kind === "without one" ? less : { ...less, createVerificationToken, useVerificationToken }
    const world = await makeWorld({ strategy: "jwt", mail: false, adapter, config: passkeyConfig })
    const authenticator = softwarePasskey()
    await registerPasskey(world.browser(), authenticator, "ada@app.test")
    const browser = world.browser()
    const { options } = await optionsOf(browser, { action: "authenticate" })
    expect([...browser.jar.keys()].filter((name) => name.includes("challenge"))).toHaveLength(1)
    const body = { action: "authenticate", data: JSON.stringify(await authenticator.get(options, misbehaviour)) }
    await browser.post("/auth/callback/passkey", body, { csrf: false, json: true })
    expect([...browser.jar.keys()].filter((name) => name.includes("challenge"))).toEqual([])
    expect([...browser.jar.keys()].filter((name) => name === sessionCookie)).toHaveLength(sessions)
    await browser.post("/auth/signout")
    const again = await browser.post("/auth/callback/passkey", body, { csrf: false, json: true })
    expect(again.location).toContain("error=")
    expect(browser.cookie(sessionCookie)).toBeUndefined()
  })
})

describe("a registration", () => {
  it("leaves a user whose address is unproven, and the row of the passkey", {
    tags: ["threat:WR-37", "threat:WR-38"],
  }, async () => {
    const { world, authenticator, row } = await adaHasPasskey("database")
    const user = await world.adapter.getUserByEmail?.("ada@app.test")
    expect(user).toMatchObject({ email: "ada@app.test", emailVerified: null })
    const id = Buffer.from(authenticator.credentials[0]?.id ?? []).toString("base64")
    expect(await row()).toEqual({
      userId: user?.id,
      credentialID: id,
      providerAccountId: id,
      credentialPublicKey: expect.stringMatching(/^[A-Za-z0-9+/]{103}=$/),
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: "internal,hybrid",
    })
    const account = { provider: "passkey", providerAccountId: id }
    expect(await world.adapter.getUserByAccount?.(account)).toMatchObject({ id: user?.id })
  })

  it.each(strategies)(
    "of somebody who is signed in adds the passkey to them, and they stay who they are, %s",
    {
      tags: ["threat:WR-39"],
    },
    async (strategy) => {
      const world = await makeWorld({ strategy, more: [Passkey()], config: { experimental: { enableWebAuthn: true } } })
      const browser = world.browser()
      await world.signInByMail(browser, "ada@app.test")
      await world.signInByMail(world.browser(), "eve@app.test")
      await passkeyCeremony(browser, softwarePasskey(), { action: "register", email: "eve@app.test" })
      expect(world.errors).toEqual([])
      expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
      const count = async (email: string): Promise<number> => {
        const user = await world.adapter.getUserByEmail?.(email)
        return (await world.adapter.listAuthenticatorsByUserId?.(user?.id ?? ""))?.length ?? -1
      }
      expect([await count("ada@app.test"), await count("eve@app.test")]).toEqual([1, 0])
    },
  )

  it("is not made for somebody who is signed in by an answer to the challenge of another browser", {
    tags: ["threat:WR-39"],
  }, async () => {
    const config = { experimental: { enableWebAuthn: true } }
    const world = await makeWorld({ strategy: "database", more: [Passkey()], config })
    const [browser, other] = [world.browser(), world.browser()]
    await world.signInByMail(browser, "ada@app.test")
    await world.signInByMail(other, "eve@app.test")
    const asked = { action: "register" }
    await optionsOf(browser, asked)
    const { options } = await optionsOf(other, asked)
    const body = { ...asked, data: JSON.stringify(await softwarePasskey().create(options)) }
    const post = async (): Promise<void> => {
      const visit = await browser.post("/auth/callback/passkey", body, { csrf: false, json: true })
      expect(visit.location).toContain("error=")
    }
    await post()
    // A host next door plants the other challenge as well: it is sealed with the user it was made for.
    for (const [name, { value }] of other.jar) if (name.includes("challenge")) browser.setCookie(name, value)
    await post()
    const user = await world.adapter.getUserByEmail?.("ada@app.test")
    expect(await world.adapter.listAuthenticatorsByUserId?.(user?.id ?? "")).toEqual([])
  })
})

it("an action of a ceremony that nobody knows is a bad request", { tags: ["threat:WO-14"] }, async () => {
  const world = await makeWorld({ strategy: "jwt", config: passkeyConfig })
  expect((await world.browser().get("/auth/webauthn-options/passkey?action=delete")).status).toBe(400)
})

it("where no host is trusted, passkeys belong to the address of the configuration", {
  tags: ["threat:WR-08", "threat:WO-09"],
}, async () => {
  const world = await makeWorld({
    strategy: "jwt",
    config: { ...passkeyConfig, trustHost: false },
    env: { AUTH_URL: "https://app.test/auth" },
    origin: "https://evil.test",
  })
  const register = async (origin: string) => {
    const browser = world.browser()
    const asked = { action: "register", email: `${origin.length}@app.test` }
    const { options } = await optionsOf(browser, asked)
    expect(options.rp).toMatchObject({ id: "app.test" })
    const data = JSON.stringify(await softwarePasskey({ origin }).create(options))
    await browser.post("/auth/callback/passkey", { action: "register", data }, { csrf: false, json: true })
    return browser.cookie(sessionCookie) !== undefined
  }
  expect([await register("https://evil.test"), await register("https://app.test")]).toEqual([false, true])
})
