/** What every journey through the demo has: a browser, the running demo, and people nobody has seen before. */
import type { Browser } from "playwright-core"
import type { Demo } from "../support/demo.js"
import { Person } from "../support/person.js"

let count = 0

/** The person with a password in the demo. */
export const password = { email: "ada@demo.test", secret: "analytical-engine-1843" }

export interface World {
  readonly strategy: string
  origin(): string
  /** Somebody with a browser of their own on the home page. */
  arrive(options?: Parameters<typeof Person.arrive>[2]): Promise<Person>
  /** An e-mail address that was never used. */
  freshAddress(): string
}

/** `running` answers what runs when a journey begins. */
export function openWorld(running: () => { readonly browser: Browser; readonly demo: Demo }, strategy: string): World {
  return {
    strategy,
    origin: () => running().demo.origin,
    arrive: (options) => Person.arrive(running().browser, running().demo.origin, options),
    freshAddress: () => `person${++count}@mail.test`,
  }
}
