/** Events of the application that set `emailVerified`, as examples for Auth.js do: nobody has proven the address, and the log says so. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import { makeWorld, type World } from "../support/world.js"

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test" }
const code = "email-verified-by-event"

type Handlers = NonNullable<AuthConfig["events"]>
type Made = { readonly world: World; readonly details: unknown[]; readonly reads: () => number }

async function open(
  eventsOf: (prove: (id: string | undefined) => Promise<void>) => Handlers,
  proves?: boolean,
): Promise<Made> {
  const inner = memoryAdapter()
  let reads = 0
  const adapter: Adapter = {
    ...inner,
    getUser: async (id) => {
      reads += 1
      return (await inner.getUser?.(id)) ?? null
    },
  }
  const details: unknown[] = []
  const prove = async (id: string | undefined): Promise<void> => {
    await inner.updateUser?.({ id: id ?? "", emailVerified: new Date() })
  }
  const logger = { error: () => undefined, warn: (...given: unknown[]) => void details.push(given) }
  const world = await makeWorld({
    ...{ adapter, strategy: "database", config: { events: eventsOf(prove), logger } },
    provider: { emailVerified: proves === undefined ? undefined : () => proves },
  })
  world.op.person = ada
  return { world, details, reads: () => reads }
}

const warningsOf = (details: readonly unknown[]): readonly unknown[] =>
  details.filter((given) => Array.isArray(given) && given[0] === code)

describe("a user whose address an event calls proven", () => {
  it.each<[string, (prove: (id: string | undefined) => Promise<void>) => Handlers]>([
    ["linkAccount", (prove) => ({ linkAccount: ({ user }) => prove(user.id) })],
    ["createUser", (prove) => ({ createUser: ({ user }) => prove(user.id) })],
    ["signIn", (prove) => ({ signIn: ({ user }) => prove(user.id) })],
  ])("is noticed after %s, once", { tags: ["threat:A-022"] }, async (name, events) => {
    const { world, details } = await open(events)
    for (const sub of ["person-1", "person-2"]) {
      world.op.person = { ...ada, sub, email: `${sub}@op.test` }
      expect((await world.signInAtOp(world.browser())).location).toBe("https://app.test/")
    }
    expect(warningsOf(details)).toEqual([[code, `Events: ${name}. Provider: "op".`]])
  })
})

describe("nothing is said", () => {
  it("where the event leaves the user alone, and the user is read once more at the first sign-in only", async () => {
    const { world, details, reads } = await open(() => ({ linkAccount: () => undefined }))
    const count = async (): Promise<number> => {
      const before = reads()
      await world.signInAtOp(world.browser())
      return reads() - before
    }
    expect([await count(), await count()]).toEqual([1, 0])
    expect(warningsOf(details)).toEqual([])
  })

  it("where the row has no address, as with one that the provider calls unverified", async () => {
    const { world, details } = await open((prove) => ({ linkAccount: ({ user }) => prove(user.id) }), false)
    await world.signInAtOp(world.browser())
    expect(warningsOf(details)).toEqual([])
  })

  it("where the provider has verified the address, and nothing is read", async () => {
    const { world, details, reads } = await open((prove) => ({ linkAccount: ({ user }) => prove(user.id) }), true)
    await world.signInAtOp(world.browser())
    expect([warningsOf(details), reads()]).toEqual([[], 0])
  })

  it("where the person came by mail", async () => {
    const { world, details } = await open((prove) => ({ createUser: ({ user }) => prove(user.id) }))
    await world.signInByMail(world.browser(), ada.email)
    expect(warningsOf(details)).toEqual([])
  })

  it("and the person is signed in, where the store fails", async () => {
    const { world, details } = await open(() => ({ linkAccount: () => undefined }))
    const adapter = world.config.adapter as { getUser: unknown }
    adapter.getUser = () => Promise.reject(new Error("away"))
    expect((await world.signInAtOp(world.browser())).location).toBe("https://app.test/")
    expect(warningsOf(details)).toEqual([])
  })
})
