/** Two responses of one passkey that overlap: its counter never runs back, whichever is stored first. */
import { type SoftwarePasskey, softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

/** A world whose `signIn` callback holds one browser back until it is let go. */
async function worldWithGate(strategy: "jwt" | "database") {
  const gate = { isHolding: false, reached: () => {}, open: () => {} }
  const signIn = async (): Promise<boolean> => {
    if (!gate.isHolding) return true
    gate.isHolding = false
    await new Promise<void>((resolve) => {
      gate.open = resolve
      gate.reached()
    })
    return true
  }
  const world = await makeWorld({ strategy, config: { ...passkeyConfig, callbacks: { signIn } } })
  /** Resolves when the work waits at the gate. */
  const hold = async <T>(work: () => Promise<T>): Promise<{ finish: () => Promise<T> }> => {
    gate.isHolding = true
    const isThere = new Promise<void>((resolve) => {
      gate.reached = resolve
    })
    const outcome = work()
    await isThere
    return {
      finish: () => {
        gate.open()
        return outcome
      },
    }
  }
  return { world, hold }
}

const counterOf = ({ credentials }: SoftwarePasskey): number => credentials[0]?.counter ?? -1

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it("an earlier response that comes to an end after a later one is refused, and the higher count stays", {
    tags: ["threat:WA-16"],
  }, async () => {
    const { world, hold } = await worldWithGate(strategy)
    const authenticator = softwarePasskey()
    await registerPasskey(world.browser(), authenticator, "ada@app.test")
    const [earlier, later] = [world.browser(), world.browser()]
    const held = await hold(() => signInByPasskey(earlier, authenticator))
    await signInByPasskey(later, authenticator)
    const visit = await held.finish()
    expect(visit.location ?? visit.text).toContain("error")
    expect([earlier.cookie(sessionCookie), typeof later.cookie(sessionCookie)]).toEqual([undefined, "string"])
    const [user] = [await world.adapter.getUserByEmail?.("ada@app.test")]
    const [row] = (await world.adapter.listAuthenticatorsByUserId?.(String(user?.id))) ?? []
    expect(row?.counter).toBe(counterOf(authenticator))
  })

  it("a later response that comes to an end after an earlier one signs in as well", {
    tags: ["threat:WA-16"],
  }, async () => {
    const { world, hold } = await worldWithGate(strategy)
    const authenticator = softwarePasskey()
    await registerPasskey(world.browser(), authenticator, "ada@app.test")
    const browser = world.browser()
    const held = await hold(() => signInByPasskey(browser, authenticator))
    await held.finish()
    expect(await browser.session()).toMatchObject({ user: {} })
  })
})
