/** Databases that take letters with and without accents for the same, as MySQL does by default: an address that only looks like another is not that address. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AdapterUser } from "../../src/types/identity.js"
import { makeWorld } from "../support/world.js"

const base = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").trimEnd().toLowerCase().replaceAll("ı", "i")

/** An adapter of somebody else's, over a table whose columns compare that way. */
function folding(rows: readonly Partial<AdapterUser>[]): Adapter {
  const memory = memoryAdapter()
  const { transaction, ...rest } = memory
  const users: AdapterUser[] = rows.map((row, index) => ({
    id: `user-${index}`,
    email: "",
    emailVerified: null,
    ...row,
  }))
  const stored = Promise.all(users.map((user) => memory.createUser(user)))
  return {
    ...rest,
    async createUser(user) {
      users.push(user)
      return memory.createUser(user)
    },
    async getUserByEmail(email) {
      const made = await stored
      const at = users.findIndex((user) => base(user.email) === base(email))
      return at < 0 ? null : (made[at] ?? memory.getUserByEmail(users[at]?.email ?? ""))
    },
  }
}

const provider = { emailVerified: () => true, allowDangerousEmailAccountLinking: true }

describe.each(["jwt", "database"] as const)("an address that a database takes for another, %s", (strategy) => {
  it.each([
    ["the victim's has an accent", "josé@op.test", "jose@op.test"],
    ["the victim's domain has one", "jose@münchen.test", "jose@munchen.test"],
    ["the victim's has a letter without a dot", "jıll@op.test", "jill@op.test"],
  ])("by mail: %s", { tags: ["threat:FD-21"] }, async (_, victims, own) => {
    const world = await makeWorld({ strategy, adapter: folding([{ email: victims, name: "Victim" }]) })
    const thief = world.browser()
    await world.signInByMail(thief, own)
    expect(await thief.session()).not.toMatchObject({ user: { name: "Victim" } })
  })

  it.each([
    ["josé@op.test", "jose@op.test"],
    ["jose@op.test", "josé@op.test"],
    ["jose@munchen.test", "jose@münchen.test"],
  ])("by a provider that links by address: %s and %s", { tags: ["threat:FD-21"] }, async (victims, own) => {
    const emailVerified = new Date("2026-01-01T00:00:00Z")
    const adapter = folding([{ email: victims, name: "Victim", emailVerified }])
    const world = await makeWorld({ strategy, adapter, provider })
    world.op.person = { sub: "person-2", name: "Eve", email: own, email_verified: true }
    const thief = world.browser()
    await world.signInAtOp(thief)
    expect(await thief.session()).not.toMatchObject({ user: { name: "Victim" } })
  })

  it.each([
    ["in capitals", "Ada@Op.test"],
    ["with a space behind it", "ada@op.test "],
    ["as the application's own second address of the user", "ada.lovelace@op.test"],
  ])("the same address is found, %s", async (_, email) => {
    const { transaction, ...memory } = memoryAdapter()
    const row = await memory.createUser({
      id: "ada",
      email,
      emailVerified: new Date("2026-01-01T00:00:00Z"),
      name: "Ada",
    })
    const adapter: Adapter = { ...memory, getUserByEmail: async () => row }
    const world = await makeWorld({ strategy, adapter })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@op.test")
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})
