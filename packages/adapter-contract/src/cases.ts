/** The cases about operations, in the order in which they are reported. The cases about crashes need an engine; `index.ts` adds them. */
import { accountCases } from "./accounts.js"
import { authenticatorCases } from "./authenticators.js"
import type { ContractCase } from "./case.js"
import { concurrencyCases } from "./concurrency.js"
import { dateCases } from "./dates.js"
import { edgeCases } from "./edges.js"
import { exactnessCases } from "./exactness.js"
import { recordEdgeCases } from "./record-edges.js"
import { recordEndingCases } from "./record-endings.js"
import { recordListCases } from "./record-lists.js"
import { recordCases } from "./records.js"
import { removalCases } from "./removal.js"
import { sessionCases } from "./sessions.js"
import { transactionCases } from "./transactions.js"
import { userCases } from "./users.js"
import { verificationTokenCases } from "./verification-tokens.js"

/** Every case makes its own rows under fresh names, so that all may share one database. */
export const operationCases: readonly ContractCase[] = [
  ...userCases,
  ...accountCases,
  ...sessionCases,
  ...verificationTokenCases,
  ...authenticatorCases,
  ...removalCases,
  ...edgeCases,
  ...exactnessCases,
  ...dateCases,
  ...concurrencyCases,
  ...transactionCases,
  ...recordCases,
  ...recordListCases,
  ...recordEdgeCases,
  ...recordEndingCases,
]
