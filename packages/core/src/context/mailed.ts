/** What is stored of a token that was mailed. */
import type { ResolvedEmailProvider } from "../config/settings.js"
import { hashVerificationToken } from "../crypto/token.js"
import type { Context, ContextOf } from "./context.js"

type Mailing = Pick<ContextOf<ResolvedEmailProvider>, "provider" | "settings">

const known: unique symbol = Symbol("stored forms")

/**
 * Every form in which a token may be stored: hashed with the newest secret first, then with the others,
 * then with all of them joined by commas, as Auth.js stores it.
 */
export function storedForms(context: Mailing & Pick<Context, "once">, token: string): Promise<readonly string[]> {
  const forms = context.once(known, () => new Map<string, Promise<readonly string[]>>())
  const made =
    forms.get(token) ?? Promise.all(mailSecretsOf(context).map((secret) => hashVerificationToken(token, secret)))
  forms.set(token, made)
  return made
}

/** What a new token is stored as. */
export async function storedForm(context: Mailing, token: string): Promise<string> {
  return hashVerificationToken(token, mailSecretsOf(context)[0] ?? "")
}

/** What the tokens of a provider are stored with. */
export function mailSecretsOf({ provider: { config }, settings }: Mailing): readonly string[] {
  if (config.secret) return [config.secret]
  const { secrets } = settings.keyring
  return secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets
}
