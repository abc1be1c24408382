/** Several sign-ins pending in one browser: the newest has the cookies without a slot, each older one has a slot of its own. */
import { type CheckRole, flowRoles } from "../config/cookies.js"
import type { Context } from "../context/context.js"
import { flowOf } from "../context/flow.js"
import { cookieNameOf } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { openAnyCheck, type SealedCookie } from "./sealed.js"

/** The newest flow and two that wait. */
const waitingAtMost = 2
/** The newest mailed link that knows the browser it was asked for in, and four more. Behind another, a page with a button asks. */
const mailedAtMost = 5
/**
 * Characters of the flows that wait (each seals its own return address), of the cookies of mailed links, of the one with the
 * return address and of the one with the challenge of a passkey. Servers on Node.js refuse a request with more than 16 kB of headers: these, the cookies of
 * the new flow and of the session, and the address itself, twice where the browser sends it as `Referer` too.
 */
const charactersAtMost = 7000
/** How many are looked at, the newest ones, with those of mailed links; the rest is left to expire. */
const slotsAtMost = 12

interface Sized {
  /** The length of its cookies. */
  readonly characters: number
}

/** A flow, or a mailed link, that is still pending. */
interface Pending extends Sized {
  readonly slot: string
  /** When it began, in seconds. */
  readonly began: number
  readonly ends: Date
  readonly provider: unknown
}

/** What a new flow sets. */
export interface NewFlow {
  readonly taken: ReadonlySet<CheckRole>
  readonly returnTo: string
}

/** What lets a mailed link recognise the browser that asked for it. */
export interface NewMailed {
  readonly slot: string
  readonly sealed: SealedCookie
  readonly returnTo: string
}

/**
 * Makes room for a new flow: moves the newest one, unchanged, into its slot, and clears flows that have expired and those
 * beyond the limits. Mailed links have what flows leave of the characters.
 */
export async function makeRoom(context: Context, { taken, returnTo }: NewFlow): Promise<readonly CookieChange[]> {
  const newest = await pendingAt(context, undefined)
  const { over, waiting, mailed } = await inSlots(context)
  const others = waiting.filter((flow) => flow.slot !== newest?.slot)
  const flows = newest ? [newest, ...others] : others
  const beside = charactersBeside(context, returnTo)
  const excess = beyondLimits(flows, { atMost: waitingAtMost, taken: beside })
  const kept = charactersOf(flows.filter((flow) => !excess.includes(flow)))
  const dropped = beyondLimits(mailed, { atMost: mailedAtMost, taken: beside + kept })
  return [
    ...[...over, ...[...excess, ...dropped].map(({ slot }) => slot)].flatMap((slot) => clearFlow(context, slot)),
    ...(newest && !excess.includes(newest) ? moveNewest(context, newest) : []),
    // A value of the earlier flow must not be taken for one of the new flow.
    ...flowRoles
      .filter((role) => !taken.has(role) && carries(context, role))
      .map((role) => ({ role, clear: true }) as const),
  ]
}

/**
 * Sets the cookie of a mailed link, and clears those of links that have expired or are beyond the limits, its own where flows
 * leave no characters for it. Flows stay: they would have to begin again, while a link without its cookie only asks first.
 */
export async function addMailed(
  context: Context,
  { slot, sealed, returnTo }: NewMailed,
): Promise<readonly CookieChange[]> {
  const { over, waiting, mailed } = await inSlots(context)
  const others = mailed.filter((mail) => mail.slot !== slot)
  const links = [{ slot, characters: sealed.value.length }, ...others]
  const beside = charactersBeside(context, returnTo) + charactersOf(waiting)
  const excess = beyondLimits(links, { atMost: mailedAtMost, taken: beside }).map((link) => link.slot)
  return [
    ...[...over.filter((old) => old !== slot), ...excess].flatMap((old) => clearFlow(context, old)),
    ...(excess.includes(slot) ? [] : [{ ...sealed, slot }]),
  ]
}

