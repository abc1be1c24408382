/** What the jwt and the session callback are asked, what their answers mean, and what a client may see of a session. */
import { askInTime, detailsFor } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { chain } from "../crypto/cipher.js"
import { assertBounded } from "../http/fields.js"
import { asError, asThrownError } from "../ports/thrown.js"
import { isThenable } from "../std/deadline.js"
import { isMembers } from "../std/json.js"
import { toIsoText } from "../std/time.js"
import type { CallbacksOptions } from "../types/hooks.js"
import type { Awaitable } from "../types/identity.js"
import type { Session, SessionUpdate } from "../types/session.js"
import type { JWT } from "../types/token.js"
import { keepClaim, withoutDigest } from "./facts-claim.js"
import { namesUser } from "./user-id.js"

type Name = "jwt" | "session"

/** A callback threw, or answered what it must not. */
class CallbackFailure extends Error {
  readonly callback: Name
  readonly err: Error

  constructor(callback: Name, err: Error, hint = "") {
    const message = `The ${callback} callback failed: ${err.message}`
    super(hint === "" ? message : `${message.replace(/\.$/, "")}. ${hint}`)
    this.callback = callback
    this.err = err
  }
}

/** What a callback is asked, and what is known of its answer. */
interface Question<T> {
  readonly ask: () => T | PromiseLike<T>
  readonly isFit: (answer: unknown) => boolean
  /** What an answer has to be, for the message. */
  readonly expected: string
  /** Added to the message of a TypeError: most often a member was read that is not given at this moment. */
  readonly given: string
}

/** Asks; throws a failure that {@link explained} makes an error of. An answer that is there at once needs no promise. */
function askCallback<T>(context: Context, callback: Name, question: Question<T>): Awaitable<T> {
  const failed = (thrown: unknown): never => {
    const err = asThrownError(thrown)
    throw new CallbackFailure(callback, err, err instanceof TypeError ? question.given : "")
  }
  let answer: Awaitable<T>
  try {
    answer = askInTime(context, `callbacks.${callback}`, question.ask)
    if (isThenable(answer)) return answer.then((value) => fitting(callback, value, question), failed)
  } catch (thrown) {
    return failed(thrown)
  }
  return fitting(callback, answer, question)
}

function fitting<T>(callback: Name, answer: T, { expected, isFit }: Question<T>): T {
  if (isFit(answer)) return answer
  const received = Array.isArray(answer) ? "a list" : typeof answer
  throw new CallbackFailure(callback, new TypeError(`expected ${expected}, received ${received}.`))
}

/** What was thrown while a session was begun or read, as an error of this kind that names the callback and the cause. */
export function explained<E extends Error>(
  ErrorClass: new (message: string | Error, options?: { cause: Record<string, unknown> }) => E,
  thrown: unknown,
): E {
  if (!(thrown instanceof CallbackFailure)) return new ErrorClass(asError(thrown))
  return new ErrorClass(thrown.message, { cause: { err: thrown.err, callback: thrown.callback } })
}

type JWTParams = Parameters<CallbacksOptions["jwt"]>[0]

/** The token after the callback; `null` ends the session. */
interface Passed {
  readonly token: JWT | null
  /** It was changed and has to be sealed again, or what the callback did is lost. */
  readonly isChanged: boolean
}

/** Passes the claims of an access through the callback. Where the application has none, nothing can change. */
export function passAccess(context: Context, claims: JWT, update: Update | undefined): Awaitable<Passed> {
  if (!context.settings.config.callbacks?.jwt) return { token: claims, isChanged: false }
  // Taken before the callback, which may write to what it is given.
  const before = fingerprint(claims)
  const sentAsSub = update && context.incoming.caller !== "server" ? textsOfSub(update.data) : noTexts
  const asked = askJwt(context, {
    token: { ...withoutDigest(claims) },
    ...(update && { trigger: "update", ...(update.data !== undefined && { session: update.data }) }),
  })
  return chain(asked, (answer) => {
    if (!answer) return { token: null, isChanged: true }
    if (answer.sub !== claims.sub && sentAsSub.has(String(answer.sub).trim()))
      throw new CallbackFailure("jwt", notByClient())
    const token = keepClaim(followPicture(answer, claims), claims, context.settings.features)
    if (update) assertWritable(token)
    return { token, isChanged: fingerprint(token) !== before }
  })
}

const noTexts: ReadonlySet<string> = new Set()

/**
 * What a client sent in members named `sub`, at any depth, as text without blanks around it. A callback that lays the update, or
 * part of it, over the token would let everybody be whom they name. What the application itself passes may say so.
 */
function textsOfSub(sent: unknown): ReadonlySet<string> {
  const texts = new Set<string>()
  const collect = (value: unknown, isSub: boolean): void => {
    if (typeof value === "object" && value !== null)
      for (const [name, member] of Object.entries(value)) collect(member, isSub || name === "sub")
    else if (isSub) texts.add(String(value).trim())
  }
  collect(sent, false)
  return texts
}

/**
 * What a client sent may be small and its text endless: frameworks read members that are shared, also into objects of classes,
 * through which the bounds of what comes in do not look.
 */
