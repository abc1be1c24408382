/** Sign-in by whatever the application itself can check: its `authorize` is given the fields of the form. */
import type { ResolvedCredentialsProvider } from "../config/settings.js"
import { askInTime } from "../context/ask.js"
import type { Context, ContextOf } from "../context/context.js"
import { keepNoAnswer } from "../context/no-answer.js"
import { randomUuid } from "../crypto/token.js"
import { CallbackRouteError, CredentialsSignin, isAuthError, isCredentialsSignin } from "../errors.js"
import { asRequest } from "../http/incoming.js"
import { withoutSecretsOf } from "../ports/redact.js"
import { asError } from "../ports/thrown.js"
import { kindOf } from "../std/kind-of.js"
import type { User } from "../types/identity.js"
import { textOfStoredId } from "./identifier.js"
import type { Proof } from "./method.js"
import { credentialsPolicy } from "./policy.js"

type CredentialsContext = ContextOf<ResolvedCredentialsProvider>

/**
 * Asks `authorize`.
 * @throws CredentialsSignin when it says no; CallbackRouteError when it fails or returns something that is not a user;
 * an AuthError it throws passes as it is.
 */
export async function finish(context: CredentialsContext): Promise<Proof> {
  const { provider } = context
  const credentials = { ...context.incoming.form }
  const answered = await authorize(context, provider, credentials)
  const user = await identify(context, answered)
  return {
    kind: "proof",
    policy: credentialsPolicy,
    user,
    ...(answered !== user && { answered }),
    account: { provider: provider.id, providerAccountId: String(user.id), type: "credentials" },
    stored: undefined,
    credentials,
    emailStatus: "unstated",
    mayLinkByEmail: false,
    returnTo: undefined,
  }
}

async function authorize(
  context: Context,
  { id, config }: ResolvedCredentialsProvider,
  credentials: Record<string, unknown>,
): Promise<User> {
  const request = asRequest(context.incoming, context.incoming.form)
  const ask = async (): Promise<unknown> => {
    try {
      // A copy, because the application may change its argument.
      return await config.authorize({ ...credentials }, request)
    } catch (error) {
      keepNoAnswer(context)
      throw error
    }
  }
  const user = await answerOf({ id, credentials }, () => askInTime(context, "authorize", ask))
  if (!user) throw new CredentialsSignin("`authorize` returned no user.", { provider: id })
  const other = whatElse(user)
  if (other === undefined) return user as User
  keepNoAnswer(context)
  throw new CallbackRouteError(`\`authorize\` has to return a user or null, not ${other}.`)
}

/** Answers that mean "no", "nobody" or "not yet read", and are no user although they are objects. */
const others: ReadonlyMap<string, string> = new Map([
  ["[object Array]", "a list. Return its first member, or null where it is empty"],
  ["[object Error]", "an error. Throw it, or return null where the password is wrong"],
  ["[object DOMException]", "an error. Throw it, or return null where the password is wrong"],
  ["[object Response]", "a Response. Read the user from it where its status says yes, and return null otherwise"],
  ["[object Map]", "a Map. Return an object with the members of the user"],
  ["[object Set]", "a Set. Return its member, or null where it is empty"],
])

/** What an answer is, where it is no user. By its tag, so that one from another realm or library counts as well. */
function whatElse(answer: NonNullable<unknown>): string | undefined {
  return typeof answer === "object" ? others.get(Object.prototype.toString.call(answer)) : kindOf(answer)
}

async function answerOf(
  { id: provider, credentials }: { readonly id: string; readonly credentials: object },
  ask: () => unknown,
): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    if (isCredentialsSignin(error) || isAuthError(error)) throw error
    const err = withoutSecretsOf([credentials], asError(error))
    throw new CallbackRouteError("`authorize` failed.", { cause: { err, provider } })
  }
}

/** The user with an id as text. With sessions in the database it has to be one that the adapter knows. */
async function identify(context: Context, user: User): Promise<User> {
  const { settings } = context
  const { id } = user
  const isMissing = id === undefined || id === null || id === ""
  const text = isMissing ? randomUuid() : textOfStoredId(id)
  if (text === undefined) {
    keepNoAnswer(context)
    throw new CallbackRouteError(
      `\`authorize\` returned a user with an id (${kindOf(id)}) that other people could have as well. Return a string, a safe integer or the id as your database gives it, never what a missing one turns into, such as NaN or the text "undefined".`,
    )
  }
  if (settings.strategy === "jwt") return withId(user, text)
  // Adapters take text, and are handed copies of objects, which are no ids of a driver any more.
  const stored = isMissing ? null : await settings.store.getUser(typeof id === "object" ? text : id)
  if (stored) return withId(user, stored.id)
  keepNoAnswer(context)
  if (isMissing)
    throw new CallbackRouteError("With sessions in the database `authorize` has to return the `id` of a stored user.")
  throw new CallbackRouteError(
    '`authorize` returned a user whose `id` the adapter does not know. With sessions in the database return a stored user, or set `session.strategy` to "jwt".',
  )
}

/** The object that was passed in is not changed: another id needs a copy. */
function withId(user: User, id: string): User {
  return user.id === id ? user : { ...user, id }
}
