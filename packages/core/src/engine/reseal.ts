/** Sealing records anew from outside a request, before a secret is retired. */
import { MissingAdapter } from "../errors.js"
import type { SealCount } from "../ledger/reseal.js"
import { fromModule } from "../std/lazy.js"
import type { AuthService } from "./public.js"
import { settingsOf } from "./service.js"

const walkSeals = fromModule(
  () => import("../ledger/reseal.js"),
  (module) => module.walkSeals,
)

/** How records are sealed anew. */
export interface ResealOptions {
  /** The clock: what has ended is passed over. */
  readonly now: Date
  /** Kinds of records of your own, beside those of the service. @default none */
  readonly kinds?: readonly string[]
  /** `true` counts, and writes nothing. @default false */
  readonly dryRun?: boolean
  /** Called after each hundred records. */
  readonly onProgress?: (soFar: SealCount) => void
}

/**
 * Seals with the newest secret what only an earlier one opens, so that the earlier one can be taken away. May be broken
 * off and begun again, and run while the application does. Returns how many records there were, by what opened them.
 * @throws MissingAdapter when the configuration keeps no records
 * @throws AdapterError when the store fails
 */
export async function resealRecords(auth: AuthService<unknown>, options: ResealOptions): Promise<SealCount> {
  const { now, kinds = [], dryRun = false, onProgress = () => {} } = options
  const settings = settingsOf(auth)
  if (!settings?.records.isPresent) {
    throw new MissingAdapter('"records": expected a store of records, received none. There is nothing to seal anew.')
  }
  const { records, recordKeyring: keyring } = settings
  return walkSeals({ records, keyring, now, kinds, isWriting: !dryRun, onProgress })
}
