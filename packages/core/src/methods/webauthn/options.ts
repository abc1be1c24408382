/** What the browser needs for a ceremony: options with a fresh challenge, sealed into a cookie. */
import { type ChallengeDraft, sealChallenge } from "../../checks/challenge.js"
import type { Context } from "../../context/context.js"
import { normalizeAddress } from "../../context/email-address.js"
import { randomUuid } from "../../crypto/token.js"
import { UnreadableRequest } from "../../errors.js"
import type { CookieChange } from "../../http/result.js"
import { selectStrategy } from "../../sessions/select.js"
import type { CurrentSession } from "../../sessions/strategy.js"
import type { AdapterUser, User } from "../../types/identity.js"
import { sessionBinding } from "../session-binding.js"
import type { CeremonyOptions, NamedCredential, RegistrationQuestion } from "./ceremony.js"
import { decoysFor, digestOf, handleOf, newHandle } from "./keyed.js"
import { libraryOf } from "./library.js"
import {
  callbackOptions,
  callbackRequest,
  expectRemovable,
  forPasskeys,
  type PasskeyContext,
  partyOf,
} from "./party.js"
import { hasAllPasskeys, mostPasskeys } from "./registrant.js"
import type { Ceremony } from "./response.js"
import { labelsOf, named } from "./stored.js"

/** The answer of the action. */
export interface WebAuthnOptions {
  readonly body: { readonly action: Ceremony; readonly options: CeremonyOptions }
  readonly cookies: readonly CookieChange[]
}

/**
 * Options for registration or authentication.
 * @throws UnreadableRequest for an action that is not known or has no user to serve, and for one passkey too many;
 * MissingAdapterMethods when a passkey could be registered for an address and never be taken away again.
 */
export async function webauthnOptions(request: Context): Promise<WebAuthnOptions> {
  const context = forPasskeys(request)
  const asked = askedCeremony(context)
  const subject = await subjectOf(context)
  const action = ceremonyFor(asked, subject.kind)
  if (!action) throw new UnreadableRequest("Invalid request: there is no user to register, or no action.")
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
  // Signed out the list is always empty: it would reveal whether the address is registered.
  const exclude = member ? await credentialsOf(context, member.id) : []
  if (member && exclude.length === mostPasskeys && (await hasAllPasskeys(context, member)))
    throw new UnreadableRequest(
      `The user has ${mostPasskeys} passkeys, as many as one may have: one has to be removed first.`,
    )
  const options = await library.registrationOptions({
    options: config.registrationOptions ?? {},
    party: partyOf(context),
    user: await entityFor(context, subject),
    exclude,
  })
  return answer(
    context,
    { action: "register", options },
    { registerData: await registerData(context, subject), isForVisitor: !member },
  )
}

async function answer(
  context: PasskeyContext,
  body: WebAuthnOptions["body"],
  person: Pick<ChallengeDraft, "registerData" | "isForVisitor"> = {},
): Promise<WebAuthnOptions> {
  const { challenge } = body.options
  const offered = body.action === "authenticate" ? await offeredIn(body.options) : undefined
  const cookie = await sealChallenge(context, { challenge, ...person, ...(offered && { offered }) })
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
  // Decoys are made, and passkeys looked up, for known and unknown addresses: both responses take the same work.
  const decoys = await decoysFor(context, subject.email)
  const id = subject.kind === "known" ? subject.user.id : undefined
  const real = id ? await credentialsOf(context, id) : await credentialsOfStranger(context)
  return real.length > 0 ? real : decoys
}

/** Looks up passkeys of a user who does not exist. Some stores refuse an id of a form that they do not use. */
async function credentialsOfStranger(context: Context): Promise<readonly NamedCredential[]> {
  await credentialsOf(context, randomUuid()).catch(() => undefined)
  return []
}

