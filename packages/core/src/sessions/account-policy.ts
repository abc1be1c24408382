/** Whether a session may change with what its user signs in (OWASP ASVS 5.0, 7.5.1). */
import type { Context } from "../context/context.js"
import { toSeconds } from "../std/time.js"
import type { Policy, SessionFacts } from "../types/session-facts.js"
import { selectControl } from "./control.js"
import { meets } from "./policy.js"

/** Seconds for which whoever has signed in again is believed to have come for that. */
const justNow = 60

/** The policy of accounts, where the session of the request does not meet it. Of what a session rests on that cannot be known, nothing counts. */
export async function unmetPolicy(context: Context): Promise<Policy | undefined> {
  const { accountPolicy } = context.settings.features
  if (!accountPolicy) return undefined
  const here = await selectControl(context).current(context)
  const facts = here?.facts ?? { id: "", startedAt: 0, proofs: [] }
  if (meets(facts, accountPolicy, context.now)) return undefined
  warnOfCircle(context, facts, accountPolicy)
  return accountPolicy
}

const warned = Symbol("policy-out-of-reach")

/** Whoever has signed in just now and is asked to sign in again will be asked the next time, too: nobody but the developer can end that. */
export function warnOfCircle(
  context: Context,
  { proofs, startedAt }: SessionFacts,
  { maxAge = justNow }: Policy,
): void {
  // Who acts for somebody has proven nothing of them.
  if (proofs.length === 0 || toSeconds(context.now) - startedAt > Math.min(justNow, maxAge)) return
  context.once(warned, () => context.log.warn("policy-out-of-reach"))
}
