/** What happened in a request as an entry of the trail. Made only while somebody listens. */
import { keyedHash } from "../crypto/token.js"
import type { AuthEvent } from "../ports/events.js"
import { folded } from "../std/folded.js"
import { networkOf } from "../std/network.js"
import type { TrailEntry } from "../types/trail.js"
import { addressOf } from "./address.js"
import type { Context } from "./context.js"
import { typedIn } from "./typed.js"

/** How a request failed. */
export interface FailedRequest {
  /** The `type` of the error. */
  readonly reason: string
  /** Present where it is a fault. */
  readonly incident: string | undefined
}

type Facts = Omit<TrailEntry, "at" | "client">

/** The entry of an event; `undefined` for events that are none of the trail's facts, such as a session that was read. */
export async function entryOfEvent(context: Context, event: AuthEvent): Promise<TrailEntry | undefined> {
  const facts = factsOf(event, context)
  return facts && entryOf(context, facts)
}

function factsOf({ kind, message }: AuthEvent, { provider }: Context): Facts | undefined {
  switch (kind) {
    case "signIn":
      return { what: "signIn", outcome: "done", ...about(message.user.id, message.account?.provider ?? provider?.id) }
    case "createUser":
      return { what: "userCreated", outcome: "done", ...about(message.user.id, provider?.id) }
    case "linkAccount":
      return { what: "accountLinked", outcome: "done", ...about(message.user.id, message.account.provider) }
    case "signOut":
      return { what: "signOut", outcome: "done", ...about(ownerOf(message), undefined) }
    default:
      return undefined
  }
}

function ownerOf(message: Extract<AuthEvent, { kind: "signOut" }>["message"]): unknown {
  return "token" in message ? message.token?.sub : message.session?.userId
}

function about(userId: unknown, provider: string | undefined): Pick<Facts, "userId" | "provider"> {
  const isKnown = userId !== undefined && userId !== null
  return { ...(isKnown && { userId: String(userId) }), ...(provider !== undefined && { provider }) }
}

/** The entry of a failure; `undefined` for refusals that concern no sign-in, such as a path that does not exist. */
export async function entryOfFailure(context: Context, failed: FailedRequest): Promise<TrailEntry | undefined> {
  const { reason, incident } = failed
  const what = factOfFailure(context, failed)
  if (what === undefined) return undefined
  const claimed = what === "fault" ? undefined : await claimedIn(context)
  return entryOf(context, {
    what,
    outcome: incident === undefined ? "refused" : "fault",
    reason,
    ...(claimed !== undefined && { claimed }),
    ...(context.provider && { provider: context.provider.id }),
    ...(incident !== undefined && { incident }),
  })
}

/** What happened to a session of a user. */
export type SessionFact = Pick<TrailEntry, "what" | "userId" | "actor" | "sessionId">

/** The entry of a session that was ended, got a new token, or was begun for somebody else. */
export function entryOfSession(context: Context, fact: SessionFact): TrailEntry {
  return entryOf(context, { ...fact, outcome: "done" })
}

function factOfFailure({ incoming }: Context, { reason, incident }: FailedRequest): TrailEntry["what"] | undefined {
  if (reason === "TooManyRequests") return "limited"
  const { route, method } = incoming
  const isSignIn = route?.action === "callback" || (route?.action === "signin" && method === "POST")
  if (isSignIn) return "signInFailed"
  return incident === undefined ? undefined : "fault"
}

/** A keyed hash of what was typed: it tells attempts at one person from those at others, and names nobody. */
async function claimedIn(context: Context): Promise<string | undefined> {
  const typed = typedIn(context)
  if (typed === undefined) return undefined
  const { bytes } = await context.settings.keyring.derive(0, "latchkey.trail")
  const [name = "", ...others] = typed.map(folded)
  return keyedHash(bytes, others.length === 0 ? name : JSON.stringify([name, ...others]))
}

/** Characters of a browser's name that are kept. */
const longestUserAgent = 256

function entryOf(context: Context, facts: Facts): TrailEntry {
  const network = networkOf(addressOf(context) ?? undefined)
  const userAgent = context.incoming.headers.get("user-agent")?.slice(0, longestUserAgent)
  const client = { ...(network !== undefined && { network }), ...(userAgent && { userAgent }) }
  return Object.freeze({ at: context.now, ...facts, client: Object.freeze(client) })
}
