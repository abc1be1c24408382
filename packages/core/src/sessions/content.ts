/** What is kept of a session that begins: how, in which browser, and from which one it goes on. */
import { askInTime } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { CallbackRouteError } from "../errors.js"
import type { SessionContent } from "../ledger/session.js"
import { asThrownError } from "../ports/thrown.js"
import { toSeconds } from "../std/time.js"
import type { AccountKey } from "../types/adapter.js"
import type { ClientFacts } from "../types/managed-sessions.js"
import type { SessionFacts } from "../types/session-facts.js"
import type { Login } from "./strategy.js"

/** A session that begins. */
interface Beginning {
  readonly facts: SessionFacts
  readonly login?: Login
  /** The session that it goes on from with an account added. */
  readonly before?: SessionContent | undefined
}

const keyOf = (account: AccountKey | null): AccountKey | undefined =>
  account ? { provider: account.provider, providerAccountId: account.providerAccountId } : undefined

/** More than anybody adds in the time in which sessions are ended. */
const longestChain = 32

/** What is kept of the session that another one goes on from: its id, and those before it. The first stays: a list that somebody has open may show it. */
export function chainOf(id: string, before?: SessionContent): Pick<SessionContent, "follows" | "earlierTokens"> {
  const [first = id, ...others] = [...(before?.follows ?? []), id]
  const earlierTokens = before ? tokensOf(before) : 0
  return { follows: [first, ...others.slice(1 - longestChain)], ...(earlierTokens > 0 && { earlierTokens }) }
}

/** How often a session got a new token, those that it goes on from included. */
const tokensOf = ({ generation, earlierTokens = 0 }: Pick<SessionContent, "generation" | "earlierTokens">): number =>
  generation + earlierTokens

/** Stays the same when a session is extended or goes on with an account added; changes with the next sign-in, and when it is given a new token. */
export const chainIdOf = (
  content: Pick<SessionContent, "facts" | "follows" | "generation" | "earlierTokens">,
): string => `${content.follows?.[0] ?? content.facts.id} ${tokensOf(content)}`

/** What is kept of a session that begins now. */
export async function contentOf(context: Context, { facts, login, before }: Beginning): Promise<SessionContent> {
  const via = login && beganBy(login, facts)
  const beganWith = login && (login.addsAccount ? before?.beganWith : keyOf(login.account))
  return {
    facts,
    ...(via && { via }),
    ...(beganWith && { beganWith }),
    ...(login?.isActorStored && { isActorStored: true as const }),
    client: await clientOf(context),
    seenAt: toSeconds(context.now),
    generation: 0,
  }
}

/** An account that is added to the user of a session is no sign-in: it began with the oldest of its proofs. */
function beganBy({ account, addsAccount }: Login, { proofs }: SessionFacts): SessionContent["via"] {
  if (!addsAccount) return account ? { provider: account.provider, type: account.type } : undefined
  const [oldest] = proofs.toSorted((one, other) => one.at - other.at)
  return oldest?.provider === undefined ? undefined : { provider: oldest.provider, type: oldest.how }
}

const longestText = 256
const mostTexts = 16

/** What is kept of the browser. Where the function of the application fails, nothing is kept, and the sign-in goes on. */
async function clientOf(context: Context): Promise<Readonly<Record<string, string>>> {
  const { headers, address } = context.incoming
  const facts: ClientFacts = { userAgent: headers.get("user-agent") ?? undefined, address: address ?? undefined }
  const describe = context.settings.features.sessions?.describe
  if (!describe) return facts.userAgent ? { userAgent: facts.userAgent.slice(0, longestText) } : {}
  try {
    return textsOf(await askInTime(context, "managedSessions.describe", () => describe(facts)))
  } catch (thrown) {
    const err = asThrownError(thrown)
    context.log.error(new CallbackRouteError(err, { cause: { err, callback: "managedSessions.describe" } }))
    return {}
  }
}

function textsOf(described: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries((described ?? {}) as object).slice(0, mostTexts)
  const texts = entries.flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" ? [[name.slice(0, longestText), value.slice(0, longestText)]] : [],
  )
  return Object.fromEntries(texts) as Readonly<Record<string, string>>
}
