/** What the browser needs for a ceremony: options with a fresh challenge, sealed into a cookie. */
import { sealChallenge } from "../../checks/challenge.js"
import type { Context } from "../../context/context.js"
import { UnreadableRequest } from "../../errors.js"
import type { CookieChange } from "../../http/result.js"
import type { AdapterUser } from "../../types/identity.js"
import type { CeremonyOptions, NamedCredential } from "./ceremony.js"
import { decoysFor, digestOf, handleOf, newHandle } from "./keyed.js"
import { libraryOf } from "./library.js"
import { forPasskeys, type PasskeyContext, partyOf } from "./party.js"
import type { Ceremony } from "./response.js"
import { named } from "./stored.js"
import { ceremonyFor, expectRemovable, type Subject, subjectOf } from "./subject.js"

/** The answer of the action. */
export interface WebAuthnOptions {
  readonly body: { readonly action: Ceremony; readonly options: CeremonyOptions }
  readonly cookies: readonly CookieChange[]
}

// Nobody has so many; a longer list would only make the answer grow.
const mostCredentials = 64

/**
 * Options for registration or authentication.
 * @throws UnreadableRequest for an action that is not known or has no user to serve; MissingAdapterMethods when
 * a passkey could be registered for an address and never be taken away again.
 */
export async function webauthnOptions(request: Context): Promise<WebAuthnOptions> {
  const context = forPasskeys(request)
  const asked = askedCeremony(context)
  const subject = await subjectOf(context)
  const action = ceremonyFor(asked, subject.kind)
  if (!action) throw new UnreadableRequest("Invalid request: there is nobody to register, or no action was named.")
  return action === "register" ? registration(context, subject) : authentication(context, subject)
}

function askedCeremony({ incoming }: Context): Ceremony | undefined {
  const { action } = incoming.query
  if (action === undefined) return undefined
  if (action === "register" || action === "authenticate") return action
  throw new UnreadableRequest("Invalid action: expected `register` or `authenticate`.")
}

async function authentication(context: PasskeyContext, subject: Subject): Promise<WebAuthnOptions> {
  const { config } = context.provider
  const library = await libraryOf(config)
  const options = await library.authenticationOptions({
    options: config.authenticationOptions ?? {},
    party: partyOf(context),
    allow: await allowedCredentials(context, subject),
  })
  return answer(context, { action: "authenticate", options })
}

async function registration(context: PasskeyContext, subject: Subject): Promise<WebAuthnOptions> {
  const { config } = context.provider
  const library = await libraryOf(config)
  const member = subject.kind === "member" ? subject.user : undefined
  if (!member) expectRemovable(context)
  const options = await library.registrationOptions({
    options: config.registrationOptions ?? {},
    party: partyOf(context),
    user: member ? await memberEntity(context, member) : strangerEntity(subject),
    // Signed out the list is always empty: it would reveal whether the address is registered.
    exclude: member ? await credentialsOf(context, member.id) : [],
  })
  return answer(context, { action: "register", options }, registerData(subject))
}

async function answer(
  context: PasskeyContext,
  body: WebAuthnOptions["body"],
  registerData?: Readonly<Record<string, unknown>>,
): Promise<WebAuthnOptions> {
  const { challenge } = body.options
  const offered = body.action === "authenticate" ? await offeredIn(body.options) : undefined
  const sealed = { challenge, ...(registerData && { registerData }), ...(offered && { offered }) }
  const cookie = await sealChallenge(context, sealed)
  return { body, cookies: [cookie] }
}

/** From the options as they leave: the library, or the provider's own options, may have named others. */
async function offeredIn({ allowCredentials }: CeremonyOptions): Promise<readonly string[] | undefined> {
  if (!Array.isArray(allowCredentials) || allowCredentials.length === 0) return undefined
  return Promise.all(allowCredentials.map(({ id }: { id: unknown }) => digestOf(String(id))))
}

async function allowedCredentials(
  context: PasskeyContext,
  subject: Subject,
): Promise<readonly NamedCredential[] | undefined> {
  if (subject.kind === "nobody") return undefined
  if (subject.kind === "member") return credentialsOf(context, subject.user.id)
  const real = subject.kind === "known" && subject.user.id ? await credentialsOf(context, subject.user.id) : []
  // One more look-up for the unknown, so that both answers take about as long.
  if (subject.kind === "unknown") await context.settings.store.getUserByEmail(subject.email)
  return real.length > 0 ? real : decoysFor(context, subject.email)
}

async function credentialsOf({ settings }: Context, userId: string): Promise<readonly NamedCredential[]> {
  const rows = await settings.store.listAuthenticatorsByUserId(userId)
  return rows.slice(0, mostCredentials).map(named)
}

async function memberEntity(
  context: PasskeyContext,
  { id, email, name }: AdapterUser,
): Promise<{ handle: Uint8Array; name: string; displayName: string }> {
  const label = email || name || String(id)
  return { handle: await handleOf(context, id), name: label, displayName: name || label }
}

function strangerEntity(subject: Subject): { handle: Uint8Array; name: string; displayName: string } {
  const email = subject.kind === "known" || subject.kind === "unknown" ? subject.email : ""
  return { handle: newHandle(), name: email, displayName: email }
}

/** What the callback has to know of the person. A stored user's data never go to a visitor who only names its address. */
function registerData(subject: Subject): Readonly<Record<string, unknown>> {
  if (subject.kind === "member") {
    const { id, name, email, image } = subject.user
    return { id, name, email, image }
  }
  if (subject.kind === "unknown") return { ...subject.user }
  return subject.kind === "known" ? { email: subject.email } : {}
}
