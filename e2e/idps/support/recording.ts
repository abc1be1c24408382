/** Keeps what a provider answered for the ordinary tests: secrets are taken out, times become distances from now. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { RecordedAnswer, RecordedFlow, RecordedToken } from "../../../packages/core/test/support/recorded.js"
import type { Call, Seen } from "./application.js"
import type { Person } from "./person.js"

/** A finished sign-in. */
export interface Finished {
  readonly seen: Seen
  readonly person: Person
  /** What the application's provider had beside issuer and client. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** The recording of one provider. */
export interface Recording {
  keep(name: string, finished: Finished): void
  /** Writes `packages/core/test/interop/answers/<id>.json`, where `LATCHKEY_ANSWERS=write` asks for it. */
  write(): void
}

/** Opens one; `issuer` is as the provider names it. */
export function openRecording(id: string, { provider, issuer }: { provider: string; issuer: string }): Recording {
  const flows: Record<string, RecordedFlow> = {}
  let document: Call | undefined
  let keys: Call | undefined
  const { origin } = new URL(issuer)
  const cleaned = <T>(value: T): T => {
    const text = JSON.stringify(value).replaceAll(origin, "https://idp.test")
    const encoded = encodeURIComponent(origin)
    return JSON.parse(
      text
        .replaceAll(encoded, encodeURIComponent("https://idp.test"))
        .replaceAll(/http:\/\/localhost:\d+/g, "https://app.test")
        .replaceAll(/application-\d+/g, "application"),
    ) as T
  }
  return {
    keep(name, { seen, person, options = {} }) {
      const callOf = (ending: RegExp): Call | undefined => seen.calls.find(({ url }) => ending.test(url))
      document ??= callOf(/openid-configuration$/)
      keys = callOf(/\/(?:certs|jwks)$/) ?? keys
      const token = callOf(/\/token$/)
      const userinfo = callOf(/\/userinfo$/)
      const { method, params } = person.returned()
      const [error] = seen.errors
      flows[name] = cleaned({
        options,
        method,
        returned: Object.fromEntries([...params].map(([key, value]) => [key, kept.has(key) ? value : key])),
        ...(token && { token: answerOf(token) }),
        ...(userinfo && { userinfo: answerOf(userinfo) }),
        ...(error !== undefined && { error: error.split(" – ")[0] ?? "" }),
      })
    },
    write() {
      if (process.env["LATCHKEY_ANSWERS"] !== "write") return
      const set = JSON.parse(keys?.text ?? "{}") as { keys?: Record<string, unknown>[] }
      const recorded = {
        provider,
        issuer,
        discovery: JSON.parse(document?.text ?? "{}") as unknown,
        keys: set.keys?.map((key) => ({ ...key, ...blanked(key, ["n", "x", "y", "x5c", "x5t", "x5t#S256"]) })),
        flows,
      }
      const path = `../../../packages/core/test/interop/answers/${id}.json`
      writeFileSync(fileURLToPath(new URL(path, import.meta.url)), `${JSON.stringify(cleaned(recorded), null, 2)}\n`)
    },
  }
}

/** Parameters of a returning browser whose values say something. */
const kept = new Set(["iss", "error", "error_description"])

const times = ["iat", "exp", "nbf", "auth_time"]
const secrets = ["access_token", "refresh_token", "session_state", "jti", "sid", "c_hash"]

function blanked(value: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, "removed"]))
}

function answerOf({ status, type, text }: Call): RecordedAnswer {
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return { status, type, body: tokenOf(text, "") }
  if (!text.startsWith("{")) return { status, type, body: text }
  const body = JSON.parse(text) as Record<string, unknown>
  const { id_token, access_token } = body
  return {
    status,
    type,
    body: {
      ...cleanedClaims(body),
      ...(typeof id_token === "string" && { id_token: tokenOf(id_token, String(access_token)) }),
    },
  }
}

function tokenOf(token: string, accessToken: string): RecordedToken {
  const [header = {}, claims = {}] = token
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>)
  const { at_hash } = claims
  return {
    header,
    claims: { ...cleanedClaims(claims), ...(at_hash !== undefined && { at_hash: hashOf(accessToken, at_hash) }) },
  }
}

function cleanedClaims(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  const shown = times.flatMap((name) => {
    const time = claims[name]
    // Rounded: what counts is the lifetime, not how long a test took. 0 is no time.
    return typeof time === "number" && time !== 0 ? [[name, `now+${Math.round((time - now) / 60) * 60}`]] : []
  })
  return {
    ...claims,
    ...Object.fromEntries(shown),
    ...blanked(claims, secrets),
    ...("sub" in claims && { sub: "subject" }),
    ...("nonce" in claims && { nonce: "nonce" }),
  }
}

/** Name of the hash whose left half this is. */
function hashOf(text: string, half: unknown): string {
  const halfBy = (name: string): string => {
    const digest = createHash(name).update(text).digest()
    return digest.subarray(0, digest.length / 2).toString("base64url")
  }
  return ["sha256", "sha384", "sha512"].find((name) => halfBy(name) === half) ?? "unknown"
}
