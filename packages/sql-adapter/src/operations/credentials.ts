/** Operations on verification tokens and authenticators. */
import type { Adapter, AdapterAuthenticator, VerificationToken } from "@latchkey/core/adapters"
import type { Desk } from "../desk.js"
import type { Row } from "../dialects/dialect.js"
import type { Runner } from "../runner.js"
import type { Table } from "../table.js"

type CredentialOperations = Required<
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

const asAuthenticator = (row: Row): AdapterAuthenticator => row as unknown as AdapterAuthenticator

export function credentialOperations(desk: Desk, runner: Runner): CredentialOperations {
  const tokens = (): Table => desk.table("verificationTokens")
  const authenticators = (): Table => desk.table("authenticators")
  return {
    createVerificationToken: async (token) =>
      (await tokens().insert(runner, { members: { ...token } })) as unknown as VerificationToken,
    // Of two callers who remove the row, one gets it.
    async useVerificationToken({ identifier, token }) {
      const [row] = await tokens().remove(runner, { identifier, token })
      return (row as VerificationToken | undefined) ?? null
    },
    createAuthenticator: async (row) => asAuthenticator(await authenticators().insert(runner, { members: { ...row } })),
    async getAuthenticator(credentialID) {
      const byId = desk.statement("authenticator", () => authenticators().finder("credentialID"))
      const [row] = await authenticators().find(runner, byId, { credentialID })
      return row ? asAuthenticator(row) : null
    },
    async listAuthenticatorsByUserId(userId) {
      const byUser = desk.statement("authenticators by user", () => authenticators().finder("userId"))
      return (await authenticators().find(runner, byUser, { userId })).map(asAuthenticator)
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      const [row] = await authenticators().update(runner, { where: { credentialID }, to: { counter } })
      if (!row) throw new Error("There is no such credential.")
      return asAuthenticator(row)
    },
  }
}
