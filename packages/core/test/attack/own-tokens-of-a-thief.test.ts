/** Sessions whose tokens the application makes, in rows that a store does not find by their user: they end by their records. */
import { randomUUID } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { passkeys } from "../../src/passkeys.js"
import { managedSessions } from "../../src/sessions.js"
import type { TestBrowser } from "../support/browser.js"
import { holdingCalls } from "../support/held-calls.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { withoutSome } from "../support/without-some.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"
const byClaim = (profile: { email_verified?: boolean }): boolean | undefined => profile.email_verified

it.each(["mail", "a provider that links by address"])(
  "end when the owner of the address comes by %s, and add nothing",
  { tags: ["threat:A-022"] },
  async (way) => {
    const { experimental, providers: more = [] } = passkeyConfig
    const world = await makeWorld({
      adapter: withoutSome(["deleteSessionsByUserId"]),
      more,
      provider: { emailVerified: byClaim, allowDangerousEmailAccountLinking: true },
      config: {
        session: { strategy: "database", generateSessionToken: () => randomUUID() },
        experimental,
        features: [passkeys(), managedSessions()],
      },
    })
    const [thief, owner, later] = [world.browser(), world.browser(), world.browser()]
    await registerPasskey(thief, softwarePasskey(), address)
    expect(await thief.session()).toMatchObject({ user: { email: address } })
    await (way === "mail" ? world.signInByMail(owner, address) : world.signInAtOp(owner))
    expect(await owner.session()).toMatchObject({ user: { email: address } })
    expect(await thief.session()).toBeNull()
    const key = softwarePasskey()
    await registerPasskey(thief, key)
    if (key.credentials.length > 0) await signInByPasskey(later, key)
    expect(await later.session()).toBeNull()
    expect(await owner.session()).toMatchObject({ user: { email: address } })
  },
)

it("end also where they are given new tokens all the time", { tags: ["threat:A-022"] }, async () => {
  const { experimental, providers: more = [] } = passkeyConfig
  const store = withoutSome(["deleteSessionsByUserId", "transaction"])
  const sessions = managedSessions()
  const key = softwarePasskey()
  let thieves: TestBrowser[] = []
  let isRotating = false
  const rotateAll = async (): Promise<void> => {
    if (isRotating) return
    isRotating = true
    for (const thief of thieves) {
      const cookie = [...thief.jar].map(([name, { value }]) => `${name}=${value}`).join("; ")
      const source = { url: "https://app.test/", headers: new Headers({ cookie }) }
      const { cookies } = await sessions.rotate(world.auth, source)
      for (const { name, value } of cookies) thief.setCookie(name, value)
    }
    isRotating = false
  }
  const world = await makeWorld({
    adapter: {
      ...store,
      async deleteSession(token) {
        await rotateAll()
        return store.deleteSession?.(token)
      },
    },
    more,
    config: {
      session: { strategy: "database", generateSessionToken: () => randomUUID() },
      experimental,
      features: [passkeys(), sessions],
    },
  })
  const [first, second, owner] = [world.browser(), world.browser(), world.browser()]
  await registerPasskey(first, key, address)
  await signInByPasskey(second, key)
  thieves = [first, second]
  await world.signInByMail(owner, address)
  thieves = []
  expect(await owner.session()).toMatchObject({ user: { email: address } })
  for (const thief of [first, second]) expect(await thief.session()).toBeNull()
})

it.each(["putRecord", "updateAccount"] as const)(
  "begin none while the owner comes, though %s is late",
  { tags: ["threat:A-022"] },
  async (operation) => {
    const { adapter, hold } = holdingCalls(withoutSome(["transaction", "deleteSessionsByUserId"]))
    const session = { strategy: "database" as const, generateSessionToken: () => randomUUID() }
    const config = { session, features: [managedSessions()] }
    const world = await makeWorld({ adapter, second: { id: "silent" }, config })
    const [first, thief, owner] = [world.browser(), world.browser(), world.browser()]
    world.op.person = { sub: "eve", name: "Eve", email: address }
    await world.signInAtOp(first, { provider: "silent" })
    const held = await hold(operation, () => world.signInAtOp(thief, { provider: "silent" }))
    await world.signInByMail(owner, address)
    await held.finish()
    for (const browser of [first, thief]) expect(await browser.session()).toBeNull()
    expect(await owner.session()).toMatchObject({ user: { email: address } })
  },
)
