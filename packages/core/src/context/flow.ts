/** Which of several pending sign-ins this request belongs to. The newest has the bare cookie names, the others a slot each. */
import { flowRoles } from "../config/cookies.js"
import { open } from "../crypto/jwe.js"
import { sha256 } from "../crypto/token.js"
import { cookieNameOf } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { toBase64url } from "../std/bytes.js"
import type { CookieRole } from "../types/config.js"
import type { Context } from "./context.js"

/** The name of a flow: eight characters that its state (or the token of its link) determines and that do not reveal it. */
export async function flowOf(state: string): Promise<string> {
  const digest = await sha256(state)
  // Six bytes are eight characters of base64url.
  return toBase64url(digest.subarray(0, 6))
}

/**
 * The slot of the flow that a handle (its state) names; `undefined` for the newest, which also owns a request without
 * handle. A handle that provably belongs to another flow than the newest names its own slot, which may hold nothing: a page
 * that is loaded again must not end the flow of another tab.
 */
export async function slotOf(context: Context, handle: string | undefined): Promise<string | undefined> {
  if (!handle) return undefined
  const flow = await flowOf(handle)
  const { cookies, incoming } = context
  if (flowRoles.some((role) => incoming.cookies.has(cookieNameOf(cookies, role, flow)))) return flow
  const newest = await newestFlow(context)
  return newest === undefined || newest === flow ? undefined : flow
}

/** The slot of the flow that a callback ends. A link is named by its token: it never touches a flow of another kind. */
export async function slotOfCallback(context: Context): Promise<string | undefined> {
  const { form, method, query } = context.incoming
  if (context.provider?.type === "email") return flowOf(query["token"] ?? "")
  const { state } = method === "POST" ? form : query
  return slotOf(context, typeof state === "string" ? state : undefined)
}

/** Clears the named roles of this request's flow, as far as the request carried them. */
export async function spentCookies(context: Context, roles: readonly CookieRole[]): Promise<readonly CookieChange[]> {
  const slot = await slotOfCallback(context)
  const carried = roles.filter((role) => context.incoming.cookies.has(cookieNameOf(context.cookies, role, slot)))
  return carried.map((role) => ({ role, clear: true, ...(slot !== undefined && { slot }) }))
}

/** The flow whose cookies have the bare names, if its state opens. */
async function newestFlow({ cookies, incoming, settings, now }: Context): Promise<string | undefined> {
  const name = cookieNameOf(cookies, "state")
  const sealed = incoming.cookies.get(name)
  if (!sealed) return undefined
  try {
    const { value } = await open(sealed, { keyring: settings.jwt.keyring, salt: name, now })
    return typeof value === "string" ? await flowOf(value) : undefined
  } catch {
    return undefined
  }
}
