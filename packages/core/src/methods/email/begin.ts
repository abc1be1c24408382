/** Begins a sign-in by e-mail: the token is stored, then the mail is sent. */

import { addMailed } from "../../checks/flows.js"
import { sealCheck } from "../../checks/sealed.js"
import { mailAddressOf } from "../../context/email-address.js"
import { flowOf, handleOfLink } from "../../context/flow.js"
import { storedForm } from "../../context/mailed.js"
import { actionUrl, addressesOf } from "../../context/urls.js"
import { wordingOf } from "../../context/wording.js"
import { randomHex, randomUuid } from "../../crypto/token.js"
import { EmailSignInError, isAuthError } from "../../errors.js"
import { asRequest } from "../../http/incoming.js"
import type { CookieChange } from "../../http/result.js"
import { withoutSecretsOf } from "../../ports/redact.js"
import { asError } from "../../ports/thrown.js"
import { within } from "../../std/deadline.js"
import { secondsAfter } from "../../std/time.js"
import { withParams } from "../../std/url.js"
import type { Theme } from "../../types/appearance.js"
import type { SendVerificationRequestParams } from "../../types/provider.js"
import type { Beginning, Claim, Departure } from "../method.js"
import { boundToken, type EmailContext, hasSeveral, linkOf } from "./token.js"

// A sender that never answers must not hold the request; the built-in ones give up earlier.
const sendingTakesAtMost = 30_000

// Codes that people type are shorter than passwords: four digits are the fewest in use.
const shortestCode = 4

// Senders written for Auth.js read these members where the application has no theme.
const usualTheme: Readonly<Theme> = Object.freeze({ colorScheme: "auto", logo: "", brandColor: "", buttonText: "" })

const requestOfSender = Symbol("request of the sender")

/** The user with the address, or a candidate for a new one. Writes nothing. */
export async function claim(context: EmailContext): Promise<Claim> {
  const provider = context.provider
  const email = mailAddressOf(provider.config, context.incoming.form["email"])
  const known = await context.settings.store.getUserByEmail(email)
  const user = known ?? { id: randomUuid(), email, emailVerified: null }
  return { user, account: { provider: provider.id, providerAccountId: email, userId: user.id, type: "email" } }
}

/**
 * Sends the link.
 * @throws EmailSignInError when the mail cannot be sent; AdapterError when the token cannot be stored.
 */
export async function begin(context: EmailContext, given: Beginning): Promise<Departure> {
  const { id, config, maxAge } = context.provider
  const { providerAccountId: identifier } = (given.claim ?? (await claim(context))).account
  const token = await newToken(context)
  const stored = await storedForm(context, token)
  const expires = secondsAfter(context.now, maxAge)
  // Stored first: a link that was sent must be valid.
  await context.settings.store.createVerificationToken({ identifier, token: stored, expires })
  await send(context, {
    identifier,
    token,
    expires,
    url: linkOf(context, { callbackUrl: given.returnTo, token, email: identifier }),
    provider: { ...config, ...addressesOf(context, id) },
    theme: themeOf(context),
    wording: await wordingOf(context),
    // Few senders look at it, and engines make a request slowly.
    get request() {
      return context.once(requestOfSender, () => asRequest(context.incoming))
    },
  })
  const goTo = withParams(actionUrl(context, "verify-request"), { provider: id, type: "email" })
  return { goTo, cookies: await requesterCookie(context, handleOfLink(stored, identifier), given) }
}

function themeOf({ settings: { theme } }: EmailContext): Readonly<Theme> {
  return Object.keys(theme).length > 0 ? theme : usualTheme
}

async function newToken(context: EmailContext): Promise<string> {
  const { config } = context.provider
  const own: unknown = await attempt("`generateVerificationToken` failed.", () => config.generateVerificationToken?.())
  const token = own ?? (hasSeveral(context) ? await boundToken(context) : randomHex())
  if (typeof token === "string" && token !== "") return token
  throw new EmailSignInError("`generateVerificationToken` has to return a string that is not empty.")
}

async function send(context: EmailContext, params: SendVerificationRequestParams): Promise<void> {
  const { config } = context.provider
  const tooLate = (): Error =>
    new EmailSignInError(`\`sendVerificationRequest\` did not end within ${sendingTakesAtMost / 1000} s.`)
  // Mail services repeat in their errors what they were to send.
  const secret = [params.token, ...inBase64(params.url)]
  const work = (): unknown => within(sendingTakesAtMost, () => config.sendVerificationRequest(params), { tooLate })
  await attempt("The mail with the link could not be sent.", work, secret)
}

/** A link, which is ASCII alone, in base64 and base64url (RFC 4648 §4, §5). What pads them is left out, and may stay behind. */
function inBase64(link: string): readonly string[] {
  const text = btoa(link).replace(/=+$/, "")
  return [text, text.replaceAll("+", "-").replaceAll("/", "_")]
}

/** Runs code of the application; its throw becomes an error that says what failed, without what is `secret`. */
async function attempt<T>(failure: string, work: () => T | PromiseLike<T>, secret: readonly string[] = []): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const err = withoutSecretsOf([{ secret }], asError(error), shortestCode)
    throw isAuthError(err) ? err : new EmailSignInError(failure, { cause: { err } })
  }
}

/** Lets the callback recognise the browser that asked, where the provider wants that. */
async function requesterCookie(
  context: EmailContext,
  handle: string,
  { returnTo }: Beginning,
): Promise<readonly CookieChange[]> {
  if (context.provider.config.confirm !== "other-browser") return []
  // In a slot of its own: the bare name belongs to a sign-in that may be pending in another tab. Everybody who asks sees its
  // name, and the application may mail a short code: the name comes from what is hashed with the secret.
  const sealed = await sealCheck(context, { role: "state", value: handle })
  return addMailed(context, { slot: await flowOf(handle), sealed, returnTo })
}
