/** What the sign-in page follows from, collected from configuration and request: for the page, and for pages of the application. */
import { lastProviderCookie } from "../client/last-provider.js"
import type { ResolvedProvider } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { issueCsrf } from "../context/csrf.js"
import { resolveReturnTo, returnToCookie } from "../context/return-to.js"
import { addressesOf, providerUrl } from "../context/urls.js"
import { wordingOf } from "../context/wording.js"
import type { CookieChange } from "../http/result.js"
import { type SigninFacts, signInViewOf } from "../pages/sign-in-view.js"
import type { SigninEntry } from "../pages/ways.js"
import { selectStrategy } from "../sessions/select.js"
import { fromModule } from "../std/lazy.js"
import type { SignInView } from "../types/sign-in-view.js"
import { asAuthError } from "./thrown.js"

const unmetPolicy = fromModule(
  () => import("../sessions/account-policy.js"),
  (module) => module.unmetPolicy,
)

/** The person a page speaks to. */
export interface Visitor {
  /** Their address, else their name; `undefined` where the session has neither. */
  readonly name: string | undefined
  /** An account they prove now is added to theirs. */
  readonly addsAccounts: boolean
}

/** What {@link signinFacts} answers. */
export interface CollectedFacts {
  readonly facts: SigninFacts & { readonly returnTo: string }
  readonly visitor: Visitor | null | undefined
  readonly cookies: readonly CookieChange[]
}

/** Collects it, with the cookies that go with the token and the return address. */
export async function signinFacts(context: Context): Promise<CollectedFacts> {
  const { settings, incoming } = context
  const { error, incident, email } = incoming.query
  const returnTo = await resolveReturnTo(context)
  const { token, cookies } = await issueCsrf(context)
  const visitor = await visitorOf(context)
  const lastUsed = incoming.cookies.get(lastProviderCookie)
  const facts = {
    wording: await wordingOf(context),
    providers: signinEntries(context),
    chosen: context.provider?.id,
    lastUsed: settings.providers.has(lastUsed ?? "") ? lastUsed : undefined,
    app: settings.theme.name,
    links: settings.links,
    csrfToken: token,
    returnTo,
    error,
    incident,
    isCancelled: "cancelled" in incoming.query,
    isSignedIn: visitor !== null && visitor !== undefined,
    isAskedAgain: visitor ? await isAskedAgain(context) : false,
    email,
  }
  return { facts, visitor, cookies: [...cookies, ...returnToCookie(context, returnTo)] }
}

/** Does somebody who is signed in have to sign in once more? Anybody can write what the address says, so it does not suffice. */
async function isAskedAgain(context: Context): Promise<boolean> {
  const { incoming, settings } = context
  if (incoming.query["error"] !== "SessionRequired" || !settings.features.accountPolicy) return false
  return (await unmetPolicy(context)) !== undefined
}

/** The page as data, and the cookies that go with it. */
export async function signInViewFor(
  context: Context,
): Promise<{ readonly view: SignInView; readonly cookies: readonly CookieChange[] }> {
  const { facts, cookies } = await signinFacts(context)
  return { view: signInViewOf(facts), cookies }
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
    ...addressesOf(context, id),
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

/** The person whose session the request carries; `null` for none, `undefined` when the store cannot say. */
export async function visitorOf(context: Context): Promise<Visitor | null | undefined> {
  const { settings, log } = context
  try {
    const sessionUser = await selectStrategy(settings).sessionUser(context)
    if (!sessionUser) return null
    const { email, name } = sessionUser.user
    return { name: email || name || undefined, addsAccounts: settings.store.isPresent && sessionUser.isStored }
  } catch (error) {
    // The page works without; a sign-in that fails because of it says so.
    log.error(asAuthError(context, error))
    return undefined
  }
}
