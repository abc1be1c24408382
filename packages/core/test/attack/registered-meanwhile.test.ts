/** An attacker registers a passkey at somebody's address, in a store without transactions, while the owner arrives: the owner finds a user who is not whole yet. */
import { type SoftwarePasskey, softwarePasskey } from "@latchkey/testing"
import { toBase64url } from "@latchkey/testing/webauthn"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { TestBrowser } from "../support/browser.js"
import { holdingCalls } from "../support/held-calls.js"
import { optionsOf, signInByPasskey } from "../support/passkeys.js"
import { steppedCalls } from "../support/stepped-calls.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"
const tags = ["threat:A-022"]
const linking = {
  emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified,
  allowDangerousEmailAccountLinking: true,
}

/** A store without transactions, and without these operations. */
function storeWithout(...names: readonly (keyof Adapter)[]): Adapter {
  const { transaction: _, ...store } = memoryAdapter()
  return Object.fromEntries(Object.entries(store).filter(([name]) => !names.includes(name as keyof Adapter)))
}

interface Arrival {
  readonly strategy: "jwt" | "database"
  readonly store: Adapter
  readonly hasMail: boolean
  readonly links: boolean
}

async function open({ strategy, store, hasMail, links }: Arrival) {
  const { adapter, cross } = steppedCalls(store)
  const config = { experimental: { enableWebAuthn: true } }
  const given = { strategy, adapter, more: [Passkey()], config, ...(links && { provider: linking }) }
  return { world: await makeWorld({ ...given, ...(!hasMail && { mail: false }) }), cross }
}

/** A registration that only has to be sent. */
async function prepare(browser: TestBrowser, email: string, create: SoftwarePasskey["create"]) {
  const { options } = await optionsOf(browser, { action: "register", email })
  const body = { action: "register", data: JSON.stringify(await create(options)) }
  return () => browser.post("/auth/callback/passkey", body, { csrf: false, json: true })
}

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it.each([
    { way: "by mail", kind: "that writes in steps", without: ["createUserWithAccount"] },
    { way: "by mail", kind: "that lists no accounts", without: ["createUserWithAccount", "listAccountsByUserId"] },
    { way: "by a provider", kind: "that writes user and account at once", without: [] },
    { way: "by linking", kind: "that writes in steps", without: ["createUserWithAccount"] },
  ] as const)("the owner comes $way at any moment of a registration in a store $kind", { tags }, async (given) => {
    const [hasMail, links] = [given.way === "by mail", given.way === "by linking"]
    const { world, cross } = await open({ strategy, store: storeWithout(...given.without), hasMail, links })
    for (let first = 1; ; first += 1) {
      const address = `ada-${first}@op.test`
      world.op.person = { sub: address, name: "Ada", email: address, email_verified: true }
      const [thief, owner, later, key] = [world.browser(), world.browser(), world.browser(), softwarePasskey()]
      const arrive = () => (hasMail ? world.signInByMail(owner, address) : world.signInAtOp(owner))
      const crossed = await cross(await prepare(thief, address, key.create), arrive, { first })
      if (!crossed.first) return expect(first).toBeGreaterThan(4)
      await signInByPasskey(later, key)
      const isIn = await Promise.all([owner, thief, later].map(async (one) => (await one.session()) !== null))
      expect([first, isIn]).toEqual([first, [true, false, false]])
    }
  })

  it("one that fails leaves the user to an owner who has come by mail meanwhile", { tags }, async () => {
    const { adapter, hold } = holdingCalls(storeWithout("createUserWithAccount"))
    const config = { experimental: { enableWebAuthn: true } }
    const world = await makeWorld({ strategy, adapter, more: [Passkey()], config })
    // An authenticator states whatever id it likes: the same one twice cannot be linked.
    const attestedId = new Uint8Array(32).fill(7)
    const id = toBase64url(attestedId)
    const create: SoftwarePasskey["create"] = (options) =>
      softwarePasskey().create(options, { attestedId, answer: { id, rawId: id } })
    const [first, second, owner] = [world.browser(), world.browser(), world.browser()]
    const [send, sendOther] = [await prepare(first, address, create), await prepare(second, "eve@op.test", create)]
    const held = await hold("linkAccount", send)
    await sendOther()
    await world.signInByMail(owner, address)
    expect((await held.finish()).location ?? "").toContain("error")
    expect(await owner.session()).toMatchObject({ user: { email: address } })
    expect(await adapter.getUserByEmail?.(address)).toMatchObject({ emailVerified: expect.any(Date) })
  })
})
