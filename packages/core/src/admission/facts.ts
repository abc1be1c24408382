/** What is known of the person who has proven who they are. Reads only. */
import { hasMail, unverifyingProviders } from "../config/email-proof.js"
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import type { Store } from "../ports/store.js"
import { selectStrategy } from "../sessions/jwt.js"
import { stillHere } from "../sessions/presence.js"
import type { Presence } from "../sessions/strategy.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import { type Holdings, holdingsOf } from "./holdings.js"

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
  /** The key under which the owner was found, where it is not that of the proof. */
  readonly ownerKey?: AccountKey
  /** Who has the address. */
  readonly namesake: AdapterUser | null
  /** How the session says that `here` is here. */
  readonly presence?: Presence | undefined
  /** What the user with the address holds; asked only where nobody has proven the address. */
  readonly holdings?: Holdings | undefined
  /** An e-mail provider is configured. */
  readonly hasMail: boolean
  /** A provider is configured whose addresses nobody calls verified. */
  readonly hasUnverifying: boolean
}

/** Where the facts are looked up. */
export interface Around {
  /** The transaction's, where there is one. */
  readonly store: Store
  /** The facts of a moment ago: whoever was here then may have left, and no callback is asked again. */
  readonly before?: Facts
}

/** Gathers the facts, asking the store for no more than the decision needs. */
export async function gatherFacts(context: Context, proof: Proof, around: Around): Promise<Facts> {
  const { store } = around
  const { providers } = context.settings
  const nobody: Facts = {
    proof,
    hasStore: store.isPresent,
    here: null,
    hasLeft: false,
    owner: null,
    namesake: null,
    hasMail: hasMail(providers),
    hasUnverifying: unverifyingProviders(providers).length > 0,
  }
  const { type } = proof.account
  if (!store.isPresent || type === "credentials") return nobody
  if (type === "email") return { ...nobody, namesake: await findNamesake(store, proof) }
  const { owner, ownerKey } = await findOwner(context, proof, around)
  const found = { ...(await presenceFor(context, proof, around)), owner, ...(ownerKey && { ownerKey }) }
  if (owner || found.here || found.hasLeft) return { ...nobody, ...found }
  const namesake = await findNamesake(store, proof)
  if (!namesake) return nobody
  // Between the two looks another request may have registered this very person.
  const late = await findOwner(context, proof, around)
  if (late.owner) return { ...nobody, ...late }
  return { ...nobody, namesake, ...(await holdingsFor(context, namesake, { proof, store })) }
}

type Owner = Pick<Facts, "owner" | "ownerKey">

/** The owner of the account. Stores that keep types may hold its id as the number that it was before it became text. */
async function findOwner(context: Context, proof: Proof, { store, before }: Around): Promise<Owner> {
  const { provider, providerAccountId } = proof.account
  const byNumber = before?.ownerKey
  if (byNumber) return { owner: await store.getUserByAccount(byNumber), ownerKey: byNumber }
  const owner = await store.getUserByAccount({ provider, providerAccountId })
  // Asked once, and outside of a transaction: a store that knows texts alone may fail, which would end the transaction.
  if (owner || proof.numericId === undefined || before) return { owner }
  const key = { provider, providerAccountId: proof.numericId as unknown as string }
  try {
    const numbered = await store.getUserByAccount(key)
    return numbered ? { owner: numbered, ownerKey: key } : { owner: null }
  } catch (error) {
    context.log.error(error as Error)
    return { owner: null }
  }
}

type Here = Pick<Facts, "here" | "hasLeft" | "presence">

/** RFC 6749 §10.12: the answer to a flow belongs to who began it, not to whoever is signed in where it arrives. */
async function presenceFor(context: Context, { begunBy }: Proof, { store, before }: Around): Promise<Here> {
  if (before) return presenceStill(context, before, store)
  if (begunBy?.kind === "nobody") return { here: null, hasLeft: false }
  const presence = (await selectStrategy(context.settings).peek(context)) ?? undefined
  const here = presence?.user ?? null
  if (!begunBy) return { here, hasLeft: false, presence }
  if (begunBy.kind === "unknown") return { here: null, hasLeft: here !== null }
  return here && String(here.id) === begunBy.id ? { here, hasLeft: false, presence } : { here: null, hasLeft: true }
}

/** Whoever was here when the application was asked may be signed out by now. */
async function presenceStill(context: Context, { hasLeft, presence }: Facts, store: Store): Promise<Here> {
  if (!presence) return { here: null, hasLeft }
  const still = await stillHere(context, presence, store)
  return still ? { here: still.user, hasLeft, presence: still } : { here: null, hasLeft: true }
}

async function findNamesake(store: Store, { user }: Proof): Promise<AdapterUser | null> {
  return user.email ? store.getUserByEmail(user.email) : null
}

/** Asked only where it decides: the address is proven to the provider, and nobody has proven it here. */
async function holdingsFor(
  context: Context,
  namesake: AdapterUser,
  { proof, store }: { readonly proof: Proof; readonly store: Store },
): Promise<Pick<Facts, "holdings">> {
  if (namesake.emailVerified || proof.email === "unverified") return {}
  if (proof.email !== "verified" && !proof.mayLinkByEmail) return {}
  return { holdings: await holdingsOf(context, namesake, store) }
}
