/** Somebody who measures how long answers take does not learn who has an account: known and unknown people in turn, compared by rank. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { Passkey } from "../../packages/core/src/providers/passkey.js"
import type { TestBrowser } from "../../packages/core/test/support/browser.js"
import { credentialsProvider } from "../../packages/core/test/support/credentials.js"
import { registerPasskey } from "../../packages/core/test/support/passkeys.js"
import { makeWorld, type World } from "../../packages/core/test/support/world.js"

const rounds = 400
const known = "ada@app.test"
/** As long as the known one. */
const unknown = (round: number): string => `a${String(round).padStart(2, "0").slice(-2)}@app.test`

/** The share of pairs in which the first is slower: one half when nothing tells them apart. */
function slowerShare(one: readonly number[], other: readonly number[]): number {
  const sorted = other.toSorted((a, b) => a - b)
  let wins = 0
  for (const value of one) wins += sorted.filter((given) => given < value).length
  return wins / (one.length * other.length)
}

async function compare(ask: (email: string) => Promise<unknown>): Promise<number> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    // In changing order, so that what comes before is the same for both.
    const order = round % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)
    for (const which of order) {
      const email = which === "known" ? known : unknown(round)
      const began = performance.now()
      await ask(email)
      if (round >= 50) times[which].push(performance.now() - began)
    }
  }
  return slowerShare(times.known, times.unknown)
}

async function open(): Promise<World> {
  const world = await makeWorld({
    strategy: "jwt",
    more: [Passkey(), credentialsProvider(async () => null)],
    config: { experimental: { enableWebAuthn: true }, limits: false },
  })
  await registerPasskey(world.browser(), softwarePasskey(), known)
  return world
}

describe("how long an answer takes", () => {
  it.each<[string, (browser: TestBrowser) => (email: string, csrfToken: string) => Promise<unknown>]>([
    [
      "links by mail",
      (browser) => (email, csrfToken) => browser.post("/auth/signin/mail", { email, csrfToken }, { csrf: false }),
    ],
    [
      "options of passkeys",
      (browser) => (email) =>
        browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams({ action: "authenticate", email })}`),
    ],
  ])(
    "says nothing about an address: %s",
    async (name, asking) => {
      const browser = (await open()).browser()
      const csrfToken = await browser.csrfToken()
      const ask = asking(browser)
      const share = await compare((email) => ask(email, csrfToken))
      console.log(`${name}: a known address is slower in ${(share * 100).toFixed(0)} % of pairs`)
      expect(Math.abs(share - 0.5)).toBeLessThan(0.2)
    },
    120_000,
  )

  it("says nothing about how much of a secret was right: CSRF tokens", async () => {
    const world = await open()
    const browser = world.browser()
    const token = await browser.csrfToken()
    const wrongAt = (index: number): string =>
      token.slice(0, index) + (token[index] === "0" ? "1" : "0") + token.slice(index + 1)
    const share = await compare((email) =>
      browser.post("/auth/signout", { csrfToken: wrongAt(email === known ? 60 : 0) }, { csrf: false }),
    )
    expect(Math.abs(share - 0.5)).toBeLessThan(0.2)
  }, 120_000)
})
