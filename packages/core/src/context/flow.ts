/** Which of several pending sign-ins this request belongs to. The newest has the bare cookie names, the others a slot each. */
import { type CheckRole, flowRoles } from "../config/cookies.js"
import type { ResolvedEmailProvider } from "../config/settings.js"
import { open } from "../crypto/jwe.js"
import { sha256 } from "../crypto/token.js"
import { cookieNameOf } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { toBase64url } from "../std/bytes.js"
import type { CookieRole } from "../types/config.js"
import type { Awaitable } from "../types/identity.js"
import type { Context } from "./context.js"
import { storedForms } from "./mailed.js"

/**
 * The name of a flow: eight characters that its handle determines, which is its state or that of its link ({@link
 * handleOfLink}). Whoever sees the name can try handles: it may be made only of what is too long to be found like that.
 */
export async function flowOf(handle: string): Promise<string> {
  const digest = await sha256(handle)
  // Six bytes are eight characters of base64url.
  return toBase64url(digest.subarray(0, 6))
}

const slots: unique symbol = Symbol("slots")
const openedChecks: unique symbol = Symbol("opened checks")

/**
 * What the check cookie of a role says, of the newest flow or of the one in `slot`; `undefined` without one. Opened once
 * for a request, which compares it with several things. Throws where it cannot be opened.
 */
export function claimsOfCheck(
  context: Context,
  { role, slot }: { readonly role: CheckRole; readonly slot?: string | undefined },
): Awaitable<Readonly<Record<string, unknown>>> | undefined {
  const { cookies, incoming, settings, now } = context
  const sealed = incoming.cookies.get(cookieNameOf(cookies, role, slot))
  if (!sealed) return undefined
  const opened = context.once(openedChecks, () => new Map<string, Awaitable<Record<string, unknown>>>())
  // The name without the slot is the salt: what was sealed for one purpose does not open for another.
  const salt = cookieNameOf(cookies, role)
  const key = `${salt} ${sealed}`
  const claims = opened.get(key) ?? open(sealed, { keyring: settings.jwt.keyring, salt, now })
  opened.set(key, claims)
  return claims
}

/**
 * The slot of the flow that a handle (its state) names; `undefined` for the newest, which also owns a request without
 * handle. A handle that provably belongs to another flow than the newest names its own slot, which may hold nothing: a page
 * that is loaded again must not end the flow of another tab.
 */
export async function slotOf(context: Context, handle: string | undefined): Promise<string | undefined> {
  if (!handle) return undefined
  const known = context.once(slots, () => new Map<string, Promise<string | undefined>>())
  const slot = known.get(handle) ?? findSlot(context, handle)
  known.set(handle, slot)
  return slot
}

async function findSlot(context: Context, handle: string): Promise<string | undefined> {
  const flow = await flowOf(handle)
  const { cookies, incoming } = context
  if (flowRoles.some((role) => incoming.cookies.has(cookieNameOf(cookies, role, flow)))) return flow
  const newest = await newestFlow(context)
  return newest === undefined || newest === flow ? undefined : flow
}

/** The slot of the flow that a callback ends. A link is named by its token: it never touches a flow of another kind. */
export async function slotOfCallback(context: Context): Promise<string | undefined> {
  const { form, method, query } = context.incoming
  if (context.provider?.type === "email") return slotOfLink(context, context.provider, query["token"] ?? "")
  const { state } = method === "POST" ? form : query
  return slotOf(context, typeof state === "string" ? state : undefined)
}

/**
 * The handle of a sign-in by link: the stored form of its token, and the address. A browser that has asked for mails to several
 * people learns nothing about the token of one by naming another: tries are counted at whoever is named.
 */
export const handleOfLink = (stored: string, email: string): string => `${stored} ${email}`

/** The token may be stored with any of the secrets: the slot that the request carries, or that of the newest. */
async function slotOfLink(
  context: Context,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<string | undefined> {
  const { cookies, incoming, once, settings } = context
  const forms = await storedForms({ provider, settings, once }, token)
  const email = incoming.query["email"] ?? ""
  const named = await Promise.all(forms.map((form) => flowOf(handleOfLink(form, email))))
  return named.find((slot) => incoming.cookies.has(cookieNameOf(cookies, "state", slot))) ?? named[0]
}

/** Clears the named roles of this request's flow, as far as the request carried them. */
export async function spentCookies(context: Context, roles: readonly CookieRole[]): Promise<readonly CookieChange[]> {
  const slot = await slotOfCallback(context)
  const carried = roles.filter((role) => context.incoming.cookies.has(cookieNameOf(context.cookies, role, slot)))
  return carried.map((role) => ({ role, clear: true, ...(slot !== undefined && { slot }) }))
}

/** The flow whose cookies have the bare names, if its state opens. */
async function newestFlow(context: Context): Promise<string | undefined> {
  try {
    const { value } = (await claimsOfCheck(context, { role: "state" })) ?? {}
    return typeof value === "string" ? await flowOf(value) : undefined
  } catch {
    return undefined
  }
}
