/** Finishes a sign-in by e-mail: the token of the link is consumed once, and proves the address it was sent to. */
import { openCheck } from "../../checks/sealed.js"
import { isOneAddress } from "../../context/email-address.js"
import { handleOfLink, slotOfCallback } from "../../context/flow.js"
import { storedForms } from "../../context/mailed.js"
import { keepNoAnswer } from "../../context/no-answer.js"
import { randomUuid } from "../../crypto/token.js"
import { Verification } from "../../errors.js"
import { isPrefetch } from "../../http/incoming.js"
import { equalInConstantTime } from "../../std/bytes.js"
import type { VerificationToken } from "../../types/credential.js"
import type { AdapterUser } from "../../types/identity.js"
import type { Confirmation, Proof } from "../method.js"
import { emailPolicy } from "../policy.js"
import { type EmailContext, hasSeveral, linkOf, markedFor } from "./token.js"

// Longer text cannot be ours; the store need not look for it.
const longestToken = 1024
const longestAddress = 320

interface Followed {
  readonly token: string
  readonly email: string
  /** Every form in which the token may be stored. */
  readonly hashes: readonly string[]
}

/**
 * Verifies a magic link that was opened.
 * @throws Verification when the link was used, has ended, is not ours or was made for another address.
 */
export async function finish(context: EmailContext): Promise<Proof | Confirmation> {
  const followed = await readLink(context)
  if (await hasToConfirm(context, followed)) return confirmation(context, followed)
  const { identifier } = await consume(context, followed)
  return proofOf(context, identifier)
}

async function readLink(context: EmailContext): Promise<Followed> {
  const { token, email } = context.incoming.query
  if (!token || !email || token.length > longestToken || email.length > longestAddress) {
    throw new Verification("The link is incomplete: it needs `token` and `email`.")
  }
  // What one provider mails signs in nowhere else: another may refuse the address, or mean something else by a sign-in.
  // A secret that no other provider has says it alone, and may outlive the one that marks are made with.
  const isItsOwn = Boolean(context.provider.config.secret) && !hasSeveral(context)
  const isFor = isItsOwn ? undefined : await markedFor(context, token)
  if (isFor === "another") throw new Verification("The link was made by another provider.")
  if (isFor === undefined && hasSeveral(context) && isRefused(context, email)) {
    throw new Verification("`normalizeIdentifier` of the provider refuses the address of the link.")
  }
  return { token, email, hashes: await storedForms(context, token) }
}

/**
 * Asked only where links could come from elsewhere: with a single provider the application itself made those whose address
 * nobody could type, such as invitations.
 */
function isRefused({ provider }: EmailContext, email: string): boolean {
  const { config } = provider
  if (!config.normalizeIdentifier) return false
  try {
    const address: unknown = config.normalizeIdentifier(email)
    return typeof address !== "string" || address === ""
  } catch {
    return true
  }
}

async function hasToConfirm(context: EmailContext, followed: Followed): Promise<boolean> {
  const { isHead, method } = context.incoming
  // A prefetch never uses up a link.
  if (isHead || isPrefetch(context.incoming)) return true
  if (method === "POST") return false
  const { confirm = "never" } = context.provider.config
  return confirm === "always" || (confirm === "other-browser" && !(await isRequestingBrowser(context, followed)))
}

/** Is this the browser that asked for the link? */
async function isRequestingBrowser(context: EmailContext, { email, hashes }: Followed): Promise<boolean> {
  try {
    const { value } = await openCheck(context, { role: "state", slot: await slotOfCallback(context) })
    return hashes.some((hash) => equalInConstantTime(handleOfLink(hash, email), value))
  } catch {
    return false
  }
}

function confirmation(context: EmailContext, { token, email }: Followed): Confirmation {
  const callbackUrl = context.incoming.query["callbackUrl"] ?? context.incoming.origin
  const action = linkOf(context, { callbackUrl, token, email })
  const saysWrong = context.provider.config.confirm === "other-browser"
  // Anybody can make such a link: text that is no address would be theirs, on a page of the application.
  const shown = isOneAddress(email, longestAddress) ? email : undefined
  return { kind: "confirm", provider: context.provider.name, email: shown, action, saysWrong }
}

async function consume(context: EmailContext, { email, hashes }: Followed): Promise<VerificationToken> {
  for (const token of hashes) {
    const row = await context.settings.store
      .useVerificationToken({ identifier: email, token })
      .catch((error: unknown) => {
        // Some stores fail where there is no such token: a wrong try must not be given back.
        keepNoAnswer(context)
        throw error
      })
    if (!row) continue
    // Some stores look for one of the two values only: both have to be the row's own.
    const isOurs = row.identifier === email && (row.token === undefined || equalInConstantTime(row.token, token))
    if (!isOurs) throw new Verification("The link was made for another address.")
    if (!(row.expires > context.now)) throw new Verification("The link has expired.", { expired: true })
    return row
  }
  throw new Verification("The link was used already or was never sent.", { expired: false })
}

function proofOf(context: EmailContext, email: string): Proof {
  const { id } = context.provider
  const stored = { provider: id, providerAccountId: email, type: "email" as const }
  const user: AdapterUser = { id: randomUuid(), email, emailVerified: null }
  return {
    kind: "proof",
    policy: emailPolicy,
    user,
    account: stored,
    stored,
    emailStatus: "verified",
    mayLinkByEmail: true,
    returnTo: undefined,
  }
}
