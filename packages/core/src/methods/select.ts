/** Selects the method for a kind of provider. What is behind it knows the kind of its provider by type. */
import type { ResolvedProvider } from "../config/settings.js"
import type { Context, ContextOf } from "../context/context.js"
import { InvalidProvider } from "../errors.js"
import { fromModule } from "../std/lazy.js"
import type { Beginning, Claim, Confirmation, Departure, Detour, Method, Proof } from "./method.js"

// Each kind is loaded by the first request to a provider of it: few applications have all of them.
const byOAuth = (): Promise<typeof import("./oauth/oauth.js")> => import("./oauth/oauth.js")
const byMail = (): Promise<typeof import("./email/email.js")> => import("./email/email.js")
const byCredentials = (): Promise<typeof import("./credentials.js")> => import("./credentials.js")
const byPasskey = (): Promise<typeof import("./webauthn/webauthn.js")> => import("./webauthn/webauthn.js")

const oauth = {
  begin: fromModule(byOAuth, ({ begin }) => begin),
  finish: fromModule(byOAuth, ({ finish }) => finish),
}
const email = {
  claim: fromModule(byMail, ({ claim }) => claim),
  begin: fromModule(byMail, ({ begin }) => begin),
  finish: fromModule(byMail, ({ finish }) => finish),
}
const credentials = { finish: fromModule(byCredentials, ({ finish }) => finish) }
const webauthn = { finish: fromModule(byPasskey, ({ finish }) => finish) }

/** Answers what a browser needs for a ceremony. */
export const webauthnOptions: typeof import("./webauthn/options.js").webauthnOptions = fromModule(
  byPasskey,
  ({ webauthnOptions }) => webauthnOptions,
)

/** The method of the provider that a request is about. */
export interface SelectedMethod {
  /** email only: who is asking, before anything is sent. */
  readonly claim?: () => Promise<Claim>
  readonly begin?: (given: Beginning) => Promise<Departure>
  readonly finish: () => Promise<Proof | Detour | Confirmation>
}

/**
 * Selects the method of the request's provider.
 * @throws InvalidProvider for a request without one.
 */
export function selectMethod(context: Context): SelectedMethod {
  if (isAbout(context, "oauth") || isAbout(context, "oidc")) return at(context, oauth)
  if (isAbout(context, "email")) return at(context, email)
  if (isAbout(context, "credentials")) return at(context, credentials)
  if (isAbout(context, "webauthn")) return at(context, webauthn)
  throw new InvalidProvider("A sign-in needs a provider.")
}

function isAbout<Type extends ResolvedProvider["type"]>(
  context: Context,
  type: Type,
): context is ContextOf<Extract<ResolvedProvider, { readonly type: Type }>> {
  return context.provider?.type === type
}

function at<C extends Context>(context: C, { claim, begin, finish }: Method<C>): SelectedMethod {
  return {
    ...(claim && { claim: () => claim(context) }),
    ...(begin && { begin: (given: Beginning) => begin(context, given) }),
    finish: () => finish(context),
  }
}
