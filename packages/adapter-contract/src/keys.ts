/** The keys by which rows are looked up. Adapters may refuse members that are not part of a key; the service sends none. */
import type { AdapterAccount, VerificationToken } from "@latchkey/core/adapters"

type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">
type TokenKey = Pick<VerificationToken, "identifier" | "token">

/** What names an account. */
export const accountKey = ({ provider, providerAccountId }: AccountKey): AccountKey => ({ provider, providerAccountId })

/** What names a verification token. */
export const tokenKey = ({ identifier, token }: TokenKey): TokenKey => ({ identifier, token })
