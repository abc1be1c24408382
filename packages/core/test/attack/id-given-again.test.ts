/** A store gives the id of somebody who deleted their account to the next user: what is left of the first opens nothing of the second. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TestBrowser } from "../support/browser.js"
import { type CountingGiven, countingAdapter } from "../support/counting-adapter.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"

const eve = { sub: "person-1", name: "Eve", email: "eve@evil.test", email_verified: true }
const ada = { sub: "person-2", name: "Ada", email: "ada@op.test", email_verified: true }
const strategies = ["jwt", "database"] as const

const stores: readonly (readonly [string, CountingGiven])[] = [
  ["with transactions", {}],
  ["that stores a user with the account", { without: ["transaction"] }],
  ["that stores one after the other", { without: ["transaction", "createUserWithAccount"] }],
]

/** Operations that adapters of Auth.js do not have. */
const further = ["transaction", "createUserWithAccount", "listAccountsByUserId", "deleteSessionsByUserId"] as const

interface Scene {
  readonly strategy: (typeof strategies)[number]
  readonly adapter: Adapter
  readonly isManaged?: boolean
  readonly staleness?: number
  readonly records?: AuthConfig["records"]
}

function open({ strategy, adapter, isManaged = false, staleness, records }: Scene): Promise<World> {
  const features = isManaged ? [managedSessions(staleness === undefined ? {} : { staleness })] : []
  const config = { features, experimental: { enableWebAuthn: true }, ...(records && { records }) }
  // A session at an unproven address would end with its account.
  const provider = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }
  return makeWorld({ strategy, adapter, config, provider, more: [Passkey()] })
}

const believing = (scene: Pick<Scene, "adapter" | "records">): Promise<World> =>
  open({ strategy: "jwt", isManaged: true, staleness: 60, ...scene })

async function arrive(world: World, person: typeof ada): Promise<TestBrowser> {
  world.op.person = person
  const browser = world.browser()
  await world.signInAtOp(browser)
  return browser
}

const nameOf = async (browser: TestBrowser): Promise<string | undefined> =>
  ((await browser.session()) as { user?: { name?: string } } | null)?.user?.name

/** Eve has deleted her account and kept the cookie; Ada signs up, and has her id. */
async function afterwards(world: World): Promise<{ thief: TestBrowser; owner: TestBrowser }> {
  const thief = await arrive(world, eve)
  expect(await nameOf(thief)).toBe("Eve")
  await world.adapter.deleteUser?.("1")
  const owner = await arrive(world, ada)
  expect((await world.adapter.getUserByEmail?.(ada.email))?.id).toBe("1")
  return { thief, owner }
}

describe.each(stores)("in a store %s", (_, given) => {
  it.each(strategies)("a managed session opens nothing of the next user, %s", { tags: ["threat:SF-20"] }, async (s) => {
    const adapter = countingAdapter({ ...given, leavesRows: true })
    const world = await open({ strategy: s, adapter, isManaged: true })
    const { thief, owner } = await afterwards(world)
    expect([await thief.session(), await nameOf(owner)]).toEqual([null, "Ada"])
    expect(world.warnings).toContain("id-given-again")
    expect(world.errors).toEqual([])
  })

  it("neither does a row that was left behind", { tags: ["threat:SF-20"] }, async () => {
    const world = await open({ strategy: "database", adapter: countingAdapter({ ...given, leavesRows: true }) })
    const { thief, owner } = await afterwards(world)
    expect([await thief.session(), await nameOf(owner)]).toEqual([null, "Ada"])
  })

  it.each(strategies)(
    "an account that was left behind makes a user of its own, %s",
    { tags: ["threat:SF-20"] },
    async (s) => {
      const world = await open({ strategy: s, adapter: countingAdapter({ ...given, leavesRows: true }) })
      const { owner } = await afterwards(world)
      expect(await nameOf(await arrive(world, eve))).toBe("Eve")
      expect((await world.adapter.getUserByEmail?.(eve.email))?.id).toBe("2")
      expect(world.warnings).toContain("id-given-again")
      expect(await nameOf(owner)).toBe("Ada")
      expect(await nameOf(await arrive(world, ada))).toBe("Ada")
    },
  )

  it("a passkey that was left behind signs nobody in, and the next user's does", {
    tags: ["threat:SF-20"],
  }, async () => {
    const adapter = countingAdapter({ ...given, leavesRows: true })
    const world = await open({ strategy: "jwt", adapter })
    const [passkey, other] = [softwarePasskey(), softwarePasskey()]
    await registerPasskey(world.browser(), passkey, eve.email)
    await world.adapter.deleteUser?.("1")
    await registerPasskey(world.browser(), other, ada.email)
    const [thief, owner] = [world.browser(), world.browser()]
    await signInByPasskey(thief, passkey)
    await signInByPasskey(owner, other)
    expect([await thief.session(), await owner.session()]).toMatchObject([null, { user: { email: ada.email } }])
  })
})

