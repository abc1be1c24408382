/** Facts that hold still: where user and account are written one after the other, another request may be in between. */
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import { decide } from "./decide.js"
import { type Around, type Facts, gatherFacts } from "./facts.js"

/** Milliseconds: together as long as two writes may take. */
const pauses: readonly number[] = [10, 40, 150]

/**
 * Gathers the facts. A namesake without the account may be this very person, half registered by another request of
 * the same moment: before such a person is refused, the facts are looked up again, a few times. Stores that write
 * both at once show no halves, and are asked once.
 */
export async function gatherSettledFacts(
  context: Context,
  proof: Proof,
  around: Around = { store: context.settings.store },
): Promise<Facts> {
  const { store } = context.settings
  const showsHalves = !store.has("transaction") && !store.has("createUserWithAccount")
  let facts = await gatherFacts(context, proof, around)
  for (const pause of showsHalves ? pauses : []) {
    if (!facts.namesake || decide(facts).kind !== "refuse") break
    await new Promise<void>((resolve) => setTimeout(resolve, pause))
    facts = await gatherFacts(context, proof, around)
  }
  return facts
}
