/** The token of a link: what is stored of it, and where the link leads. */
import type { ResolvedEmailProvider } from "../../config/settings.js"
import type { ContextOf } from "../../context/context.js"
import { providerUrl } from "../../context/urls.js"
import { hashVerificationToken } from "../../crypto/token.js"

/** A request that is about a provider that sends mails. */
export type EmailContext = ContextOf<ResolvedEmailProvider>

/** The link of a mail: the callback with return address, token and address, in this order. */
export function linkOf(
  context: EmailContext,
  { callbackUrl, token, email }: Readonly<Record<"callbackUrl" | "token" | "email", string>>,
): string {
  const query = new URLSearchParams({ callbackUrl, token, email })
  return `${providerUrl(context, "callback", context.provider.id)}?${query}`
}

/**
 * Every form in which a token may be stored: hashed with the newest secret first, then with the others,
 * then with all of them joined by commas, as Auth.js stores it.
 */
export async function storedForms(context: EmailContext, token: string): Promise<readonly string[]> {
  return Promise.all(secretsOf(context).map((secret) => hashVerificationToken(token, secret)))
}

/** What a new token is stored as. */
export async function storedForm(context: EmailContext, token: string): Promise<string> {
  return hashVerificationToken(token, secretsOf(context)[0] ?? "")
}

function secretsOf(context: EmailContext): readonly string[] {
  const own = context.provider.config.secret
  if (own) return [own]
  const { secrets } = context.settings.keyring
  return secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets
}
