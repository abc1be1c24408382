/** What is removed with a user, and what stays. */
import { type ContractCase, group } from "./case.js"
import { absent, present, same, sameId } from "./check.js"
import { accountKey } from "./keys.js"
import { newAccount, newAuthenticator, newSession, newUser } from "./samples.js"

export const removalCases: readonly ContractCase[] = group("removal", {
  "deleteUser removes the user": [
    ["createUser", "deleteUser", "getUser", "getUserByEmail"],
    async (kit) => {
      const [gone, kept] = [await newUser(kit), await newUser(kit)]
      await kit.adapter.deleteUser(gone.id)
      absent(await kit.adapter.getUser(gone.id), "the removed user")
      absent(await kit.adapter.getUserByEmail(gone.email), "the removed user by address")
      sameId(present(await kit.adapter.getUser(kept.id), "another user").id, kept.id, "another user")
    },
  ],
  "deleteUser removes the user's accounts": [
    ["createUser", "linkAccount", "deleteUser", "getUserByAccount"],
    async (kit) => {
      const [user, bystander] = [await newUser(kit), await newUser(kit)]
      const gone = [await newAccount(kit, user.id), await newAccount(kit, user.id)]
      const kept = await newAccount(kit, bystander.id)
      await kit.adapter.deleteUser(user.id)
      for (const account of gone)
        absent(await kit.adapter.getUserByAccount(accountKey(account)), "an account of the removed user")
      present(await kit.adapter.getUserByAccount(accountKey(kept)), "another user's account")
    },
  ],
  "an account of a removed user is free again": [
    ["createUser", "linkAccount", "deleteUser", "getUserByAccount"],
    async (kit) => {
      const [before, after] = [await newUser(kit), await newUser(kit)]
      const accounts = [await newAccount(kit, before.id), await newAccount(kit, before.id)]
      await kit.adapter.deleteUser(before.id)
      for (const account of accounts) {
        await kit.adapter.linkAccount({ ...account, userId: after.id })
        const { provider, providerAccountId } = account
        const owner = await kit.adapter.getUserByAccount({ provider, providerAccountId })
        sameId(present(owner, "getUserByAccount").id, after.id, "the owner")
      }
    },
  ],
  "deleteUser ends the user's sessions": [
    ["createUser", "createSession", "deleteUser", "getSessionAndUser"],
    async (kit) => {
      const [user, bystander] = [await newUser(kit), await newUser(kit)]
      const gone = [await newSession(kit, user.id), await newSession(kit, user.id)]
      const kept = await newSession(kit, bystander.id)
      await kit.adapter.deleteUser(user.id)
      for (const { sessionToken } of gone) {
        absent(await kit.adapter.getSessionAndUser(sessionToken), "a session of the removed user")
      }
      present(await kit.adapter.getSessionAndUser(kept.sessionToken), "another user's session")
    },
  ],
  "deleteUser removes the user's authenticators": [
    ["createUser", "createAuthenticator", "deleteUser", "getAuthenticator", "listAuthenticatorsByUserId"],
    async (kit) => {
      const [user, bystander] = [await newUser(kit), await newUser(kit)]
      const gone = [await newAuthenticator(kit, user.id), await newAuthenticator(kit, user.id)]
      const kept = await newAuthenticator(kit, bystander.id)
      await kit.adapter.deleteUser(user.id)
      for (const { credentialID } of gone) {
        absent(await kit.adapter.getAuthenticator(credentialID), "an authenticator of the removed user")
      }
      same((await kit.adapter.listAuthenticatorsByUserId(user.id)).length, 0, "the list of the removed user")
      present(await kit.adapter.getAuthenticator(kept.credentialID), "another user's authenticator")
    },
  ],
  "an address of a removed user is free again": [
    ["createUser", "deleteUser", "getUserByEmail"],
    async (kit) => {
      const before = await newUser(kit)
      await kit.adapter.deleteUser(before.id)
      const after = await newUser(kit, { email: before.email })
      sameId(present(await kit.adapter.getUserByEmail(before.email), "getUserByEmail").id, after.id, "the owner")
    },
  ],
  "deleteUser of an unknown id is no error": [
    ["deleteUser"],
    async (kit) => absent(await kit.adapter.deleteUser(globalThis.crypto.randomUUID()), "deleteUser"),
  ],
})
