/** Which of several pending sign-ins this request belongs to. The newest has the bare cookie names, the others a slot each. */
import type { CookieTable } from "../config/settings.js"
import { open } from "../crypto/jwe.js"
import { sha256 } from "../crypto/token.js"
import { toBase64url } from "../std/bytes.js"
import type { CookieRole } from "../types/config.js"
import type { Awaitable } from "../types/identity.js"
import type { Context } from "./context.js"

/** Flows of one browser that may be pending at the same time, the newest included. */
export const mostPendingFlows = 3

/** Roles whose cookies belong to a flow. */
export const flowRoles: readonly CookieRole[] = ["state", "pkceCodeVerifier", "nonce"]

const slotPattern = /^[A-Za-z0-9_-]{8}$/

/** The name of a flow: eight characters that its state (or the token of its link) determines and that do not tell it. */
export function flowOf(state: string): Awaitable<string> {
  const digest = sha256(state)
  return "then" in digest ? digest.then(nameOf) : nameOf(digest)
}

function nameOf(digest: Uint8Array): string {
  return toBase64url(digest.subarray(0, 6))
}

/** The name of a flow's cookie. */
export function slotted(name: string, slot: string | undefined): string {
  return slot === undefined ? name : `${name}.${slot}`
}

/** The flow, if its cookies stand in a slot of their own. */
export function slotFor({
  flow,
  table,
  received,
}: {
  readonly flow: string
  readonly table: CookieTable
  readonly received: ReadonlyMap<string, string>
}): string | undefined {
  return flowRoles.some((role) => received.has(slotted(table[role].name, flow))) ? flow : undefined
}

/** The flows that stand in slots, in the order received. The newest, with bare names, is not among them. */
export function pendingFlows(received: ReadonlyMap<string, string>, table: CookieTable): readonly string[] {
  const flows = new Set<string>()
  for (const role of flowRoles) {
    const prefix = `${table[role].name}.`
    for (const name of received.keys()) {
      const slot = name.startsWith(prefix) ? name.slice(prefix.length) : ""
      if (slotPattern.test(slot)) flows.add(slot)
    }
  }
  return [...flows]
}

/** A flow that stands in a slot, and when it began, in seconds; unknown for one whose cookie does not open. */
export interface PendingFlow {
  readonly flow: string
  readonly issuedAt: number | undefined
}

/** The flows to drop so that `room` are left: those that cannot finish anyway, then the oldest. */
export function flowsToDrop(pending: readonly PendingFlow[], room: number = mostPendingFlows - 2): readonly string[] {
  const newestFirst = [...pending].sort((a, b) => (b.issuedAt ?? 0) - (a.issuedAt ?? 0))
  return newestFirst.filter(({ issuedAt }, index) => issuedAt === undefined || index >= room).map(({ flow }) => flow)
}

/**
 * The slot of the flow that a handle (its state) names; `undefined` for the newest, which also owns a request without
 * handle. A handle that is provably of another flow than the newest names its own slot, which may hold nothing.
 */
export async function slotOf(context: Context, handle: string | undefined): Promise<string | undefined> {
  if (!handle) return undefined
  const flow = await flowOf(handle)
  const { cookies: table, incoming } = context
  if (slotFor({ flow, table, received: incoming.cookies })) return flow
  const newest = await newestFlow(context)
  return newest === undefined || newest === flow ? undefined : flow
}

/** The name of the flow whose cookies have bare names, if its state opens. */
export async function newestFlow({ cookies, incoming, settings, now }: Context): Promise<string | undefined> {
  const { name } = cookies.state
  const sealed = incoming.cookies.get(name)
  if (!sealed) return undefined
  try {
    const { value } = await open(sealed, { keyring: settings.jwt.keyring, salt: name, now })
    return typeof value === "string" ? await flowOf(value) : undefined
  } catch {
    return undefined
  }
}

/** The slot of the flow that a callback ends. An e-mail link is named by its token: it never touches another flow. */
export async function slotOfCallback(context: Context): Promise<string | undefined> {
  const { form, method, query } = context.incoming
  if (context.provider?.type === "email") return flowOf(query["token"] ?? "")
  const { state } = method === "POST" ? form : query
  return slotOf(context, typeof state === "string" ? state : undefined)
}
