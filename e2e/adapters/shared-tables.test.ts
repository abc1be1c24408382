/** The published adapters and ours on the same tables: each finds what the other wrote, and the change signs no user out. */
import type { Adapter } from "@latchkey/core/adapters"
import { describe, expect, inject, it } from "vitest"
import { byMail, byProvider, type Person, rehearsalConfig } from "../../packages/adapter-contract/src/rehearsal.js"
import { openVisitor } from "../../packages/adapter-contract/src/visitor.js"
import { createAuth } from "../../packages/core/src/engine/auth.js"
import { grounds, loadOpeners, ours, theirs, withTables } from "./grounds.js"
import { findPeople, type Tolerance, writePeople } from "./people.js"
import {
  addressRequired,
  keyOf,
  notMade,
  notOpened,
  type SharedTables,
  sharedTables,
  wholeSeconds,
} from "./shared-tables.data.js"
import { structureOf } from "./structure.js"

const isThere = ({ place }: SharedTables): boolean => place === "sqlite" || inject(place) !== ""
const isOpened = (shared: SharedTables): boolean => notOpened[keyOf(shared)] === undefined
const run = sharedTables.filter((shared) => isThere(shared) && isOpened(shared))

describe.each(run.map((shared) => [keyOf(shared), shared] as const))("the tables of %s", (key, shared) => {
  const tolerance: Tolerance = { precision: wholeSeconds.has(key) ? 1000 : 0 }
  const isAddressRequired = addressRequired.has(shared.published.tool)

  it("hold what ours writes after the migration as the published adapter reads it", async () => {
    const ground = await withTables(shared)
    const adapter = ours(shared, ground, { sessionTokens: "plain" })
    await adapter.migrate()
    const people = await writePeople(adapter, "ours", isAddressRequired)
    await findPeople((await theirs(shared, ground)).adapter, people, tolerance)
  })

  it("keep what the published adapter wrote, and what it goes on writing, readable for ours", async () => {
    const ground = await withTables(shared)
    const { adapter: published } = await theirs(shared, ground)
    const before = await writePeople(published, "before", isAddressRequired)
    const adapter = ours(shared, ground)
    await adapter.migrate()
    await findPeople(adapter, before, tolerance)
    expect((await adapter.check()).problems).toEqual([])
    await findPeople(adapter, await writePeople(published, "beside", isAddressRequired), tolerance)
  })

  it("keep everybody signed in through the move and the move back", async () => {
    const ground = await withTables(shared)
    const { adapter: published } = await theirs(shared, ground)
    const people = [byProvider, byMail].map((way, at) => {
      const person: Person = { email: `p${at}@example.test`, account: `account-${at}`, mails: [], credentials: [] }
      const serviceOn = (adapter: Adapter) => createAuth(rehearsalConfig(person, adapter, "database"), { env: {} })
      const visitor = openVisitor(serviceOn(published))
      return { person, way, serviceOn, visitor, stage: { person, visitor } }
    })
    for (const { way, stage, visitor, person } of people) {
      await way(stage)
      expect(await visitor.whoami()).toBe(person.email)
    }
    const adapter = ours(shared, ground)
    await adapter.migrate()
    const idOf = async (email: string) => String((await adapter.getUserByEmail(email))?.id)
    const goingBack = ours(shared, ground, { sessionTokens: "plain" })
    for (const { way, stage, visitor, person, serviceOn } of people) {
      const id = await idOf(person.email)
      visitor.moveTo(serviceOn(adapter))
      expect(await visitor.whoami()).toBe(person.email)
      await visitor.post("/auth/signout", {})
      expect(await visitor.whoami()).toBeUndefined()
      visitor.moveTo(serviceOn(goingBack))
      await way(stage)
      expect(await visitor.whoami()).toBe(person.email)
      expect(await idOf(person.email)).toBe(id)
      visitor.moveTo(serviceOn(published))
      expect(await visitor.whoami()).toBe(person.email)
      await visitor.post("/auth/signout", {})
      await way(stage)
      expect(await visitor.whoami()).toBe(person.email)
      expect(await idOf(person.email)).toBe(id)
    }
  })

  if (notMade[key] !== undefined) return

  it("are those that the tool makes itself", async () => {
    const [made, written] = [await grounds[shared.place](), await withTables(shared)]
    const tool = await theirs(shared, made)
    await tool.makeTables?.()
    await made.run(...((await tool.printTables?.()) ?? []))
    expect(await structureOf(shared.place, written)).toEqual(await structureOf(shared.place, made))
  })
})

it("a published adapter that is not run has a reason, and cannot be opened", async () => {
  const openers = await loadOpeners()
  for (const shared of sharedTables.filter((it) => !isOpened(it))) {
    expect(openers[shared.published.tool]?.[shared.place]).toBeUndefined()
    expect(notOpened[keyOf(shared)]).toMatch(/\w{3}/)
  }
  expect(Object.keys(notOpened).filter((key) => !sharedTables.some((shared) => keyOf(shared) === key))).toEqual([])
})
