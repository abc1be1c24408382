/** The contract of the operations on authenticators. */
import { type ContractCase, group } from "./case.js"
import { absent, holds, present, refuses, same } from "./check.js"
import { draftAuthenticator, newAuthenticator, newUser } from "./samples.js"

export const authenticatorCases: readonly ContractCase[] = group("authenticators", {
  "createAuthenticator answers the authenticator, and getAuthenticator finds it": [
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (kit) => {
      const user = await newUser(kit)
      for (const members of [{}, { credentialBackedUp: false, transports: null, counter: 0 }]) {
        const draft = draftAuthenticator(kit, user.id, members)
        holds(await kit.adapter.createAuthenticator(draft), draft, "createAuthenticator")
        const found = present(await kit.adapter.getAuthenticator(draft.credentialID), "getAuthenticator")
        holds(found, draft, "getAuthenticator")
      }
    },
  ],
  "createAuthenticator refuses a credential that is there already": [
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (kit) => {
      const [owner, other] = [await newUser(kit), await newUser(kit)]
      const authenticator = await newAuthenticator(kit, owner.id)
      await refuses(
        () => kit.adapter.createAuthenticator({ ...authenticator, userId: other.id }),
        "createAuthenticator a second time",
      )
      const found = present(await kit.adapter.getAuthenticator(authenticator.credentialID), "getAuthenticator")
      holds(found, { userId: owner.id }, "the owner")
    },
  ],
  "getAuthenticator answers null for an unknown credential": [
    ["getAuthenticator"],
    async (kit) => absent(await kit.adapter.getAuthenticator(kit.fresh("nobody")), "getAuthenticator"),
  ],
  "listAuthenticatorsByUserId answers none, one or many": [
    ["createUser", "createAuthenticator", "listAuthenticatorsByUserId"],
    async (kit) => {
      const [user, bystander] = [await newUser(kit), await newUser(kit)]
      await newAuthenticator(kit, bystander.id)
      const expected = new Set<string>()
      for (const count of [0, 1, 2, 3]) {
        const listed = await kit.adapter.listAuthenticatorsByUserId(user.id)
        same(listed.length, count, "the number of authenticators")
        const missing = [...expected].filter((id) => !listed.some(({ credentialID }) => credentialID === id))
        same(missing.length, 0, "authenticators that are not listed")
        expected.add((await newAuthenticator(kit, user.id)).credentialID)
      }
    },
  ],
  "listAuthenticatorsByUserId answers an empty list for an unknown user": [
    ["listAuthenticatorsByUserId"],
    async (kit) => {
      const listed = await kit.adapter.listAuthenticatorsByUserId(globalThis.crypto.randomUUID())
      same(listed.length, 0, "the number of authenticators")
    },
  ],
  "updateAuthenticatorCounter changes that counter and no other": [
    ["createUser", "createAuthenticator", "updateAuthenticatorCounter", "getAuthenticator"],
    async (kit) => {
      const user = await newUser(kit)
      const [used, kept] = [await newAuthenticator(kit, user.id), await newAuthenticator(kit, user.id)]
      const counter = 4_294_967_295
      const answer = await kit.adapter.updateAuthenticatorCounter(used.credentialID, counter)
      holds(answer, { ...used, counter }, "updateAuthenticatorCounter")
      const found = present(await kit.adapter.getAuthenticator(used.credentialID), "getAuthenticator")
      holds(found, { ...used, counter }, "getAuthenticator")
      const other = present(await kit.adapter.getAuthenticator(kept.credentialID), "another authenticator")
      holds(other, kept, "another authenticator")
    },
  ],
  "updateAuthenticatorCounter of an unknown credential is refused": [
    ["updateAuthenticatorCounter"],
    async (kit) =>
      refuses(() => kit.adapter.updateAuthenticatorCounter(kit.fresh("nobody"), 1), "updateAuthenticatorCounter"),
  ],
})
