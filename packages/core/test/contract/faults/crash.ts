/** What can be wrong when the process ends in the middle of a sign-in. */
import { contractCases } from "@latchkey/adapter-contract"
import type { Adapter } from "../../../src/types/adapter.js"
import { type Fault, faulty, type TotalAdapter } from "./fault.js"

const crashCases = contractCases.filter(({ group }) => group === "crash").map(({ name }) => name)
const named = (...parts: readonly string[]): readonly string[] =>
  crashCases.filter((name) => parts.every((part) => name.includes(part)))

/** Without what makes sign-ins heal, as far as it is named. */
function lacking(good: TotalAdapter, ...names: readonly (keyof Adapter)[]): Partial<Adapter> {
  return Object.fromEntries([...Object.entries(good), ...names.map((name) => [name, undefined])])
}

/** Takes the user that came first for everybody who comes by an address. */
function onePersonForAll(good: TotalAdapter): Partial<Adapter> {
  let first: string | undefined
  return {
    ...lacking(good, "transaction", "createUserWithAccount"),
    async createUser(user) {
      const created = await good.createUser(user)
      first ??= created.id
      return created
    },
    getUserByEmail: (email) => (first === undefined ? good.getUserByEmail(email) : good.getUser(first)),
    getUserByAccount: (key) => (first === undefined ? good.getUserByAccount(key) : good.getUser(first)),
  }
}

/** Knows addresses by heart, and forgets whom it has stored under them. */
function strangersAlways(good: TotalAdapter): Partial<Adapter> {
  let count = 0
  return {
    ...lacking(good, "transaction", "createUserWithAccount"),
    getUserByEmail: () => null,
    async createUser(user) {
      count += 1
      const stored = await good.createUser({ ...user, email: `${count} ${user.email}` })
      return { ...stored, email: user.email }
    },
  }
}

export const crashFaults: readonly Fault[] = [
  faulty("stays locked after a transaction that was cut off", named("heals by the transaction"), (good) => {
    let isLocked = false
    const transaction: TotalAdapter["transaction"] = async (work) => {
      if (isLocked) throw new Error("locked")
      isLocked = true
      const result = await good.transaction(work)
      isLocked = false
      return result
    }
    return { transaction }
  }),
  faulty(
    "has transactions in name only, and is cut off inside one",
    named("a first sign-in at a provider with", "heals by the transaction"),
    (good) => ({ transaction: (work) => work({ ...good }) }),
  ),
  faulty(
    "creates the user and leaves the account for later",
    named("a first sign-in at a provider with", "heals without a transaction"),
    (good) => ({ ...lacking(good, "transaction"), createUserWithAccount: (user) => good.createUser(user) }),
  ),
  faulty(
    "creates the user and leaves a passkey's account for later",
    named("a first passkey with", "heals without a transaction"),
    (good) => ({
      ...lacking(good, "transaction"),
      createUserWithAccount: (user) => good.createUser(user),
      getUserByEmail: () => null,
    }),
  ),
  faulty(
    "takes whoever came first for everybody",
    named("heals without a transaction").filter((name) => !/^a first (?:passkey|sign-in at)/.test(name)),
    onePersonForAll,
  ),
  faulty(
    "makes a second user for an address",
    ["a first sign-in at a provider that is cut off is refused at worst, and makes no second user"],
    strangersAlways,
  ),
  faulty(
    "does not remove the user that an error leaves behind",
    ["a first sign-in at a provider that an error ends is undone"],
    (good) => ({ ...lacking(good, "transaction", "createUserWithAccount"), deleteUser: () => undefined }),
  ),
]
