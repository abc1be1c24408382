/** Somebody at an address that is not theirs renews their session without a pause, while its owner signs in: it ends all the same. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import { registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"

interface Given {
  /** How many rows of sessions are written before the owner comes. */
  readonly rows: number
  readonly config?: object
}

/** Eve has registered a passkey at the address of Ada, and ends all other sessions of hers, which renews her own. Meanwhile Ada arrives. */
async function renewed({ rows, config }: Given, arrive: (world: World) => Promise<unknown>) {
  const memory = memoryAdapter()
  let left = Number.POSITIVE_INFINITY
  const store: Adapter = {
    ...memory,
    // As databases do that let neither of two transactions see the other.
    transaction: (work) => work(store),
    async createSession(session) {
      if (left-- === 0) await arrive(world)
      return memory.createSession(session)
    },
  }
  const world = await makeWorld({
    strategy: "database",
    adapter: store,
    more: [Passkey()],
    config: { experimental: { enableWebAuthn: true }, features: [managedSessions()], ...config },
  })
  const eve = world.browser()
  await registerPasskey(eve, softwarePasskey(), address)
  const user = await memory.getUserByEmail(address)
  // A session from before, so that rows are written anew.
  const expires = new Date(Date.now() + 60_000)
  await memory.createSession({ sessionToken: "from-before", userId: user?.id ?? "", expires })
  left = rows
  await eve.post("/auth/sessions", { end: "others" })
  expect(left).toBeLessThan(0)
  return { ...world, session: () => eve.session() }
}

type World = Awaited<ReturnType<typeof makeWorld>>

describe.each([
  ["a provider", (world: World) => world.signInAtOp(world.browser())],
  ["mail", (world: World) => world.signInByMail(world.browser(), address)],
])("where the owner comes by %s", (_, arrive) => {
  let count = 0
  const ownTokens = { session: { strategy: "database", generateSessionToken: () => `token-${count++}` } }

  it.each([
    ["while the session gets a new token", { rows: 0 }],
    ["while rows are written anew", { rows: 1 }],
    ["while a session with a token of the application's own gets a new one", { rows: 0, config: ownTokens }],
    ["while rows with tokens of the application's own are written anew", { rows: 1, config: ownTokens }],
  ])("%s", { tags: ["threat:SF-08", "threat:A-022"] }, async (__, given) => {
    let visit: unknown
    const { session, adapter } = await renewed(given, async (world) => {
      visit = await arrive(world)
    })
    expect(visit).toMatchObject({ location: "https://app.test/" })
    expect(await session()).toBeNull()
    const owner = await adapter.getUserByEmail?.(address)
    expect(owner).not.toBeNull()
  })
})