describe("in a store with the operations of Auth.js alone", () => {
  const adapter = () => countingAdapter({ leavesRows: true, without: further })

  it.each(strategies)("a managed session opens nothing of the next user, %s", { tags: ["threat:SF-20"] }, async (s) => {
    const world = await open({ strategy: s, adapter: adapter(), isManaged: true, records: memoryRecords() })
    const { thief, owner } = await afterwards(world)
    expect([await thief.session(), await nameOf(owner)]).toEqual([null, "Ada"])
  })

  it("a passkey that was left behind signs nobody in", { tags: ["threat:SF-20"] }, async () => {
    const world = await open({ strategy: "jwt", adapter: adapter() })
    const passkey = softwarePasskey()
    await registerPasskey(world.browser(), passkey, eve.email)
    await world.adapter.deleteUser?.("1")
    await arrive(world, ada)
    const thief = world.browser()
    await signInByPasskey(thief, passkey)
    expect(await thief.session()).toBeNull()
  })
})

describe("a record that is believed for a while", { tags: ["threat:SF-20"] }, () => {
  it("is not believed for the next user", async () => {
    const world = await open({ strategy: "jwt", adapter: countingAdapter(), isManaged: true, staleness: 60 })
    const { thief, owner } = await afterwards(world)
    expect([await thief.session(), await nameOf(owner)]).toEqual([null, "Ada"])
  })

  it("is not believed at another process than the one at which the next user signs up", async () => {
    const scene = { adapter: countingAdapter({ leavesRows: true }), records: memoryRecords() }
    const [here, there] = [await believing(scene), await believing(scene)]
    const thief = there.browser()
    for (const [name, cookie] of (await arrive(here, eve)).jar) thief.jar.set(name, cookie)
    expect(await nameOf(thief)).toBe("Eve")
    await scene.adapter.deleteUser?.("1")
    const owner = await arrive(here, ada)
    expect([await thief.session(), await nameOf(owner)]).toEqual([null, "Ada"])
  })

  it("is not believed because it was read while the next user signed up", async () => {
    const records = memoryRecords()
    const adapter = countingAdapter({ leavesRows: true, without: ["transaction", "createUserWithAccount"] })
    const world = await believing({ adapter, records })
    const first = await arrive(world, eve)
    const copy = (): TestBrowser => {
      const thief = world.browser()
      for (const [name, cookie] of first.jar) thief.jar.set(name, cookie)
      return thief
    }
    const thief = copy()
    await adapter.deleteUser?.("1")
    const remove = records.deleteRecords.bind(records)
    vi.spyOn(records, "deleteRecords").mockImplementation(async (...given) => {
      await copy().session()
      return remove(...given)
    })
    const owner = await arrive(world, ada)
    expect([await thief.session(), await nameOf(owner)]).toEqual([null, "Ada"])
  })
})

describe("where the store of records is down while somebody signs up", () => {
  it.each(stores)("nobody is stored, and the next try succeeds: a store %s", async (_, given) => {
    const records = memoryRecords()
    let isDown = false
    const failing = {
      ...records,
      deleteRecords: (...given: Parameters<typeof records.deleteRecords>) =>
        isDown ? Promise.reject(new Error("down")) : records.deleteRecords(...given),
    }
    const adapter = countingAdapter(given)
    const world = await open({ strategy: "jwt", adapter, isManaged: true, records: failing })
    const thief = await arrive(world, eve)
    await adapter.deleteUser?.("1")
    isDown = true
    const refused = await arrive(world, ada)
    expect(await refused.session()).toBeNull()
    expect(await adapter.getUserByEmail?.(ada.email)).toBeNull()
    isDown = false
    const owner = await arrive(world, ada)
    expect([await thief.session(), await nameOf(owner)]).toEqual([null, "Ada"])
  })
})

it("accounts that are found and cannot be removed keep the next user from signing up", {
  tags: ["threat:SF-20"],
}, async () => {
  const adapter = countingAdapter({ leavesRows: true, without: ["unlinkAccount"] })
  const world = await open({ strategy: "jwt", adapter })
  await arrive(world, eve)
  await adapter.deleteUser?.("1")
  const owner = await arrive(world, ada)
  expect(await owner.session()).toBeNull()
  expect(await adapter.getUserByEmail?.(ada.email)).toBeNull()
  expect(world.errors.map(({ name }) => name)).toContain("MissingAdapterMethods")
})

it.each(strategies)("nothing more is asked where the id is the one that was drawn, %s", async (strategy) => {
  const asked: string[] = []
  const watching = ([name, work]: [string, unknown]) => {
    if (typeof work !== "function") return [name, work]
    const watched = (...given: unknown[]): unknown => {
      asked.push(name)
      return work(...given)
    }
    return [name, watched]
  }
  const watched = Object.fromEntries(Object.entries(memoryAdapter()).map(watching)) as Adapter
  const { transaction: _, ...adapter } = watched
  const world = await open({ strategy, adapter, isManaged: true })
  await arrive(world, ada)
  expect(asked).toContain("createUserWithAccount")
  for (const name of ["deleteSessionsByUserId", "listAccountsByUserId", "deleteRecords", "unlinkAccount"])
    expect(asked).not.toContain(name)
})