async function credentialsOf({ settings }: Context, userId: string): Promise<readonly NamedCredential[]> {
  const rows = await settings.store.listAuthenticatorsByUserId(userId)
  return rows.slice(0, mostPasskeys).map(named)
}

/** The user as authenticators show them. A visitor has only the name that was typed. */
async function entityFor(context: PasskeyContext, subject: Subject): Promise<RegistrationQuestion["user"]> {
  if (subject.kind === "member") {
    return { handle: await handleOf(context, subject.user.id), ...labelsOf(subject.user) }
  }
  const name = subject.kind === "nobody" ? "" : subject.name
  return { handle: newHandle(), name, displayName: name }
}

/** What the callback has to know of the person. A stored user's data never go to a visitor who only names its address. */
async function registerData(context: Context, subject: Subject): Promise<Readonly<Record<string, unknown>>> {
  // The session says the rest: a picture in the row may be longer than a cookie.
  if (subject.kind === "member")
    return { id: subject.user.id, session: await sessionBinding(context, subject.currentSession) }
  if (subject.kind === "unknown") return { ...subject.user }
  return subject.kind === "known" ? { email: subject.email } : {}
}

/** Who asks: a signed-in user, a visitor who names a user (stored or not), or a visitor who names none. */
type Subject =
  | { readonly kind: "member"; readonly user: AdapterUser; readonly currentSession: CurrentSession }
  | ({ readonly kind: "known"; readonly user: User | AdapterUser } & Named)
  | ({ readonly kind: "unknown"; readonly user: Omit<User, "id"> } & Named)
  | { readonly kind: "nobody" }

/** Whom a visitor names. */
interface Named {
  readonly email: string
  /** Shown to the visitor: what was typed, not the stored address, which `getUserInfo` may have found by a user name. */
  readonly name: string
}

/** Finds out who asks. Signed out, the provider's `getUserInfo` says who is meant; by default it goes by the address. */
async function subjectOf(context: PasskeyContext): Promise<Subject> {
  const currentSession = await selectStrategy(context.settings).peek(context)
  if (currentSession) return { kind: "member", user: currentSession.user, currentSession }
  const query = queryOf(context)
  const { config } = context.provider
  const options = callbackOptions(context)
  if (config.getUserInfo) {
    const info = await config.getUserInfo(options, callbackRequest(context, query))
    const email = info?.user.email
    if (!info || !email) return { kind: "nobody" }
    // The same for both: it must not tell who is known.
    const name = query.email ?? (typedIn(context) || email)
    const named = { email, name }
    return info.exists ? { kind: "known", user: info.user, ...named } : { kind: "unknown", user: info.user, ...named }
  }
  const { email } = query
  if (!email) return { kind: "nobody" }
  const user = await options.adapter.getUserByEmail?.(email)
  return user ? { kind: "known", user, email, name: email } : { kind: "unknown", user: { email }, email, name: email }
}

/** Fields of forms that nobody types. */
const untyped: ReadonlySet<string> = new Set(["action", "csrfToken", "callbackUrl", "redirectTo"])

/** What the visitor typed into the first field. */
function typedIn({ incoming }: Context): string {
  const fields = Object.entries(incoming.query).filter(([name, value]) => !untyped.has(name) && value !== "")
  return fields[0]?.[1] ?? ""
}

/** The query with the address in its one spelling; what is no address is left out. */
function queryOf({ incoming }: Context): Readonly<Record<string, string>> {
  const { email, ...rest } = incoming.query
  if (email === undefined) return rest
  try {
    return { ...rest, email: normalizeAddress(email) }
  } catch {
    return rest
  }
}

/**
 * The ceremony for what was asked, or nothing. Signed out, the answer depends on what was asked and never on
 * whether the address is registered.
 */
export function ceremonyFor(asked: Ceremony | undefined, subject: Subject["kind"]): Ceremony | undefined {
  if (subject === "member") return asked
  if (asked !== "register") return "authenticate"
  return subject === "nobody" ? undefined : "register"
}