/** Characters of the cookies that count beside those with a slot. */
function charactersBeside(context: Context, returnTo: string): number {
  const challenge = context.incoming.cookies.get(cookieNameOf(context.cookies, "webauthnChallenge")) ?? ""
  return encodeURIComponent(returnTo).length + challenge.length
}

function charactersOf(flows: readonly Sized[]): number {
  return flows.reduce((sum, { characters }) => sum + characters, 0)
}

/** Those that cannot stay, of flows or links that are sorted newest first, beside `taken` characters of other cookies. */
function beyondLimits<T extends Sized>(
  flows: readonly T[],
  { atMost, taken }: { readonly atMost: number; readonly taken: number },
): readonly T[] {
  let characters = taken
  return flows.filter((flow, index) => {
    characters += flow.characters
    return index >= atMost || characters > charactersAtMost
  })
}

/** Copies the cookies without a slot into the slot of their flow; they stay sealed. */
function moveNewest(context: Context, { slot, ends, provider }: Pending): readonly CookieChange[] {
  const owner = context.settings.providers.get(String(provider))
  const isCrossSite = (owner?.type === "oauth" || owner?.type === "oidc") && owner.isFormPost
  return flowRoles.flatMap((role): readonly CookieChange[] => {
    const value = context.incoming.cookies.get(cookieNameOf(context.cookies, role))
    return value ? [{ role, slot, value, expires: ends, ...(isCrossSite && { crossSite: true }) }] : []
  })
}

function clearFlow(context: Context, slot: string): readonly CookieChange[] {
  return flowRoles.filter((role) => carries(context, role, slot)).map((role) => ({ role, slot, clear: true }))
}

function carries(context: Context, role: CheckRole, slot?: string): boolean {
  return context.incoming.cookies.has(cookieNameOf(context.cookies, role, slot))
}

/** What the slots hold. */
interface InSlots {
  /** The slots whose flow or link has expired. */
  readonly over: readonly string[]
  /** The pending flows, newest first. */
  readonly waiting: readonly Pending[]
  /** The mailed links, newest first: they bind their browser by the same role. */
  readonly mailed: readonly Pending[]
}

async function inSlots(context: Context): Promise<InSlots> {
  const prefix = cookieNameOf(context.cookies, "state", "")
  const slots = [...context.incoming.cookies.keys()]
    .filter((name) => name.startsWith(prefix) && /^[\w-]{8}$/.test(name.slice(prefix.length)))
    .map((name) => name.slice(prefix.length))
    // Browsers send older cookies first (RFC 6265 §5.4).
    .slice(-slotsAtMost)
  const over: string[] = []
  const pending: Pending[] = []
  for (const slot of slots) {
    const flow = await pendingAt(context, slot)
    if (flow) pending.push(flow)
    else over.push(slot)
  }
  // Those of the same second are in the order in which they are sent.
  const sorted = pending.toReversed().toSorted((one, other) => other.began - one.began)
  const { providers } = context.settings
  const isMailed = ({ provider }: Pending): boolean => providers.get(String(provider))?.type === "email"
  return { over, waiting: sorted.filter((flow) => !isMailed(flow)), mailed: sorted.filter(isMailed) }
}

async function pendingAt(context: Context, slot: string | undefined): Promise<Pending | undefined> {
  if (!carries(context, "state", slot)) return undefined
  try {
    const { value, iat, exp, provider } = await openAnyCheck(context, { role: "state", slot })
    const ends = new Date(Number(exp) * 1000)
    const values = flowRoles.map((role) => context.incoming.cookies.get(cookieNameOf(context.cookies, role, slot)))
    const characters = values.join("").length
    return { slot: slot ?? (await flowOf(value)), began: Number(iat), ends, provider, characters }
  } catch {
    // Expired, or not made by us.
    return undefined
  }
}
