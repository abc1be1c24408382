/**
 * A process that signs one person in for the first time and is killed on the way, or one that signs everybody in again.
 * Says what came of it as JSON.
 */

import { byMail, byProvider, type Person, rehearsalConfig } from "../../../../adapter-contract/src/rehearsal.js"
import { openVisitor, type Visitor } from "../../../../adapter-contract/src/visitor.js"
import { createAuth } from "../../../src/engine/auth.js"
import type { Adapter } from "../../../src/types/adapter.js"
import { type OpenedStore, openStore } from "./open-store.js"

/** One life, as the test asks for it. */
export interface Errand {
  readonly url: string
  readonly way: "provider" | "mail"
  /** Names of the people to sign in, one after the other. */
  readonly people: readonly string[]
  /** The kill comes before this call, from 0; or while it is on its way. Absent: it does not come. */
  readonly killAt?: number
  readonly when?: "before" | "during"
}

/** What came of one person. */
export interface Arrival {
  readonly signedIn: string | undefined
  readonly users: number
  readonly accounts: number
  readonly calls: number
}

const errand = JSON.parse(process.argv[2] ?? "{}") as Errand
const die = (): void => void process.kill(process.pid, "SIGKILL")
let calls = 0

/** The adapter, with the kill at its place. To end a transaction is a call as well. */
function deadly(adapter: Adapter): Adapter {
  const step = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const isLast = calls === errand.killAt
    if (isLast && errand.when === "before") die()
    calls += 1
    const answer = work()
    // By the next turn the call has been handed to the system, and no answer has come.
    if (isLast) setImmediate(die)
    return await answer
  }
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      if (typeof method !== "function") return method
      if (name !== "transaction") return (...args: unknown[]) => step(() => Reflect.apply(method, target, args))
      return (work: (open: Adapter) => Promise<unknown>) =>
        Reflect.apply(method, target, [
          async (open: Adapter) => {
            const result = await work(deadly(open))
            await step(() => undefined)
            return result
          },
        ])
    },
  })
}

async function signIn(store: OpenedStore, name: string): Promise<Arrival> {
  const person: Person = { email: `${name}@example.test`, account: name, mails: [], credentials: [] }
  const service = createAuth(rehearsalConfig(person, deadly(store.adapter), "database"), { env: {} })
  const visitor: Visitor = openVisitor(service)
  calls = 0
  await (errand.way === "provider" ? byProvider : byMail)({ person, visitor })
  const made = calls
  const signedIn = await visitor.whoami()
  const id = errand.way === "provider" ? person.account : person.email
  return { signedIn, calls: made, ...(await store.count(person.email, id)) }
}

const store = await openStore(errand.url)
const arrivals: Arrival[] = []
for (const name of errand.people) arrivals.push(await signIn(store, name))
await store.close()
process.stdout.write(JSON.stringify(arrivals))
