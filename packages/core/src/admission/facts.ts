/** What is known of the person who has proven who they are. Reads only. */
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import { selectStrategy } from "../sessions/select.js"
import type { AdapterUser } from "../types/identity.js"

/** The proof, and who it touches. */
export interface Facts {
  readonly proof: Proof
  /** There is a store to look things up in. */
  readonly hasStore: boolean
  /** Who is signed in already. */
  readonly here: AdapterUser | null
  /** Who owns the account. */
  readonly owner: AdapterUser | null
  /** Who has the address. */
  readonly namesake: AdapterUser | null
}

/** Gathers the facts, asking the store for no more than the decision needs. */
export async function gatherFacts(context: Context, proof: Proof): Promise<Facts> {
  const { store } = context.settings
  const { type, provider, providerAccountId } = proof.account
  const nobody = { proof, hasStore: store.isPresent, here: null, owner: null, namesake: null }
  if (!store.isPresent || type === "credentials") return nobody
  if (type === "email") return { ...nobody, namesake: await findNamesake(context, proof) }
  const findOwner = (): Promise<AdapterUser | null> => store.getUserByAccount({ provider, providerAccountId })
  const owner = await findOwner()
  const presence = await selectStrategy(context.settings).peek(context)
  const here = presence?.user ?? null
  if (owner || here) return { ...nobody, here, owner }
  const namesake = await findNamesake(context, proof)
  // Between the two looks another request may have registered this very person.
  const lateOwner = namesake && (await findOwner())
  return lateOwner ? { ...nobody, owner: lateOwner } : { ...nobody, namesake }
}

async function findNamesake(context: Context, proof: Proof): Promise<AdapterUser | null> {
  return proof.user.email ? context.settings.store.getUserByEmail(proof.user.email) : null
}
