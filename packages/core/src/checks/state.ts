/** The value of the parameter `state`: random, and sealed so that a redirect proxy can read where the flow began. */
import { defaults } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { open, seal } from "../crypto/jwe.js"
import { InvalidCheck } from "../errors.js"

/** The claims of a state value. */
export interface StateClaims {
  readonly random: string
  /** The callback of the deployment that the flow began at, when it goes through a redirect proxy. */
  readonly origin?: string
  /** Whose flow it is; beside `origin`, because the proxy has no cookie that says so. */
  readonly provider?: unknown
}

const stateSalt = "encodedState"

/** Seals a state value. */
export async function sealState({ settings, now }: Context, claims: StateClaims): Promise<string> {
  const { keyring } = settings.jwt
  return seal({ ...claims }, { keyring, salt: stateSalt, maxAge: defaults.checkMaxAge, now })
}

/**
 * Opens what a state value says. Whoever holds the secret can have made it: another deployment, too.
 * @throws InvalidCheck when it cannot be opened or is too old.
 */
export async function decodeState({ settings, now }: Context, state: string): Promise<StateClaims> {
  let claims: Record<string, unknown>
  try {
    claims = await open(state, { keyring: settings.jwt.keyring, salt: stateSalt, now })
  } catch (error) {
    throw new InvalidCheck("The state cannot be opened, or is older than 15 minutes.", {
      cause: { err: error as Error },
    })
  }
  const { random, origin, provider } = claims
  if (typeof random !== "string") throw new InvalidCheck("The state holds no random value.")
  return { random, ...(typeof origin === "string" && { origin }), ...(provider !== undefined && { provider }) }
}
