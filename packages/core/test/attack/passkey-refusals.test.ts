/** A passkey that is refused: nothing is written, and the answer says the same whatever the reason was. */
import { type Misbehaviour, softwarePasskey } from "@latchkey/testing"
import { newKeys } from "@latchkey/testing/webauthn"
import { describe, expect, it } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { optionsOf, passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
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
