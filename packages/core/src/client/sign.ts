/** Signing in and out from a script. */
import { pathSegment } from "../std/url.js"
import type { RedirectableProviderType } from "../types/identity.js"
import { type Connection, returnAddress, textMember } from "./connection.js"
import { destinationOf, leave, outcome, type SignInResponse } from "./outcome.js"
import { type PasskeyOptions, passkeySignIn, registerPasskey } from "./passkey.js"

/** Options of a sign-in; everything else is a field of the form: `email`, `password` and the like. */
export interface SignInOptions<Redirect extends boolean = true> extends Record<string, unknown> {
  /** Where the person goes afterwards. @default the page */
  redirectTo?: string
  /** Where the person goes afterwards. @deprecated the older name of `redirectTo` */
  callbackUrl?: string
  /** `false`: the answer is returned instead of gone to. Only for e-mail and credentials. @default true */
  redirect?: Redirect
  /** The type of the provider, where it does not follow from the id; saves a request to the service. */
  providerType?: string
}

/** Parameters for the provider's authorization request. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** Signs in. Without a provider the person is sent to the sign-in page. */
export interface SignIn {
  /** Leaves the page. */
  (provider?: string, options?: SignInOptions, authorizationParams?: AuthorizationParams): Promise<undefined>
  /** Stays on the page and returns the answer. */
  <Type extends RedirectableProviderType>(
    provider: Type,
    options: SignInOptions<false>,
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResponse>
  /** The same for a provider whose id is not its type. */
  (
    provider: string,
    options: SignInOptions<false> & { providerType: RedirectableProviderType },
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResponse>
}

/** Options of a sign-out. */
export interface SignOutOptions<Redirect extends boolean = true> {
  /** Where the person goes afterwards. @default the page */
  redirectTo?: string
  /** Where the person goes afterwards. @deprecated the older name of `redirectTo` */
  callbackUrl?: string
  /** `false`: the address is returned instead of gone to. @default true */
  redirect?: Redirect
}

/** The answer to a sign-out that stays on the page. */
export interface SignOutResponse {
  /** Where the person would have gone. */
  url: string
}

/** Signs out. When the service refuses, the person is led to the page that says so. */
export interface SignOut {
  /** Leaves the page. */
  (options?: SignOutOptions): Promise<undefined>
  /** Stays on the page and returns where the person would have gone. Throws a `ClientError` when the service refuses. */
  (options: SignOutOptions<false>): Promise<SignOutResponse>
}

/** Makes `signIn`. */
export function makeSignIn(connection: Connection): SignIn {
  const signIn = async (
    provider?: string,
    { redirectTo, callbackUrl, redirect = true, providerType, ...fields }: SignInOptions<boolean> = {},
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResponse | undefined> => {
    const returnTo = redirectTo ?? callbackUrl ?? returnAddress()
    if (!provider) return toSignInPage(connection, returnTo)
    const [csrfToken, type] = await Promise.all([connection.csrfToken(), providerType ?? typeOf(connection, provider)])
    if (type === undefined) return toSignInPage(connection, returnTo)
    if (type === "webauthn") return ceremony(connection, { provider, redirect, redirectTo: returnTo, fields })
    const action = type === "credentials" ? "callback" : "signin"
    const answer = await connection.post(withQuery(`${action}/${pathSegment(provider)}`, authorizationParams), {
      ...fields,
      csrfToken,
      callbackUrl: returnTo,
    })
    return outcome(connection, answer, redirect)
  }
  return signIn as SignIn
}

/** Makes `signOut`. */
export function makeSignOut(connection: Connection): SignOut {
  const signOut = async ({
    redirectTo,
    callbackUrl,
    redirect = true,
  }: SignOutOptions<boolean> = {}): Promise<SignOutResponse | undefined> => {
    const csrfToken = await connection.csrfToken()
    const returnTo = redirectTo ?? callbackUrl ?? returnAddress()
    const answer = await connection.post("signout", { csrfToken, callbackUrl: returnTo })
    if (redirect) return leave(connection, answer, "Configuration")
    return { url: destinationOf(answer, "The sign-out did not succeed.") }
  }
  return signOut as SignOut
}

function ceremony(
  connection: Connection,
  { fields, ...options }: Omit<PasskeyOptions, "fields"> & { readonly fields: Readonly<Record<string, unknown>> },
): Promise<SignInResponse | undefined> {
  const { action, ...rest } = fields
  const start = action === "register" ? registerPasskey : passkeySignIn
  return start(connection, { ...options, fields: rest })
}

function toSignInPage(connection: Connection, returnTo: string | undefined): undefined {
  connection.navigate(
    withQuery(connection.url("signin"), returnTo === undefined ? undefined : { callbackUrl: returnTo }),
  )
}

/** The type of a provider: its id where that is the name of a type, else what the service says. */
async function typeOf(connection: Connection, provider: string): Promise<string | undefined> {
  if (provider === "credentials" || provider === "email") return provider
  const { data } = await connection.get("providers")
  const listed = typeof data === "object" && data !== null && Object.hasOwn(data, provider)
  return listed ? textMember((data as Record<string, unknown>)[provider], "type") : undefined
}

function withQuery(address: string, params: AuthorizationParams | undefined): string {
  const query = new URLSearchParams(params).toString()
  return query ? `${address}?${query}` : address
}
