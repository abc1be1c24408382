/** What can go wrong at a provider, as switches. */
import { claimsOf, makeSigningKey, type SigningKey, sign } from "./keys.js"

/**
 * An endpoint that does not answer as it should: `503` and `html` answer so without doing anything, `reset` closes the
 * connection, `slow` answers late, and `lost` does the work and closes the connection instead of answering.
 */
export type Outage = "503" | "html" | "reset" | "slow" | "lost"

/** Faults of an `id_token`. */
export type TokenFault =
  | "expired"
  | "from the future"
  | "wrong issuer"
  | "wrong audience"
  | "wrong nonce"
  | "unknown key"
  | "unsigned"
  | "missing"

/** Where something can go wrong, and what. */
export interface Faults {
  /** The discovery document. */
  readonly discovery: Outage
  /** The key set. */
  readonly keys: Outage
  /** Errors are sent back to the application (RFC 6749 §4.1.2.1). */
  readonly authorization: "access_denied" | "server_error" | "temporarily_unavailable" | "503" | "slow"
  /** A code is exchanged. `invalid_grant`: it is refused. */
  readonly token: Outage | "invalid_grant"
  /** A refresh token is used. `invalid_grant`: it was revoked. */
  readonly refresh: Outage | "invalid_grant"
  /** The userinfo endpoint. `another person`: it answers for another `sub` than the ID token. */
  readonly userinfo: Outage | "unauthorized" | "another person"
  /** The ID token that the token endpoint hands out. */
  readonly id_token: TokenFault
}

/** The places of {@link Faults}. */
export type FaultPlace = keyof Faults

/** How long a fault stays. */
export interface FaultOptions {
  /** The number of requests that fail. @default until the fault is switched off */
  readonly times?: number
  /** Milliseconds that `slow` takes. @default 60000 */
  readonly delay?: number
}

/** A fault that was switched on. */
export interface SwitchedFault extends Required<FaultOptions> {
  readonly what: string
}

/** The faults that are switched on. */
export interface Switches {
  set(place: FaultPlace, what: string, options: FaultOptions): () => void
  /** The fault of a place, which counts as used once. */
  take(place: FaultPlace): SwitchedFault | undefined
  clear(): void
}

/** All switches off. */
export function createSwitches(): Switches {
  const faults = new Map<FaultPlace, { fault: SwitchedFault; left: number }>()
  return {
    set(place, what, { times = Number.POSITIVE_INFINITY, delay = 60_000 }) {
      const entry = { fault: { what, times, delay }, left: times }
      faults.set(place, entry)
      return () => {
        if (faults.get(place) === entry) faults.delete(place)
      }
    },
    take(place) {
      const entry = faults.get(place)
      if (!entry || entry.left <= 0) return undefined
      entry.left -= 1
      return entry.fault
    },
    clear: () => faults.clear(),
  }
}

const hour = 3600

/** Makes an `id_token` what a fault says. `undefined`: there is none. */
export async function spoil(idToken: string, what: TokenFault, key: SigningKey): Promise<string | undefined> {
  const claims = claimsOf(idToken)
  const now = Math.floor(Date.now() / 1000)
  switch (what) {
    case "expired":
      return sign({ ...claims, iat: now - 2 * hour, exp: now - hour }, key)
    case "from the future":
      return sign({ ...claims, iat: now + hour, exp: now + 2 * hour }, key)
    case "wrong issuer":
      return sign({ ...claims, iss: "https://another-issuer.test" }, key)
    case "wrong audience":
      return sign({ ...claims, aud: "another-client" }, key)
    case "wrong nonce":
      return sign({ ...claims, nonce: "another-nonce" }, key)
    case "unknown key":
      return sign(claims, await makeSigningKey())
    case "unsigned":
      return `${part({ alg: "none" })}.${part(claims)}.`
    case "missing":
      return undefined
  }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")
