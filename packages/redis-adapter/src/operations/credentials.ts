/** Operations on verification tokens and authenticators. */
import type { Adapter, AdapterAuthenticator, VerificationToken } from "@latchkey/core/adapters"
import { apply, untilSettled } from "../changes.js"
import { type Desk, rowAt, rowsOwned, textAt } from "../desk.js"
import type { Promised } from "../promised.js"
import { run, take } from "../scripts.js"
import { sweepTime } from "../session-row.js"
import { DamagedRowError, decode, encode, given, milliseconds } from "../values.js"

type CredentialOperations = Promised<
  Pick<
    Adapter,
    | "createVerificationToken"
    | "useVerificationToken"
    | "createAuthenticator"
    | "getAuthenticator"
    | "listAuthenticatorsByUserId"
    | "updateAuthenticatorCounter"
  >
>

/** The pending link that was consumed. One that cannot be read is used up all the same. */
function consumed(desk: Desk, text: unknown): VerificationToken | null {
  if (typeof text !== "string") return null
  try {
    return decode<VerificationToken>(text, "verification token")
  } catch (error) {
    if (!(error instanceof DamagedRowError)) throw error
    desk.onError(error)
    return null
  }
}

/** An authenticator as it is stored. */
export function authenticatorRow(row: AdapterAuthenticator): AdapterAuthenticator {
  return { transports: null, ...given(row) } as AdapterAuthenticator
}

export function credentialOperations(desk: Desk): CredentialOperations {
  const { keys, connection } = desk
  return {
    async createVerificationToken(token) {
      const expires = milliseconds(token.expires)
      const row = { ...token, expires: new Date(expires) }
      const key = keys.verificationToken(token.identifier, token.token)
      const set = ["SET", key, encode(row), "NX", "PXAT", sweepTime(expires)]
      if ((await connection.send({ key, args: set })) === null)
        throw new Error("There is a token with this value already.")
      return row
    },
    // One script reads and removes: of two callers one gets the row.
    useVerificationToken: async ({ identifier, token }) =>
      consumed(desk, await run(connection, take, { keys: [keys.verificationToken(identifier, token)] })),
    async createAuthenticator(authenticator) {
      const row = authenticatorRow(authenticator)
      const key = keys.authenticator(row.credentialID)
      const failed = await apply(connection, [
        ["present", keys.user(row.userId)],
        ["absent", key],
        ["set", key, encode(row)],
        ["add", keys.authenticatorsOf(row.userId), key],
      ])
      if (failed?.[0] === "present") throw new Error("There is no user with this id.")
      if (failed) throw new Error("This credential is registered already.")
      return row
    },
    getAuthenticator: (credentialID) => rowAt(desk, keys.authenticator(credentialID), "authenticator"),
    listAuthenticatorsByUserId: async (userId) =>
      rowsOwned<AdapterAuthenticator>(desk, { list: keys.authenticatorsOf(userId), userId, what: "authenticator" }),
    async updateAuthenticatorCounter(credentialID, counter) {
      const key = keys.authenticator(credentialID)
      return untilSettled(async () => {
        const text = await textAt(desk, key)
        if (text === null) throw new Error("There is no such credential.")
        const row = { ...decode<AdapterAuthenticator>(text, "authenticator"), counter }
        const failed = await apply(connection, [
          ["equals", key, text],
          ["set", key, encode(row)],
        ])
        return failed ? undefined : row
      })
    },
  }
}
