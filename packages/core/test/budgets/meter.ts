/**
 * Counts what one piece of work costs, in numbers that a loaded machine does not change: calls of the store and of other
 * services, ciphers, objects of the web platform, promises. Only what the work itself does is
 * counted, however many things the process does beside it.
 */
import { AsyncLocalStorage, createHook } from "node:async_hooks"
import nodeCrypto from "node:crypto"
import type { Adapter } from "@latchkey/core/adapters"

/** What is counted. */
export const counted = [
  "reads",
  "writes",
  "transactions",
  "setCookies",
  "outbound",
  "mails",
  "sealed",
  "opened",
  "derived",
  "hashes",
  "webCrypto",
  "requests",
  "responses",
  "headers",
  "urls",
  "searchParams",
  "promises",
] as const

/** One of the things that are counted. */
export type Counted = (typeof counted)[number]

/** What some work cost; what did not happen is absent. */
export type Counts = Partial<Record<Counted, number>>

/** What some work cost, and what the store and other services were asked for, in order. */
export interface Measured<T> {
  readonly counts: Counts
  readonly story: readonly string[]
  readonly result: T
}

interface Tally {
  readonly counts: Counts
  readonly story: string[]
}

const work = new AsyncLocalStorage<Tally>()

/** Adds one to the work that is under way, if any is. */
export function count(what: Counted, story?: string): void {
  const tally = work.getStore()
  if (!tally) return
  tally.counts[what] = (tally.counts[what] ?? 0) + 1
  if (story !== undefined) tally.story.push(story)
}

/** Runs work and counts. */
export async function measure<T>(run: () => Promise<T>): Promise<Measured<T>> {
  const tally: Tally = { counts: {}, story: [] }
  const result = await work.run(tally, run)
  return { ...tally, result }
}

/** Runs what stands for the outside: it costs the work nothing. */
export const outside = <T>(run: () => T): T => work.exit(run)

type Callable = (...args: unknown[]) => unknown
type Newable = new (...args: unknown[]) => object

/** Ways into the runtime's cryptography, by what they are counted as. The engine calls them on these very objects. */
const cryptography: readonly (readonly [object, Partial<Record<string, Counted>>])[] = [
  [
    nodeCrypto,
    {
      createCipheriv: "sealed",
      createDecipheriv: "opened",
      hkdfSync: "derived",
      createHash: "hashes",
    },
  ],
  [
    globalThis.crypto.subtle,
    Object.fromEntries(
      ["encrypt", "decrypt", "sign", "verify", "digest", "importKey", "exportKey", "deriveBits", "deriveKey"].map(
        (name) => [name, "webCrypto" as const],
      ),
    ),
  ],
]

const webObjects = {
  Request: "requests",
  Response: "responses",
  Headers: "headers",
  URL: "urls",
  URLSearchParams: "searchParams",
} as const

/** Begins to count. Answers what ends it. */
export function startCounting(): () => void {
  const undo: (() => void)[] = []
  const replace = (owner: object, name: string, make: (original: unknown) => unknown): void => {
    const before = Object.getOwnPropertyDescriptor(owner, name)
    const value = make(Reflect.get(owner, name))
    Object.defineProperty(owner, name, { value, configurable: true, writable: true })
    undo.push(() => (before ? Object.defineProperty(owner, name, before) : Reflect.deleteProperty(owner, name)))
  }
  for (const [owner, names] of cryptography)
    for (const [name, what] of Object.entries(names))
      replace(owner, name, (original) => (...args: unknown[]) => {
        if (what) count(what)
        return (original as Callable).apply(owner, args)
      })
  for (const [name, what] of Object.entries(webObjects))
    replace(globalThis, name, (original) => countingClass(original as Newable, what))
  const hook = createHook({ init: (_id, type) => void (type === "PROMISE" && count("promises")) }).enable()
  return () => {
    hook.disable()
    for (const step of undo.toReversed()) step()
  }
}

function countingClass(original: Newable, what: Counted): Newable {
  return new Proxy(original, {
    construct(target, args, newTarget) {
      count(what)
      return Reflect.construct(target, args, newTarget) as object
    },
  })
}

const isRead = (operation: string): boolean => /^(?:get|list)/.test(operation)

/** The same adapter, its calls counted: those inside transactions included. */
export function countingAdapter(inner: Adapter): Adapter {
  const members = Object.entries(inner).map(([name, member]) => {
    if (typeof member !== "function") return [name, member]
    const call = (member as Callable).bind(inner)
    const counting = (...args: unknown[]): unknown => {
      if (name === "transaction") {
        count("transactions", name)
        const [work] = args as [(adapter: Adapter) => unknown]
        return call((adapter: Adapter) => work(countingAdapter(adapter)))
      }
      count(isRead(name) ? "reads" : "writes", name)
      return outside(() => call(...args))
    }
    return [name, counting]
  })
  return Object.fromEntries(members) as Adapter
}
