/** A session without a sign-in, for tests: the user is stored where it is missing, and the session begins as after any sign-in. */
import type { Settings } from "../config/settings.js"
import { announceAll } from "../context/ask.js"
import { createContext } from "../context/context.js"
import { OAuthAccountNotLinked, SessionTokenError } from "../errors.js"
import { concreteCookies } from "../http/cookies.js"
import { craftIncoming } from "../http/incoming.js"
import type { AuthEvent } from "../ports/events.js"
import type { Store } from "../ports/store.js"
import { selectStrategy } from "../sessions/select.js"
import type { Cookie } from "../types/config.js"
import type { Account, AdapterUser, Profile, User } from "../types/identity.js"
import type { AuthService, AuthSource } from "./public.js"
import { requiredSettingsOf } from "./service.js"

/** Whose session begins, and as after which sign-in. */
export interface SessionOrder {
  /** The address of the application, or the headers of a request whose session is replaced. */
  readonly source: AuthSource
  /** Found by `id`, else by `email`; stored where no user is found and the adapter can. */
  readonly user: Readonly<Partial<AdapterUser>>
  /** The account that the callbacks are shown. With a `providerAccountId` it is linked, where the adapter can. */
  readonly account?: Readonly<Partial<Account>>
  /** What a provider would have said of the person, for the callbacks. */
  readonly profile?: Profile
  /** When the person signs in. */
  readonly now: Date
}

/** The session that began. */
export interface OrderedSession {
  /** As it is stored; without an adapter as it was given, with an id. */
  readonly user: User
  /** The cookies that carry the session. */
  readonly cookies: readonly Cookie[]
  /** Where the application is reached: the configured origin, else that of the source. */
  readonly origin: string
}

/** The user, and the events to announce. */
interface Found {
  readonly user: User
  readonly isNew: boolean | undefined
  readonly events: readonly AuthEvent[]
}

/**
 * Begins a session for the user named, without any proof. The `jwt` callback and the events are called as
 * at a sign-in; the `signIn` callback is not, because this is no sign-in.
 * @throws AuthError when the configuration serves nothing, or a user, account or session cannot be stored.
 */
export async function beginSession(auth: AuthService<unknown>, order: SessionOrder): Promise<OrderedSession> {
  const settings = requiredSettingsOf(auth)
  const incoming = craftIncoming(order.source, { action: "session", method: "GET" }, settings)
  const problem = incoming.problem ?? settings.generalProblems[0]
  if (problem) throw problem
  const context = createContext({ settings, incoming, now: order.now })
  const found = await findOrStore(settings, order.user)
  const account = accountOf(settings, { given: order.account ?? {}, user: found.user })
  const linked = await link(settings.store, { account, user: found.user, isAsked: isNamed(order.account) })
  const { profile } = order
  const login = { user: found.user, account, isNew: found.isNew, ...(profile && { profile }) }
  const begun = await selectStrategy(settings).begin(context, login, settings.store)
  const { isNew: isNewUser, user } = found
  const message = { user, account, ...(profile && { profile }), ...(isNewUser !== undefined && { isNewUser }) }
  await announceAll(context, [...found.events, ...linked, ...begun.events, { kind: "signIn", message }])
  return { user, cookies: concreteCookies(begun.cookies, context), origin: incoming.origin }
}

async function findOrStore({ store, strategy }: Settings, given: SessionOrder["user"]): Promise<Found> {
  const known = await find(store, given)
  if (known) return { user: known, isNew: false, events: [] }
  if (store.has("createUser")) {
    const id = given.id ?? globalThis.crypto.randomUUID()
    const user = await store.createUser({ emailVerified: null, ...given, id, email: given.email ?? "" })
    return { user, isNew: true, events: [{ kind: "createUser", message: { user } }] }
  }
  if (strategy === "database") {
    throw new SessionTokenError(
      "A session in the database needs a stored user. There is no user with this `id` or `email`, and the adapter has no `createUser`.",
    )
  }
  // Without a store the same person is the same user at each sign-in.
  return {
    user: { ...given, id: given.id ?? given.email ?? globalThis.crypto.randomUUID() },
    isNew: undefined,
    events: [],
  }
}

async function find(store: Store, { id, email }: SessionOrder["user"]): Promise<User | null> {
  if (id !== undefined && store.has("getUser")) return store.getUser(id)
  return email && store.has("getUserByEmail") ? store.getUserByEmail(email) : null
}

const isNamed = (account: SessionOrder["account"]): boolean => account?.providerAccountId !== undefined

/** As after a sign-in at the first provider of the configuration, unless another one is named. */
function accountOf(
  { providers }: Settings,
  { given, user }: { readonly given: Readonly<Partial<Account>>; readonly user: User },
): Account {
  const provider = given.provider === undefined ? [...providers.values()][0] : providers.get(given.provider)
  const type = given.type ?? provider?.type ?? "oauth"
  const own = type === "email" ? user.email : user.id
  return {
    ...given,
    type,
    provider: given.provider ?? provider?.id ?? "test",
    providerAccountId: given.providerAccountId ?? String(own ?? user.id),
  }
}

async function link(
  store: Store,
  { account, user, isAsked }: { readonly account: Account; readonly user: User; readonly isAsked: boolean },
): Promise<readonly AuthEvent[]> {
  const { provider, providerAccountId, type } = account
  if (!isAsked || type === "credentials" || !store.has("linkAccount") || user.id === undefined) return []
  const owner = store.has("getUserByAccount") ? await store.getUserByAccount({ provider, providerAccountId }) : null
  if (owner && String(owner.id) !== String(user.id)) {
    throw new OAuthAccountNotLinked("The account named for the session belongs to another user.", {
      cause: { provider },
    })
  }
  if (owner) return []
  const row = { ...account, type, userId: user.id }
  await store.linkAccount(row)
  return [{ kind: "linkAccount", message: { user: user as AdapterUser, account: row, profile: user } }]
}
