/** Everything a test needs around an application, opened and closed together. */
import { type Clock, createClock } from "./clock.js"
import { createMailbox, type Mailbox } from "./mailbox.js"
import type { Person } from "./provider/people.js"
import { createProvider, type TestProvider } from "./provider/provider.js"

/** What the world is made of. */
export interface WorldOptions<Id extends string> {
  /** Ids of providers: one is started for each. @default ["test"] */
  readonly providers?: readonly Id[]
  /** Whom all providers know; the first signs in unless another is named. @default Ada and Grace */
  readonly people?: readonly Person[]
}

/** The surroundings of an application. */
export interface World<Id extends string = string> {
  /** The providers, by id. */
  readonly providers: Readonly<Record<Id, TestProvider>>
  /** The first of them. */
  readonly provider: TestProvider
  /** A mail server, and a sender without one. */
  readonly mailbox: Mailbox
  /** The time of this process. It is moved only from the first time this is asked for. */
  readonly clock: Clock
  /** `AUTH_<ID>_…` of every provider: set them before the application is loaded, or hand them to its process. */
  readonly env: Readonly<Record<string, string>>
  /** Stops everything, and gives the process its own clock back. */
  close(): Promise<void>
}

/** Opens a world. Close it when done. */
export async function createWorld<const Id extends string = "test">(
  options: WorldOptions<Id> = {},
): Promise<World<Id>> {
  const { providers: ids = ["test" as Id], people } = options
  const [first] = ids
  if (first === undefined) throw new TypeError("A world expects at least one provider, and received none.")
  const mailbox = await createMailbox()
  const started = await Promise.all(
    ids.map(async (id) => [id, await createProvider({ id, ...(people && { people }) })] as const),
  )
  const providers = Object.fromEntries(started) as Record<Id, TestProvider>
  let clock: Clock | undefined
  return {
    providers,
    provider: providers[first],
    mailbox,
    get clock() {
      clock ??= createClock()
      return clock
    },
    env: Object.assign({}, ...started.map(([, { env }]) => env)) as Record<string, string>,
    close: async () => {
      clock?.restore()
      await Promise.all([mailbox.close(), ...started.map(([, provider]) => provider.close())])
    },
  }
}
