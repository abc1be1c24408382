/** What must not be guessed is random: 256 bits each, and never the same twice. */
import { expect, it } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

const hex = /^[0-9a-f]{64}$/
const base64url = /^[\w-]{43}$/

it("tokens of sessions, forms and links, the nonce and the verifier are 32 random bytes, never the same", {
  tags: ["threat:V7-06", "threat:P7-02"],
}, async () => {
  const world = await makeWorld({ strategy: "database", provider: { checks: ["state", "pkce", "nonce"] } })
  const made: Record<string, readonly [form: RegExp, values: string[]]> = {
    session: [hex, []],
    csrf: [hex, []],
    link: [hex, []],
    nonce: [base64url, []],
    verifier: [base64url, []],
  }
  const rounds = 25
  const states = new Set<string | null>()
  for (let round = 0; round < rounds; round++) {
    const browser = world.browser()
    made["csrf"]?.[1].push(await browser.csrfToken())
    const begun = await browser.post("/auth/signin/op")
    const asked = new URL(begun.location ?? "").searchParams
    made["nonce"]?.[1].push(asked.get("nonce") ?? "")
    states.add(asked.get("state"))
    const back = world.op.authorize(begun.location ?? "")
    await browser.get(back.pathname + back.search)
    made["verifier"]?.[1].push(world.op.callsOf("token").at(-1)?.body.get("code_verifier") ?? "")
    // After a sign-in at a provider the token of the session names the account as well.
    const reader = world.browser()
    await world.signInByMail(reader, `person${round}@app.test`)
    made["link"]?.[1].push(world.mails.at(-1)?.token ?? "")
    made["session"]?.[1].push(reader.cookie(sessionCookie) ?? "")
  }
  for (const [what, [form, values]] of Object.entries(made))
    for (const value of values) expect(value, what).toMatch(form)
  expect(new Set(Object.values(made).flatMap(([, values]) => values)).size).toBe(5 * rounds)
  expect(states.size).toBe(rounds)
})
