/** Several sign-ins pending in one browser: the newest has the cookies without a slot, each older one has a slot of its own. */
import { type CheckRole, flowRoles } from "../config/cookies.js"
import type { Context } from "../context/context.js"
import { flowOf } from "../context/flow.js"
import { cookieNameOf } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { openAnyCheck } from "./sealed.js"

/** The newest flow and two that wait. */
const waitingAtMost = 2
/**
 * Characters of the flows that wait (each seals its own return address), of the cookie with the return address and of the one
 * with the challenge of a passkey. Servers on Node.js refuse a request with more than 16 kB of headers: these, the cookies of
 * the new flow and of the session, and the address itself, twice where the browser sends it as `Referer` too.
 */
const charactersAtMost = 7000
/** How many are looked at, the newest ones, with those of mailed links; the rest is left to expire. */
const slotsAtMost = 12

/** A flow that is still pending. */
interface Pending {
  readonly slot: string
  /** When it began, in seconds. */
  readonly began: number
  readonly ends: Date
  readonly provider: unknown
  /** The length of its cookies. */
  readonly characters: number
}

/** What a new flow sets. */
export interface NewFlow {
  readonly taken: ReadonlySet<CheckRole>
  readonly returnTo: string
}

/**
 * Makes room for a new flow: moves the newest one, unchanged, into its slot, and clears flows that have expired and those
 * beyond the limits.
 */
export async function makeRoom(context: Context, { taken, returnTo }: NewFlow): Promise<readonly CookieChange[]> {
  const newest = await pendingAt(context, undefined)
  const { over, waiting } = await flowsInSlots(context)
  const others = waiting.filter((flow) => flow.slot !== newest?.slot)
  const challenge = context.incoming.cookies.get(cookieNameOf(context.cookies, "webauthnChallenge")) ?? ""
  const beside = encodeURIComponent(returnTo).length + challenge.length
  const excess = beyondLimits(newest ? [newest, ...others] : others, beside)
  return [
    ...[...over, ...excess.map(({ slot }) => slot)].flatMap((slot) => clearFlow(context, slot)),
    ...(newest && !excess.includes(newest) ? moveNewest(context, newest) : []),
    // A value of the earlier flow must not be taken for one of the new flow.
    ...flowRoles
      .filter((role) => !taken.has(role) && carries(context, role))
      .map((role) => ({ role, clear: true }) as const),
  ]
}

/** Those that cannot wait, of flows that are sorted newest first, beside `taken` characters of other cookies. */
function beyondLimits(flows: readonly Pending[], taken: number): readonly Pending[] {
  let characters = taken
  return flows.filter((flow, index) => {
    characters += flow.characters
    return index >= waitingAtMost || characters > charactersAtMost
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

/** The slots whose flow has expired, and the pending flows, newest first. */
async function flowsInSlots(context: Context): Promise<{ over: readonly string[]; waiting: readonly Pending[] }> {
  const prefix = cookieNameOf(context.cookies, "state", "")
  const slots = [...context.incoming.cookies.keys()]
    .filter((name) => name.startsWith(prefix) && /^[\w-]{8}$/.test(name.slice(prefix.length)))
    .map((name) => name.slice(prefix.length))
    // Browsers send older cookies first (RFC 6265 §5.4).
    .slice(-slotsAtMost)
  const over: string[] = []
  const waiting: Pending[] = []
  for (const slot of slots) {
    const flow = await pendingAt(context, slot)
    if (!flow) over.push(slot)
    // Links that were mailed bind their browser by the same role; they are no flow of this kind.
    else if (context.settings.providers.get(String(flow.provider))?.type !== "email") waiting.push(flow)
  }
  // Flows of the same second are in the order in which they are sent.
  return { over, waiting: waiting.toReversed().toSorted((one, other) => other.began - one.began) }
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
