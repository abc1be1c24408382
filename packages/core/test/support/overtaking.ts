/** An attacker who has a passkey at somebody's address does something at the moment at which the owner arrives. */
import { randomUUID } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { TestBrowser, Visit } from "./browser.js"
import { type Held, holdingCalls } from "./held-calls.js"
import { registerPasskey, signInByPasskey } from "./passkeys.js"
import { makeWorld } from "./world.js"

const address = "ada@op.test"
const verifying = {
  emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified,
  allowDangerousEmailAccountLinking: true,
}

/** How sessions are kept: `database` also with tokens of the application, which do not say how a session began. */
const kept = [
  { sessions: "jwt", session: { strategy: "jwt" } },
  { sessions: "database", session: { strategy: "database" } },
  { sessions: "database, own tokens", session: { strategy: "database", generateSessionToken: () => randomUUID() } },
] as const

/** How the owner arrives, and how sessions are kept. */
export const arrivals = (["mail", "a provider"] as const).flatMap((way) => kept.map((how) => ({ way, ...how })))

type Arrival = (typeof arrivals)[number]

async function withThief(store: Adapter, { way, session }: Arrival) {
  const { adapter, hold } = holdingCalls(store)
  const config = { experimental: { enableWebAuthn: true }, session }
  const given = { adapter, provider: verifying, more: [Passkey()], config }
  const world = await makeWorld({ ...given, ...(way === "a provider" && { mail: false as const }) })
  world.op.person = { sub: "person-1", name: "Ada", email: address, email_verified: true }
  const [thief, owner, first, second] = [world.browser(), world.browser(), softwarePasskey(), softwarePasskey()]
  await registerPasskey(thief, first, address)
  const arrive = () => (way === "mail" ? world.signInByMail(owner, address) : world.signInAtOp(owner))
  const isIn = async (browser: TestBrowser) => (await browser.session()) !== null
  /** The owner is in, and nothing that the attacker has signs them in. */
  const expectOwnerAlone = async (): Promise<void> => {
    expect(await owner.session()).toMatchObject({ user: { email: address } })
    expect(await isIn(thief)).toBe(false)
    for (const key of [first, second]) {
      const later = world.browser()
      if (key.credentials.length > 0) await signInByPasskey(later, key)
      expect(await isIn(later)).toBe(false)
    }
  }
  return { world, hold, thief, first, second, arrive, expectOwnerAlone }
}

/** What a database has to hold whose transactions do not see each other. */
export function expectNoLateEntry(arrival: Arrival, open: () => Promise<Adapter>): void {
  const tags = ["threat:A-022"]
  const overtakes = async (held: Held<Visit>, other: () => Promise<Visit>): Promise<void> => {
    await other()
    await held.finish()
  }

  it("a passkey that is added while the owner arrives signs nobody in", { tags }, async () => {
    const { hold, thief, second, arrive, expectOwnerAlone } = await withThief(await open(), arrival)
    await overtakes(await hold("linkAccount", () => registerPasskey(thief, second)), arrive)
    await expectOwnerAlone()
  })

  it("neither does one that is added after the owner has looked", { tags }, async () => {
    const { hold, thief, second, arrive, expectOwnerAlone } = await withThief(await open(), arrival)
    await overtakes(await hold("unlinkAccount", arrive), () => registerPasskey(thief, second))
    await expectOwnerAlone()
  })

  it("a session that begins while the owner arrives is none", { tags }, async () => {
    const { world, hold, first, arrive, expectOwnerAlone } = await withThief(await open(), arrival)
    const other = world.browser()
    await overtakes(await hold("updateAuthenticatorCounter", () => signInByPasskey(other, first)), arrive)
    expect(await other.session()).toBeNull()
    await expectOwnerAlone()
  })

  it("neither is one that begins after the owner has looked", { tags }, async () => {
    const { world, hold, first, arrive, expectOwnerAlone } = await withThief(await open(), arrival)
    const other = world.browser()
    await overtakes(await hold("unlinkAccount", arrive), () => signInByPasskey(other, first))
    expect(await other.session()).toBeNull()
    await expectOwnerAlone()
  })
}
