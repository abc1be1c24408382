/** An account is added to the user of a session, and that session ends meanwhile, where sessions are managed: then nothing is added. */
import { announceAll, announceAndThrow } from "../context/ask.js"
import type { Context } from "../context/context.js"
import type { AuthEvent } from "../ports/events.js"
import { endedUnderWay } from "../sessions/ended-meanwhile.js"
import { fromModule } from "../std/lazy.js"
import type { AccountKey } from "../types/adapter.js"
import type { User } from "../types/identity.js"
import { type Admission, refusal } from "./admit.js"
import type { Facts } from "./facts.js"

const standing = (): Promise<typeof import("../sessions/standing.js")> => import("../sessions/standing.js")
const stillStands = fromModule(standing, (module) => module.stillStands)
const endBegunBy = fromModule(standing, (module) => module.endBegunBy)

/** What is to be done once a transaction was undone that may have removed the row of the request. */
export const removeReturned: (context: Context, isOver: boolean) => Promise<void> | void = fromModule(
  standing,
  (module) => module.removeReturned,
)

/** May an account be added to a session that somebody ends by name? Then it is looked at again. */
export function mayHaveEnded({ settings }: Context, { currentSession }: Facts): boolean {
  return currentSession !== undefined && settings.features.sessions !== undefined
}

/** The facts, as long as the session of the current user stands: the application was asked in between, and may have taken its time. */
export async function stillCurrent(context: Context, facts: Facts): Promise<Facts> {
  if (await stillStands(context)) return facts
  return { ...facts, currentUser: null, currentSession: undefined, isOtherVisitor: true }
}

/**
 * Looks once more now that the account is written. So does whoever ends the session: one of the two comes later.
 * @throws what {@link endedBefore} answers; AdapterError when the store cannot be asked, and then the account stays
 */
export async function expectStanding(context: Context, facts: Facts, admission: Admission): Promise<void> {
  if (!admission.login.addsAccount) return
  const stands = await stillStands(context).catch((error: unknown) =>
    announceAndThrow(context, admission.events, error),
  )
  if (!stands) throw await endedBefore(context, facts, admission)
}

/**
 * The session that a sign-in has begun was ended before it could be seen. What was added from an earlier session is taken away; what
 * the sign-in itself wrote stays, because its person needs it the next time.
 * @throws what {@link endedBefore} answers, or AccessDenied
 */
export async function refuseEnded(context: Context, facts: Facts, admission: Admission): Promise<never> {
  if (admission.login.addsAccount) throw await endedBefore(context, facts, admission)
  return announceAndThrow(context, admission.events, endedUnderWay())
}

/**
 * Takes away what was added from a session that had ended, with the sessions that it opened, and gives the error of the refusal.
 * What another request has added stays, and so does what the adapter cannot take away: that is announced.
 */
export async function endedBefore(context: Context, facts: Facts, { events }: Admission): Promise<Error> {
  for (const event of events) if (event.kind === "linkAccount") await takeBack(context, event)
  return refusalOfEnded(facts)
}

async function takeBack(context: Context, event: Extract<AuthEvent, { kind: "linkAccount" }>): Promise<void> {
  const { store } = context.settings
  const { user, account } = event.message
  const { provider, providerAccountId } = account
  if (!store.has("unlinkAccount")) return announceAll(context, [event])
  await store
    .unlinkAccount({ provider, providerAccountId })
    .catch((error: unknown) => announceAndThrow(context, [event], error))
  await endWhatItOpened(context, user, account)
}

/** Ends the sessions that began with an account that is taken back, where sessions have records. */
export async function endWhatItOpened(context: Context, { id }: Pick<User, "id">, account: AccountKey): Promise<void> {
  if (context.settings.features.sessions) await endBegunBy(context, String(id), account)
}

/** The error for who was signed out meanwhile. */
export function refusalOfEnded(facts: Facts): Error {
  return refusal(facts.proof.policy.refusal, { ...facts, currentUser: null })
}
