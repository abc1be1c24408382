/** Cases of the contract that published adapters of the peer do not keep. The run fails when one of them passes. */
import type { Excuse } from "@latchkey/core/testing"

/** What is known of a published adapter. */
export interface Published {
  readonly name: string
  readonly excuses: readonly Excuse[]
}

export const published: readonly Published[] = [
  { name: "@auth/unstorage-adapter", excuses: [] },
  { name: "@auth/kysely-adapter", excuses: [] },
]