function assertWritable(token: JWT): void {
  try {
    assertBounded(token, true)
  } catch (error) {
    const { message } = asError(error)
    throw new CallbackFailure("jwt", new Error(`at an update it answered a token that cannot be sealed. ${message}`))
  }
}

const notByClient = (): Error =>
  new Error(
    "at an update it put the `sub` that the client sent into the token, which says whose session it is. Take the members you want of `session`, not all of it.",
  )

/** Asks the jwt callback. */
export function askJwt(context: Context, params: object): Awaitable<JWT | null> {
  const answer = askCallback(context, "jwt", {
    ask: () => context.settings.callbacks.jwt(params as JWTParams, ...detailsFor(context, "callbacks", "jwt")),
    isFit: (answer) => answer === null || isClaims(answer),
    expected: "the token or null",
    given:
      "user" in params ? "" : "Outside a sign-in it is given `token` alone, without `user`, `account` and `profile`.",
  })
  return chain(answer, (token) => {
    if (token && !namesUser(token)) throw new CallbackFailure("jwt", new TypeError(unnamed))
    return token
  })
}

const unnamed = "the `sub` of its token says whose session it is: expected text or a number, or none."

/** What the client sent to change its session. */
export interface Update {
  readonly data: SessionUpdate | undefined
}

/** How a session is accessed: what the client sent, and whether no cookie can be set any more. */
export interface Access {
  readonly update?: Update
  readonly fixed?: boolean | undefined
}

type SessionParams = Parameters<CallbacksOptions["session"]>[0]

/** The session of a token, as the client may see it. */
export function presentToken(
  context: Context,
  { token, expires, update }: { token: JWT; expires: Date; update: Update | undefined },
): Awaitable<Session | null> {
  const { name, email, picture } = token
  const image = "image" in token ? token.image : picture
  const basic = { name, email: email === "" ? null : email, image }
  const { config, exposed } = context.settings
  const user = exposed.length === 0 ? basic : { ...exposedBy(token, context), ...basic }
  const session = { user, expires: toIsoText(expires) } as Session
  // Without a callback of the application it is what clients see: the default would choose the same members.
  if (typeof config.callbacks?.session !== "function") return session
  return askSession(context, { session, token: withoutDigest(token), ...updateParams(update) })
}

/** What the token says of the user beyond name, email and image, as far as it is exposed. */
function exposedBy(token: JWT, { settings }: Context): Readonly<Record<string, unknown>> {
  const claims = settings.exposed.map((member) => [member, token[member === "id" ? "sub" : member]])
  return Object.fromEntries(claims.filter(([, value]) => value !== undefined))
}

/** What the session callback is given for an update. */
export function updateParams(update: Update | undefined): object {
  return update ? { newSession: update.data, trigger: "update" } : {}
}

/** The empty string stands for "no address" in the store and means nothing to a client. */
function withoutEmptyAddress(session: Session): Session {
  return session.user?.email === "" ? { ...session, user: { ...session.user, email: null } } : session
}

/** Asks the session callback. Which of its parameters it gets depends on the strategy; its type shows them all. */
export function askSession(context: Context, params: object): Awaitable<Session | null> {
  const { callbacks, strategy } = context.settings
  const answer = askCallback<unknown>(context, "session", {
    ask: () => callbacks.session(params as SessionParams, ...detailsFor(context, "callbacks", "session")),
    isFit: (answer) => typeof answer === "object" && !Array.isArray(answer),
    expected: "a session or null",
    given:
      strategy === "jwt"
        ? "With sessions in tokens it is given `token`; `user` is there with sessions in the database alone."
        : "With sessions in the database it is given `user`; `token` is there with sessions in tokens alone.",
  })
  return chain(answer, (session) => (session === null ? null : readable(session as Session)))
}

function readable(answer: Session): Session {
  const session = withoutEmptyAddress(answer)
  const expires: unknown = session.expires
  return expires instanceof Date ? { ...session, expires: expires.toISOString() } : session
}

/**
 * The token as callbacks see it: with `image`, which existing tokens carry under the name `picture` alone. It is written into
 * `own`, claims that nobody else holds: engines copy an object with members of any name slowly, and every request would do so.
 */
export function shown(own: JWT): JWT {
  if (own.picture !== undefined && !("image" in own)) own.image = own.picture
  return own
}

/** The token as it is kept: `image` only where it differs from `picture`. */
export function sealed(claims: JWT): JWT {
  if (!("image" in claims) || claims.image !== claims.picture) return claims
  const { image, ...rest } = claims
  return rest
}

/**
 * Lets `image` follow a callback that writes to `picture` alone, the name that existing callbacks know.
 * Where it writes to both, they are kept apart and `image` counts.
 */
export function followPicture(claims: JWT, before: JWT): JWT {
  const wasOne = before.image === before.picture
  const isPictureAlone = claims.image === before.image && claims.picture !== before.picture
  return wasOne && isPictureAlone && "image" in claims ? { ...claims, image: claims.picture } : claims
}

/** The claims without those that every sealing sets anew, and without what no callback changes, as text that can be compared. */
function fingerprint(claims: JWT): string {
  const { iat, exp, jti, ...rest } = sealed(withoutDigest(claims))
  return JSON.stringify(rest)
}

/** Anything but an object holds no claims. */
export function isClaims(value: unknown): value is JWT {
  return isMembers(value)
}
