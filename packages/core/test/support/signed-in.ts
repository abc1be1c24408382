/** Browsers that carry a session of either strategy. */
import type { Context } from "../../src/context/context.js"
import { open } from "../../src/crypto/jwe.js"
import { createStore, type Store } from "../../src/ports/store.js"
import { jwtStrategy } from "../../src/sessions/jwt.js"
import type { Login } from "../../src/sessions/strategy.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { CallbacksOptions } from "../../src/types/hooks.js"
import type { Account } from "../../src/types/identity.js"
import {
  cookiesAfter,
  type FakeAdapter,
  later,
  makeAdapter,
  makeContext,
  type Surroundings,
  type TestContext,
} from "./context.js"

/** Name of the session cookie on https. */
export const cookieName = "__Secure-authjs.session-token"
/** Thirty days in seconds. */
export const month = 2_592_000
/** The account everybody signs in with. */
export const account: Account = { provider: "op", providerAccountId: "7", type: "oidc" }
/** A person who was let in. */
export const ann: Login = {
  user: { id: "u1", name: "Ann", email: "ann@app.test", image: "/ann.png" },
  account,
  isNew: undefined,
}
/** A store without an adapter. */
export const noStore: Store = createStore(undefined)

/** The cookies of a browser that signed in at the start of the tests, jwt strategy. */
export async function signedIn(given: Surroundings = {}, login: Login = ann): Promise<Record<string, string>> {
  const context = makeContext(given)
  return cookiesAfter(context, (await jwtStrategy.begin(context, login, noStore)).cookies)
}

/** What is sealed in the session cookie. */
export async function claimsOf(context: Context, cookies: Record<string, string>): Promise<Record<string, unknown>> {
  const { keyring } = context.settings.jwt
  return open(cookies[cookieName] ?? "", { keyring, salt: cookieName, now: context.now })
}

/** A configuration with this jwt callback. */
export function withJwt(jwt: (params: never) => unknown): Partial<AuthConfig> {
  return { callbacks: { jwt: jwt as CallbacksOptions["jwt"] } }
}

/** A row `t1` of user `u1` that was made at the start of the tests, and a browser that carries its token. */
export function stage(given: Surroundings & { readonly expires?: Date } = {}): {
  adapter: FakeAdapter
  context: TestContext
} {
  const adapter = makeAdapter()
  adapter.sessions.set("t1", { sessionToken: "t1", userId: "u1", expires: given.expires ?? later(month) })
  const config: Partial<AuthConfig> = { adapter, ...given.config }
  return { adapter, context: makeContext({ cookies: { [cookieName]: "t1" }, ...given, config }) }
}

/** Lets the adapter answer another row or user than it has. */
export function answer(adapter: FakeAdapter, change: object): void {
  const session = { sessionToken: "t1", userId: "u1", expires: later(month) }
  const user = { id: "u1", email: "ann@app.test", emailVerified: null }
  Object.assign(adapter, { getSessionAndUser: () => ({ session, user, ...change }) })
}
