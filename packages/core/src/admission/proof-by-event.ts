/** Notices where an event of the application has set `emailVerified`, though nobody has proven the address. */
import { warnOnce } from "../config/settings.js"
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import { asError } from "../ports/thrown.js"
import type { AdapterUser } from "../types/identity.js"
import type { Admission } from "./admit.js"

/** What examples for Auth.js write to the user in. */
const writing: ReadonlySet<string> = new Set(["createUser", "linkAccount", "signIn"])

/**
 * The events after which the user has to be read again; none where nothing was added, or the address is proven. To be asked
 * before they are announced, because a handler may write to the user that it is shown.
 */
export function suspectEvents(
  context: Context,
  proof: Proof,
  { login, events }: Pick<Admission, "login" | "events">,
): readonly string[] {
  const { store, events: sink } = context.settings
  const isAdded = events.some(({ kind }) => kind === "createUser" || kind === "linkAccount")
  if (!isAdded || proof.policy.foundBy !== "account" || !store.has("getUser")) return []
  if ((login.user as AdapterUser).emailVerified || isProvenBy(proof, login.user.email)) return []
  return events.flatMap(({ kind }) => (writing.has(kind) && sink.hasHandler(kind) ? [kind] : []))
}

/** A provider that has verified the very address of the user says what the event would say. */
function isProvenBy({ emailStatus, policy, user }: Proof, email: string | null | undefined): boolean {
  return emailStatus === "verified" && policy.provesEmail && user.email?.toLowerCase() === email?.toLowerCase()
}

/** Warns once where the user is proven now. Never throws: the person is signed in. */
export async function warnOfProof(
  context: Context,
  { login }: Pick<Admission, "login">,
  events: readonly string[],
): Promise<void> {
  try {
    const user = await context.settings.store.getUser(String(login.user.id))
    if (!user?.email || !user.emailVerified) return
    const detail = `Events: ${events.join(", ")}. Provider: "${context.provider?.id ?? ""}".`
    warnOnce(context.settings, "email-verified-by-event", detail)
  } catch (error) {
    context.log.debug("The user could not be read again after the events.", asError(error))
  }
}
