/** What a provider has shown of a person, for tests of admission. */
import type { Proof } from "../../src/methods/method.js"
import { oauthPolicy } from "../../src/methods/policy.js"
import type { Provider } from "../../src/types/provider.js"

const endpoints = { authorization: "https://op.test/a", token: "https://op.test/t", userinfo: "https://op.test/u" }

/** An OAuth provider that says nothing of verified addresses. */
export const provider = (id: string, more: object = {}): Provider =>
  ({ id, name: id, type: "oauth", clientId: "app", clientSecret: "secret", ...endpoints, ...more }) as Provider

/** An OAuth provider that says of each profile whether its address is verified. */
export const verifying: Provider = provider("verifying", {
  emailVerified: (profile: { verified?: boolean }) => profile.verified,
})

/** The account of an OAuth provider that says nothing of verified addresses. */
export const account = { provider: "acme", providerAccountId: "1", type: "oauth" as const }

/** A proof of that account, for a user of the given members; what a test says otherwise counts. */
export const proofFor =
  (user: Proof["user"]) =>
  (given: Partial<Proof> = {}): Proof => ({
    kind: "proof",
    policy: oauthPolicy({ callsVerified: false, allowUnverifiedEmail: false }),
    user,
    account,
    stored: account,
    emailStatus: "unstated",
    mayLinkByEmail: false,
    returnTo: undefined,
    ...given,
  })
