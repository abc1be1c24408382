/** Signs a person in without a sign-in: the session is the one the application itself would have begun. */
import { type AuthService, createAuth, inspectAuth } from "@latchkey/core"
import type { AdapterUser } from "@latchkey/core/adapters"
import { beginSession } from "@latchkey/core/testing"
import type { Account, AuthConfig, Profile } from "@latchkey/core/types"
import { refuseProduction } from "./refuse-production.js"
import { type SignedIn, signedInWith } from "./signed-in.js"

/** How a user is signed in. */
export interface SignInAsOptions {
  /**
   * Where the application is reached: with https its cookies have other names.
   * @default AUTH_URL, else http://localhost:3000
   */
  readonly url?: string
  /** When the person signed in; long ago, the session is due for an extension or has ended. @default now */
  readonly at?: Date
  /** Id of the provider they came by, for callbacks and events. @default the first of the configuration */
  readonly provider?: string
  /** Members of the account that callbacks are shown, such as tokens. With a `providerAccountId` it is linked as well. */
  readonly account?: Readonly<Partial<Account>>
  /** What the provider said of them, for callbacks. */
  readonly profile?: Profile
}

/**
 * Signs a person in, with either session strategy. A user who is not stored yet is stored; a stored one stays as it is.
 * The `jwt` callback and the events are called as at a sign-in; the `signIn` callback is not.
 *
 * @param auth what `createAuth` returned, or the configuration handed to `ExpressAuth` or `SvelteKitAuth`.
 * @param user found by `id`, else by `email`.
 * @throws AuthError for a configuration that serves nothing, and where the store fails; Error in production.
 *
 * @example
 * ```ts
 * const ada = await signInAs(auth, { email: "ada@app.test" })
 * await request(app).get("/inside").set(ada.headers).expect(200)
 * ```
 */
export async function signInAs(
  auth: AuthService<unknown> | AuthConfig,
  user: Readonly<Partial<AdapterUser>>,
  { url, at = new Date(), provider, account, profile }: SignInAsOptions = {},
): Promise<SignedIn> {
  refuseProduction()
  const begun = await beginSession(serviceOf(auth), {
    // An address that the configuration names counts for more.
    source: { url: url ?? "http://localhost:3000", headers: {} },
    user,
    now: at,
    account: { ...account, ...(provider !== undefined && { provider }) },
    ...(profile && { profile }),
  })
  return signedInWith(begun.user, begun.cookies, url ?? begun.origin)
}

function serviceOf(auth: AuthService<unknown> | AuthConfig): AuthService<unknown> {
  const given: unknown = auth
  if (inspectAuth(given)) return auth as AuthService<unknown>
  if (typeof given === "object" && given !== null && !("handle" in given)) return createAuth(auth as AuthConfig)
  const received = given === null ? "null" : typeof given
  throw new TypeError(
    `signInAs expects what createAuth returned, or the configuration, and received ${received === "object" ? "another object" : `a ${received}`}. ` +
      "Export the configuration from the module that hands it to ExpressAuth or SvelteKitAuth, and pass it here.",
  )
}
