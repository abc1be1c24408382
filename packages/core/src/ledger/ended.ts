/** The marks of sessions that were ended by their id: whoever gives one of them a new token at that moment finds the mark, and takes the token back. */
import type { Ledger } from "./seal.js"

/** A counter: many may write it at once, each in one step, and it holds nothing that needs a seal. */
const kind = "ended"

/** Marks a session. `expires`: until when a request that read it before could still give it a token. */
export async function markEnded({ records, now }: Ledger, id: string, expires: Date): Promise<void> {
  await records.countRecord({ kind, key: id }, { add: 1, expires, now })
}

/** Was the session ended by its id? */
export async function isMarkedEnded({ records, now }: Ledger, id: string): Promise<boolean> {
  const { sum } = await records.countRecord({ kind, key: id }, { add: 0, expires: now, now })
  return sum > 0
}
