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
  /** Who is signed in already and counts: for a flow nobody but the person who began it. */
  readonly here: AdapterUser | null
  /** Somebody else began the flow, or began it and is signed out now: it may only sign in whom it knows. */
  readonly hasLeft: boolean
  /** Who owns the account. */
  readonly owner: AdapterUser | null
  /** Who has the address. */
  readonly namesake: AdapterUser | null
}

/** Gathers the facts, asking the store for no more than the decision needs. */
export async function gatherFacts(context: Context, proof: Proof): Promise<Facts> {
  const { store } = context.settings
  const { type, provider, providerAccountId } = proof.account
  const nobody = { proof, hasStore: store.isPresent, here: null, hasLeft: false, owner: null, namesake: null }
  if (!store.isPresent || type === "credentials") return nobody
  if (type === "email") return { ...nobody, namesake: await findNamesake(context, proof) }
  const findOwner = (): Promise<AdapterUser | null> => store.getUserByAccount({ provider, providerAccountId })
  const owner = await findOwner()
  const presence = await presenceFor(context, proof)
  if (owner || presence.here || presence.hasLeft) return { ...nobody, ...presence, owner }
  const namesake = await findNamesake(context, proof)
  // Between the two looks another request may have registered this very person.
  const lateOwner = namesake && (await findOwner())
  return lateOwner ? { ...nobody, owner: lateOwner } : { ...nobody, namesake }
}

/** RFC 6749 §10.12: the answer to a flow belongs to who began it, not to whoever is signed in where it arrives. */
async function presenceFor(context: Context, { begunBy }: Proof): Promise<Pick<Facts, "here" | "hasLeft">> {
  if (begunBy?.kind === "nobody") return { here: null, hasLeft: false }
  const here = (await selectStrategy(context.settings).peek(context))?.user ?? null
  if (!begunBy) return { here, hasLeft: false }
  if (begunBy.kind === "unknown") return { here: null, hasLeft: here !== null }
  return here && String(here.id) === begunBy.id ? { here, hasLeft: false } : { here: null, hasLeft: true }
}

async function findNamesake(context: Context, proof: Proof): Promise<AdapterUser | null> {
  return proof.user.email ? context.settings.store.getUserByEmail(proof.user.email) : null
}
