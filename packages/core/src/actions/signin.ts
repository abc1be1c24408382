/** `signin`: the page that lists the providers, and the start of a flow. */
import { askGate } from "../admission/arrive.js"
import type { ResolvedProvider } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { issueCsrf } from "../context/csrf.js"
import { resolveReturnTo, returnToCookie } from "../context/return-to.js"
import { actionUrl, pageUrl, providerUrl } from "../context/urls.js"
import { wordingOf } from "../context/wording.js"
import { InvalidProvider } from "../errors.js"
import { page, type Result, redirect } from "../http/result.js"
import { selectMethod } from "../methods/select.js"
import { passkeyScript } from "../pages/passkey-script.js"
import { signinPage as renderSigninPage, type SigninEntry } from "../pages/signin.js"
import { selectStrategy } from "../sessions/select.js"
import { withParams } from "../std/url.js"
import { asAuthError } from "./failure.js"

/** Shows the sign-in page, or redirects to the application's own; the provider the path names comes first. */
export async function signinPage(context: Context): Promise<Result> {
  const { settings, incoming } = context
  const { error, code, incident } = incoming.query
  const returnTo = await resolveReturnTo(context)
  const kept = returnToCookie(context, returnTo)
  if (settings.pages.signIn) {
    const goTo = withParams(pageUrl(context, settings.pages.signIn), { callbackUrl: returnTo, error, code, incident })
    return redirect(goTo, { cookies: kept })
  }
  const { token, cookies } = await issueCsrf(context)
  const visitor = await visitorOf(context)
  const signoutUrl = actionUrl(context, "signout")
  const document = await renderSigninPage({
    theme: settings.theme,
    wording: await wordingOf(context),
    ...(visitor && { visitor: { ...visitor, signoutUrl, signinUrl: addressOf(context, returnTo) } }),
    providers: signinEntries(context),
    csrfToken: token,
    returnTo,
    error,
    incident,
    isCancelled: "cancelled" in incoming.query,
    email: incoming.query["email"],
    passkeyScript,
  })
  return page(document, { cookies: [...cookies, ...kept] })
}

/** The providers that can be used, as the page shows them: in the configured order, the one the path names first. */
function signinEntries(context: Context): readonly SigninEntry[] {
  const { providers, providerProblems } = context.settings
  const all = [...providers.values()].filter(({ id }) => !providerProblems.has(id))
  const first = all.filter((provider) => provider === context.provider)
  return [...first, ...all.filter((provider) => provider !== context.provider)].map((provider) =>
    entry(context, provider),
  )
}

function entry(context: Context, provider: ResolvedProvider): SigninEntry {
  const { id, name, type, config } = provider
  return {
    id,
    name,
    type,
    signinUrl: providerUrl(context, "signin", id),
    callbackUrl: providerUrl(context, "callback", id),
    style: config.style,
    ...fieldsOf(provider),
    ...(type === "webauthn" && {
      optionsUrl: providerUrl(context, "webauthn-options", id),
      conditional: provider.config.enableConditionalUI !== false,
    }),
  }
}

function fieldsOf(provider: ResolvedProvider): Pick<SigninEntry, "fields"> {
  if (provider.type === "credentials") return { fields: provider.config.credentials }
  return provider.type === "webauthn" ? { fields: provider.config.formFields } : {}
}

/** A POST without a provider that a sign-in can begin with is answered with the page that lists them. */
export async function toSigninPage(context: Context): Promise<Result> {
  const returnTo = await resolveReturnTo(context)
  return redirect(addressOf(context, given(context) ? returnTo : undefined), {
    cookies: returnToCookie(context, returnTo),
  })
}

/** The sign-in page, with the address to go to afterwards. */
function addressOf(context: Context, callbackUrl: string | undefined): string {
  return withParams(actionUrl(context, "signin"), { callbackUrl })
}

const given = ({ incoming }: Context): boolean => "callbackUrl" in incoming.form || "callbackUrl" in incoming.query

/** Begins the flow of a provider: calls the `signIn` callback where an address was claimed, then redirects to the provider. */
export async function beginSignin(context: Context): Promise<Result> {
  if (!context.provider) throw new InvalidProvider("Sign-in needs a provider.")
  const method = selectMethod(context)
  if (!method.begin) throw new InvalidProvider(`Provider ${context.provider.id} has no flow to begin.`)
  const returnTo = await resolveReturnTo(context)
  const claim = await method.claim?.()
  if (claim) {
    const verdict = await askGate(context, { ...claim, email: { verificationRequest: true } })
    if (verdict.kind === "elsewhere") return redirect(verdict.goTo)
  }
  const { goTo, cookies } = await method.begin({ returnTo, ...(claim && { claim }) })
  return redirect(goTo, { cookies: [...cookies, ...returnToCookie(context, returnTo)] })
}

/** The signed-in user, as a page names them. */
interface Visitor {
  /** Their address, else their name; `undefined` where the session has neither. */
  readonly name: string | undefined
  /** An account that is proven now is linked to this user. */
  readonly addsAccounts: boolean
}

/** The user of the session; `null` without a session, `undefined` when the store failed. */
export async function visitorOf(context: Context): Promise<Visitor | null | undefined> {
  const { settings, log } = context
  try {
    const sessionUser = await selectStrategy(settings).sessionUser(context)
    if (!sessionUser) return null
    const { email, name } = sessionUser.user
    return { name: email || name || undefined, addsAccounts: settings.store.isPresent && sessionUser.isStored }
  } catch (error) {
    // The page works without the name; a sign-in that fails because the store is down reports that itself.
    log.error(asAuthError(context, error))
    return undefined
  }
}
