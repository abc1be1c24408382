/** The form with which a page offers to mail a link once more. */
import type { Context } from "../context/context.js"
import { issueCsrf } from "../context/csrf.js"
import { resolveReturnTo } from "../context/return-to.js"
import { providerUrl } from "../context/urls.js"
import type { CookieChange } from "../http/result.js"
import type { LinkForm } from "../pages/email.js"

/** The form of the provider with this id, else of the first that mails links; `undefined` where none does. */
export async function linkForm(
  context: Context,
  id?: string,
): Promise<
  { readonly form: LinkForm & { readonly provider: string }; readonly cookies: readonly CookieChange[] } | undefined
> {
  const mails = [...context.settings.providers.values()].filter(({ type }) => type === "email")
  const provider = id === undefined ? mails[0] : mails.find((one) => one.id === id)
  if (!provider) return undefined
  const { token, cookies } = await issueCsrf(context)
  const returnTo = await resolveReturnTo(context)
  const action = providerUrl(context, "signin", provider.id)
  return { form: { action, csrfToken: token, returnTo, provider: provider.id }, cookies }
}
