/** The feature that lists, names and removes passkeys, as an application holds it. */
import { passkeyRows } from "../actions/passkeys.js"
import { isOvertaken, passkeyUser } from "../actions/recent-sign-in.js"
import type { Context } from "../context/context.js"
import { InvalidConfiguration } from "../errors.js"
import { craftIncoming } from "../http/incoming.js"
import { listPasskeys, removePasskey, renamePasskey } from "../methods/webauthn/kept.js"
import type { Feature } from "../types/feature.js"
import type { AdapterUser } from "../types/identity.js"
import type { PasskeyEntry, PasskeyRemoval, PasskeysOptions } from "../types/passkeys.js"
import { asChanged } from "./changed-source.js"
import { contextOfCall } from "./pipeline.js"
import type { AuthService, AuthSource } from "./public.js"
import { requiredSettingsOf } from "./service.js"

/**
 * Passkeys that their users can tell apart and take away. All functions throw an `AuthError` when that cannot be determined
 * or done. In this process the caller is trusted: no CSRF token and no policy is asked for.
 */
export interface Passkeys extends Feature {
  /** The passkeys of the signed-in user; empty when nobody is signed in. */
  list(auth: AuthService<unknown>, source: AuthSource): Promise<readonly PasskeyEntry[]>
  /** Names a passkey of the signed-in user, with at most 64 characters. `false`: there is no such passkey, or no name. */
  rename(auth: AuthService<unknown>, source: AuthSource, passkey: PasskeyName): Promise<boolean>
  /** Removes a passkey of the signed-in user. Their last way in is kept unless `evenLast` is true. */
  remove(auth: AuthService<unknown>, source: AuthSource, passkey: PasskeyToRemove): Promise<PasskeyRemoval>
}

/** A passkey and its new name. */
export interface PasskeyName {
  /** As the list says it. */
  readonly id: string
  /** At most 64 characters; more are cut off. */
  readonly name: string
}

/** A passkey that is to go. */
export interface PasskeyToRemove {
  /** As the list says it. */
  readonly id: string
  /**
   * Remove it also where its user can sign in by nothing else.
   * @default false
   */
  readonly evenLast?: boolean
}

/**
 * Passkeys that can be listed, named and removed. Needs a store of records: the adapter where it keeps them, else `records`
 * of the configuration. `experimental.enableWebAuthn` stays the switch of passkeys themselves.
 *
 * @example
 * ```ts
 * import { createAuth } from "@latchkey/core"
 * import { memoryAdapter } from "@latchkey/core/memory"
 * import { passkeys } from "@latchkey/core/passkeys"
 *
 * export const keys = passkeys()
 * export const auth = createAuth({ providers: [], adapter: memoryAdapter(), features: [keys] })
 *
 * const mine = (request: Request) => keys.list(auth, request)
 * ```
 */
export function passkeys(options: PasskeysOptions = {}): Passkeys {
  return Object.freeze<Passkeys>({
    name: "passkeys",
    needs: ["facts", "records"],
    rows: passkeyRows,
    passkeys: Object.freeze({ ...options }),
    list: async (auth, source) => (await forUser(auth, source, listPasskeys)) ?? [],
    rename: async (auth, source, { id, name }) =>
      (await forChange(auth, source, (context, user) => renamePasskey(context, user, { id, name }))) ?? false,
    remove: async (auth, source, { id, evenLast = false }) =>
      (await forChange(auth, source, (context, user) => removePasskey(context, user, { id, evenLast }))) ?? "absent",
  })
}

/** Changes nothing for a token that has been replaced, as for nobody. */
function forChange<T>(
  auth: AuthService<unknown>,
  source: AuthSource,
  work: (context: Context, user: AdapterUser) => Promise<T>,
): Promise<T | undefined> {
  return forUser(auth, source, async (context, user) =>
    (await isOvertaken(context)) ? undefined : work(context, user),
  )
}

/** @throws InvalidConfiguration when the feature is not listed, and whatever refuses every request. */
async function forUser<T>(
  auth: AuthService<unknown>,
  source: AuthSource,
  work: (context: Context, user: AdapterUser) => Promise<T>,
): Promise<T | undefined> {
  const settings = requiredSettingsOf(auth)
  const asked = { action: "session", method: "GET" } as const
  const context = contextOfCall(craftIncoming(asChanged({ auth, source }, settings), asked, settings), settings)
  if (!settings.features.names.includes("passkeys")) {
    const expected = '"features": expected passkeys() in the list, received none.'
    throw new InvalidConfiguration(`${expected} Add it to the configuration of this service.`)
  }
  const user = await passkeyUser(context)
  return user && work(context, user)
}
