/** The token of a link: which provider it is for, and where the link leads. */
import type { ResolvedEmailProvider, ResolvedProvider } from "../../config/settings.js"
import type { ContextOf } from "../../context/context.js"
import { mailSecretsOf } from "../../context/mailed.js"
import { providerUrl } from "../../context/urls.js"
import { keyedHash, randomHex } from "../../crypto/token.js"
import { equalInConstantTime } from "../../std/bytes.js"

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

/** Can a link be carried from the path of one provider to that of another? A provider with a secret that no other has opens none of theirs. */
export function hasSeveral({ provider, settings }: EmailContext): boolean {
  const others = [...settings.providers.values()].filter((other) => isEmail(other) && other.id !== provider.id)
  const { secret } = provider.config
  if (!secret) return others.length > 0
  return others.some((other) => isEmail(other) && mailSecretsOf({ provider: other, settings }).includes(secret))
}

const isEmail = (provider: ResolvedProvider): provider is ResolvedEmailProvider => provider.type === "email"

// 132 bits; the link of a mail stays short enough for one line of most programs.
const markLength = 22
const marked = /^([\da-f]{64})\.([\w-]{22})$/

/** The token of a new link where another provider mails links too: a mark says which one it is for. */
export async function boundToken(context: EmailContext): Promise<string> {
  const random = randomHex()
  return `${random}.${await markOf(context, { random, index: 0 })}`
}

/** The provider that a token says it is for; `undefined` where it has no mark: it is of an earlier release, or of the application. */
export async function markedFor(context: EmailContext, token: string): Promise<"this" | "another" | undefined> {
  const [, random, mark] = marked.exec(token) ?? []
  if (random === undefined || mark === undefined) return undefined
  const { secrets } = context.settings.keyring
  const own = await Promise.all(secrets.map((_, index) => markOf(context, { random, index })))
  return own.some((known) => equalInConstantTime(known, mark)) ? "this" : "another"
}

/** Under the secret at `index`. */
async function markOf(
  { provider, settings }: EmailContext,
  { random, index }: { readonly random: string; readonly index: number },
): Promise<string> {
  const { bytes } = await settings.keyring.derive(index, "latchkey.email-link")
  return (await keyedHash(bytes, JSON.stringify([provider.id, random]))).slice(0, markLength)
}
