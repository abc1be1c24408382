/** What providers return: discovery documents, keys, and the time of their clocks. */
import type { AuthInspection, ProviderInspection } from "@latchkey/core"
import { meaningOf } from "../system-world.js"
import type { World } from "../world.js"
import { type Finding, found, pages } from "./finding.js"

const error = found("error", pages.providers)
const warning = found("warning", pages.providers)

/** How long an answer may take, in milliseconds. */
const patience = 10_000
/** A clock may be off by this many seconds: ID tokens are refused beyond (OpenID Connect Core §3.1.3.7). */
const tolerance = 30

interface Answer {
  readonly body: Readonly<Record<string, unknown>>
  readonly date: string | null
}

async function ask(url: string, { fetch }: Pick<World, "fetch">): Promise<Answer> {
  const response = await fetch(url, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(patience) })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body !== "object" || body === null) throw new Error("something other than a JSON object")
  return { body: body as Record<string, unknown>, date: response.headers.get("date") }
}

function reason(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown
  return thrown instanceof Error && thrown.name === "TimeoutError" ? "no answer within 10 s" : meaningOf(cause)
}

function ofClock(id: string, date: string | null, now: Date): readonly Finding[] {
  const off = date === null ? 0 : Math.round((now.getTime() - Date.parse(date)) / 1000)
  if (!(Math.abs(off) > tolerance)) return []
  const way = off > 0 ? "ahead of" : "behind"
  return [
    error(
      "clock",
      `Clock: expected the time of "${id}" within ${tolerance} s, received ${Math.abs(off)} s ${way} it.`,
      "Set the clock of this machine, for instance by NTP: ID tokens are refused.",
    ),
  ]
}

async function ofKeys(id: string, address: unknown, world: Pick<World, "fetch">): Promise<readonly Finding[]> {
  if (typeof address !== "string")
    return [
      error(
        "discovery-keys",
        `Discovery of "${id}": expected jwks_uri, received none.`,
        "It does not support OpenID Connect: set its endpoints, and the type oauth.",
      ),
    ]
  try {
    const { keys } = (await ask(address, world)).body
    if (Array.isArray(keys) && keys.length > 0) return []
    return [
      error(
        "keys-empty",
        `Keys of "${id}" at ${address}: expected at least one, received none.`,
        "Add a signing key at the provider.",
      ),
    ]
  } catch (thrown) {
    return [
      error(
        "keys-unreachable",
        `Keys of "${id}" at ${address}: expected a key set, received ${reason(thrown)}.`,
        "Check that this machine may reach the address.",
      ),
    ]
  }
}

async function ofProvider(
  { id, issuer, wellKnown }: ProviderInspection,
  world: Pick<World, "fetch" | "now">,
): Promise<readonly Finding[]> {
  if (wellKnown === undefined) return []
  try {
    const { body, date } = await ask(wellKnown, world)
    const isSame =
      issuer === undefined || body.issuer === issuer || /\{tenant|common|organizations/.test(`${body.issuer}${issuer}`)
    const differs = isSame
      ? []
      : [
          warning(
            "issuer-differs",
            `Issuer of "${id}": expected ${issuer}, received ${String(body.issuer)}.`,
            "Set the issuer exactly as the discovery document names it, slashes at the end included.",
          ),
        ]
    return [...differs, ...(await ofKeys(id, body.jwks_uri, world)), ...ofClock(id, date, world.now())]
  } catch (thrown) {
    return [
      error(
        "discovery-unreachable",
        `Discovery of "${id}" at ${wellKnown}: expected a discovery document, received ${reason(thrown)}.`,
        "Check the issuer, and that this machine may reach it.",
      ),
    ]
  }
}

/** Asks every provider that has a discovery document. */
export async function online(
  { providers }: AuthInspection,
  world: Pick<World, "fetch" | "now">,
): Promise<readonly Finding[]> {
  return (await Promise.all([...providers.values()].map((provider) => ofProvider(provider, world)))).flat()
}
