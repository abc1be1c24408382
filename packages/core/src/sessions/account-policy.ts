/** Whether a session may change with what its user signs in (OWASP ASVS 5.0, 7.5.1). */
import type { Context } from "../context/context.js"
import type { Policy } from "../types/session-facts.js"
import { selectControl } from "./control.js"
import { meets } from "./policy.js"

/** The policy of accounts, where the session of the request does not meet it. Of what a session rests on that cannot be known, nothing counts. */
export async function unmetPolicy(context: Context): Promise<Policy | undefined> {
  const { accountPolicy } = context.settings.features
  if (!accountPolicy) return undefined
  const here = await selectControl(context).current(context)
  const facts = here?.facts ?? { id: "", startedAt: 0, proofs: [] }
  return meets(facts, accountPolicy, context.now) ? undefined : accountPolicy
}
