/** `signin`: the page that lists the providers, and the start of a flow. */
import { askGate } from "../admission/arrive.js"
import type { Context } from "../context/context.js"
import { resolveReturnTo, returnToCookie } from "../context/return-to.js"
import { actionUrl, pageUrl } from "../context/urls.js"
import { InvalidProvider } from "../errors.js"
import { page, type Result, redirect } from "../http/result.js"
import { selectMethod } from "../methods/select.js"
import { formScript } from "../pages/form-script.js"
import { passkeyScript } from "../pages/passkey-script.js"
import { signinPage as renderSigninPage } from "../pages/signin.js"
import { withParams } from "../std/url.js"
import { signinFacts } from "./sign-in-facts.js"

/** Shows the sign-in page, or redirects to the application's own; the provider the path names comes first. */
export async function signinPage(context: Context): Promise<Result> {
  const { settings, incoming } = context
  if (settings.pages.signIn) return toOwnPage(context, settings.pages.signIn)
  const { facts, visitor, cookies } = await signinFacts(context)
  const { returnTo } = facts
  const signoutUrl = actionUrl(context, "signout")
  const document = await renderSigninPage({
    ...facts,
    theme: settings.theme,
    ...(visitor && { visitor: { ...visitor, signoutUrl, signinUrl: addressOf(context, returnTo) } }),
    otherWaysUrl: addressOf(context, incoming.query["callbackUrl"] ? returnTo : undefined),
    formScript,
    passkeyScript,
  })
  return page(document, { cookies })
}

async function toOwnPage(context: Context, own: string): Promise<Result> {
  const { error, code, incident } = context.incoming.query
  const returnTo = await resolveReturnTo(context)
  const goTo = withParams(pageUrl(context, own), { callbackUrl: returnTo, error, code, incident })
  return redirect(goTo, { cookies: returnToCookie(context, returnTo) })
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
  if (!method.begin)
    throw new InvalidProvider(
      `Provider ${context.provider.id} does not begin a sign-in here: send its form to its callback.`,
    )
  const returnTo = await resolveReturnTo(context)
  const claim = await method.claim?.()
  if (claim) {
    const verdict = await askGate(context, { ...claim, email: { verificationRequest: true } })
    if (verdict.kind === "elsewhere") return redirect(verdict.goTo)
  }
  const { goTo, cookies } = await method.begin({ returnTo, ...(claim && { claim }) })
  return redirect(goTo, { cookies: [...cookies, ...returnToCookie(context, returnTo)] })
}
