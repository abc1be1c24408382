/** Whether a `jwt.encode` of the application keeps the claim `lk`: it may seal only the claims that it knows. */
import { ownerMayArrive } from "../config/email-proof.js"
import { warnOnce } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { InvalidConfiguration } from "../errors.js"
import type { Awaitable } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { type FactsClaim, readClaim } from "./facts-claim.js"

/** What a token holds that was opened again. */
type Opened = Awaitable<{ readonly kind: string; readonly claims?: JWT | null }>

/**
 * Expects that a token says what its claims said before it was sealed. `reopen` opens it.
 * @throws InvalidConfiguration where it does not, and somebody would come by a session that has ended, or is another one.
 */
export async function expectKept(context: Context, claims: JWT, reopen: () => Opened): Promise<void> {
  const said = readClaim(claims["lk"])
  if (JSON.stringify(readClaim(await claimIn(reopen))) === JSON.stringify(said)) return
  // Nobody comes as the owner of an address here. The session would still be there once somebody may.
  if (!said.facts && !ownerMayArrive(context.settings.providers)) return warnOnce(context.settings, "claim-dropped")
  throw new InvalidConfiguration(
    `\`jwt.encode\` dropped the claim \`lk\`, which says ${meaningOf(said)}. Keep every claim of the token, also those that you do not know.`,
  )
}

/** A token that does not open says nothing. */
async function claimIn(reopen: () => Opened): Promise<unknown> {
  try {
    const { claims } = await reopen()
    return claims?.["lk"]
  } catch {
    return undefined
  }
}

function meaningOf({ facts }: FactsClaim): string {
  if (facts?.actor !== undefined) return "that somebody acts for the user"
  if (facts) return "which session it is: one that was ended would go on"
  return "that the session began at an address that nobody has proven: it would go on once the owner of the address has come"
}
