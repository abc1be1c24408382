/** How large the session cookie becomes, and whether it keeps what it is given, by a session for somebody who does not exist. */
import type { AuthInspection, AuthService } from "@latchkey/core"
import { trySession } from "@latchkey/core/testing"
import type { Account, AuthConfig, Profile, User } from "@latchkey/core/types"
import { messageOf } from "../thrown.js"
import { type Finding, found, type Part, pages } from "./finding.js"

/** What one cookie holds at least, with name and attributes (RFC 6265 §6.1); browsers take no more. */
const oneCookie = 4096
/** The default of Apache (LimitRequestFieldSize); nginx takes two bytes more (large_client_header_buffers). */
const headerLine = 8190

const remedy =
  "Store less in the token: the tokens of the provider belong into the account row, which an adapter keeps; or store sessions in a database."

/** What the size is found out with. */
export interface Sized {
  readonly auth: AuthService<unknown>
  readonly inspection: AuthInspection
  readonly written: AuthConfig | undefined
  readonly isProduction: boolean
  readonly now: Date
}

const nothing: Part = { findings: [], notes: [] }

/** Tokens as long as those that servers hand out: sealed ones of OpenID providers, opaque ones of the others. */
const tokenLengths: Readonly<Partial<Record<Account["type"], Readonly<Record<string, number>>>>> = {
  oidc: { access_token: 1500, id_token: 1100, refresh_token: 700 },
  oauth: { access_token: 255, refresh_token: 255 },
}

const letters = (length: number): string => "x".repeat(length)

function accountOf(provider: string, type: Account["type"]): Account {
  const lengths = Object.entries(tokenLengths[type] ?? {})
  const tokens = Object.fromEntries(lengths.map(([name, length]) => [name, letters(length)]))
  const more = lengths.length > 0 ? { token_type: "bearer" as const, scope: "openid profile email" } : {}
  return { provider, type, providerAccountId: "00000000-0000-4000-8000-000000000000", ...more, ...tokens }
}

/** A person of nowhere: the address cannot be anybody's (RFC 2606 §3). */
function personOf(expose: readonly unknown[]): { readonly user: User; readonly profile: Profile } {
  const user = {
    id: "00000000-0000-4000-8000-000000000000",
    name: "Somebody for latchkey doctor",
    email: "somebody.for.latchkey.doctor@example.com",
    image: `https://example.com/${letters(80)}`,
  }
  const exposed = Object.fromEntries(expose.map((member) => [String(member), letters(64)]))
  const profile = {
    sub: user.id,
    name: user.name,
    given_name: "Somebody",
    family_name: "for latchkey doctor",
    email: user.email,
    email_verified: true,
    picture: user.image,
    locale: "en",
    iss: "https://example.com",
    aud: user.id,
  }
  return { user: { ...exposed, ...user }, profile }
}

/** The length of the `Cookie` header line, with nothing but the session in it. */
function lineOf(cookies: readonly { readonly name: string; readonly value: string }[]): number {
  return `Cookie: ${cookies.map(({ name, value }) => `${name}=${value}`).join("; ")}`.length
}

function findingOf(provider: string, cookies: readonly { readonly name: string; readonly value: string }[]): Finding[] {
  const length = lineOf(cookies)
  const received = `received about ${length} in ${cookies.length} cookies for somebody from "${provider}"`
  if (length > headerLine) {
    return [
      found("error", pages.sessionSize)(
        "session-too-large",
        `Session cookie: expected at most ${headerLine} bytes, ${received}: web servers such as nginx and Apache refuse the request.`,
        remedy,
      ),
    ]
  }
  if (cookies.length < 2) return []
  return [
    found("warning", pages.sessionSize)(
      "session-split",
      `Session cookie: expected at most ${oneCookie} bytes, ${received}, which travel with every request.`,
      remedy,
    ),
  ]
}

/** Nothing that a callback prints belongs into the report. */
async function inSilence<T>(work: () => Promise<T>): Promise<T> {
  const { log, info, debug } = console
  Object.assign(console, { log: () => undefined, info: () => undefined, debug: () => undefined })
  try {
    return await work()
  } finally {
    Object.assign(console, { log, info, debug })
  }
}

const dropped = (message: string): Finding =>
  found("error", pages.options)("claim-dropped", `jwt.encode: expected all claims in the token. ${message}`, "")

async function sizeAt(provider: { id: string; type: Account["type"] }, { auth, written, now }: Sized): Promise<Part> {
  const { user, profile } = personOf(written?.session?.expose ?? [])
  try {
    const trial = { user, profile, account: accountOf(provider.id, provider.type), now }
    const cookies = await inSilence(() => trySession(auth, trial))
    return { findings: findingOf(provider.id, cookies ?? []), notes: [] }
  } catch (thrown) {
    const message = messageOf(thrown)
    if (message.includes("dropped the claim")) return { findings: [dropped(message)], notes: [] }
    if (!/larger than|more than cookies can hold/.test(message)) {
      return { findings: [], notes: [`The size of the session cookie is not known: ${message}`] }
    }
    const error = found("error", pages.sessionSize)
    return {
      findings: [error("session-too-large", `Session cookie: expected what cookies can hold. ${message}`, "")],
      notes: [],
    }
  }
}

/**
 * The session of one provider of each type, in a token: the `jwt` callback is called for somebody who does not exist, and
 * what it answers is sealed. In production it is not called, because it may write.
 */
export async function sessionSize(sized: Sized): Promise<Part> {
  const { inspection, isProduction, written } = sized
  if (inspection.strategy !== "jwt" || inspection.generalProblems.length > 0) return nothing
  const isOwn = written === undefined || written.callbacks?.jwt !== undefined || written.jwt?.encode !== undefined
  if (isOwn && isProduction) {
    return {
      ...nothing,
      notes: ["The size of the session cookie is not known: the jwt callback is not called with --mode production."],
    }
  }
  const all = [...inspection.providers.values()]
  const firsts = all.filter(({ type }, index) => all.findIndex((other) => other.type === type) === index)
  const reports: Part[] = []
  for (const provider of firsts) reports.push(await sizeAt(provider, sized))
  const findings = reports.flatMap((report) => report.findings)
  const worst = findings.find(({ level }) => level === "error") ?? findings[0]
  return worst
    ? { findings: [worst], notes: [] }
    : { findings: [], notes: reports.flatMap(({ notes }) => notes).slice(0, 1) }
}
