/** Comparison is exact: no case folding, padding, wildcards, accents or numbers. */
import type { Adapter } from "@latchkey/core/adapters"
import { type ContractCase, group, type Kit } from "./case.js"
import { absent, present, refuses, sameId } from "./check.js"
import { accountKey } from "./keys.js"
import { confusablePairs, newAccount, newAuthenticator, newSession, newToken, newUser, noAddress } from "./samples.js"

/** How to store a row under a string, and what to look up under another. */
interface Look {
  readonly store: (text: string) => Promise<unknown>
  readonly find: (text: string) => unknown
}

/** Stores one string of each pair and looks up the other. */
function pairs(look: (kit: Kit) => Promise<Look>): (kit: Kit) => Promise<void> {
  return async (kit) => {
    const { store, find } = await look(kit)
    for (const [stored, asked] of confusablePairs) {
      const label = kit.fresh("pair")
      await store(label + stored)
      absent(await find(label + asked), `${JSON.stringify(asked)} was asked for, ${JSON.stringify(stored)} is stored`)
      present(await find(label + stored), `${JSON.stringify(stored)} as it was stored`)
    }
  }
}

/** The string that a value of another type is converted to. */
const disguises: readonly ((text: string) => unknown)[] = [
  (text) => [text],
  (text) => [[text]],
  (text) => ({ toString: () => text }),
  () => ({ $ne: "" }),
]

/** Refusing the value is as good as finding nothing. */
async function findsNothing(what: string, text: string, find: (text: never) => unknown): Promise<void> {
  for (const disguise of disguises) {
    const value = disguise(text)
    const found = await (async () => find(value as never))().catch(() => null)
    absent(found, `${what} with ${Array.isArray(value) ? "a list" : "an object"} in place of a string`)
  }
}

const account: readonly (keyof Adapter)[] = ["createUser", "linkAccount", "getUserByAccount"]
const session: readonly (keyof Adapter)[] = ["createUser", "createSession", "getSessionAndUser"]
const token: readonly (keyof Adapter)[] = ["createVerificationToken", "useVerificationToken"]
const authenticator: readonly (keyof Adapter)[] = ["createUser", "createAuthenticator", "getAuthenticator"]

export const exactnessCases: readonly ContractCase[] = group("exact comparison", {
  "getUserByEmail compares exactly": [
    ["createUser", "getUserByEmail"],
    pairs(async (kit) => ({
      store: (email) => newUser(kit, { email }),
      find: (email) => kit.adapter.getUserByEmail(email),
    })),
  ],
  "getUserByAccount compares account ids exactly": [
    account,
    pairs(async (kit) => {
      const { id } = await newUser(kit)
      return {
        store: (providerAccountId) => newAccount(kit, id, { providerAccountId }),
        find: (providerAccountId) => kit.adapter.getUserByAccount({ provider: "example", providerAccountId }),
      }
    }),
  ],
  "getUserByAccount compares providers exactly": [
    account,
    pairs(async (kit) => {
      const { id } = await newUser(kit)
      return {
        store: (provider) => newAccount(kit, id, { provider, providerAccountId: "1" }),
        find: (provider) => kit.adapter.getUserByAccount({ provider, providerAccountId: "1" }),
      }
    }),
  ],
  "getAccount compares exactly": [
    ["createUser", "linkAccount", "getAccount"],
    pairs(async (kit) => {
      const { id } = await newUser(kit)
      return {
        store: (providerAccountId) => newAccount(kit, id, { providerAccountId }),
        find: (providerAccountId) => kit.adapter.getAccount(providerAccountId, "example"),
      }
    }),
  ],
  "getSessionAndUser compares exactly": [
    session,
    pairs(async (kit) => {
      const { id } = await newUser(kit)
      return {
        store: (sessionToken) => newSession(kit, id, { sessionToken }),
        find: (sessionToken) => kit.adapter.getSessionAndUser(sessionToken),
      }
    }),
  ],
  "useVerificationToken compares tokens exactly": [
    token,
    pairs(async (kit) => {
      const identifier = `${kit.fresh("ada")}@example.test`
      return {
        store: (text) => newToken(kit, { identifier, token: text }),
        find: (text) => kit.adapter.useVerificationToken({ identifier, token: text }),
      }
    }),
  ],
  "useVerificationToken compares addresses exactly": [
    token,
    pairs(async (kit) => ({
      store: (identifier) => newToken(kit, { identifier, token: "hash" }),
      find: (identifier) => kit.adapter.useVerificationToken({ identifier, token: "hash" }),
    })),
  ],
  "getAuthenticator compares exactly": [
    authenticator,
    pairs(async (kit) => {
      const { id } = await newUser(kit)
      return {
        store: (credentialID) => newAuthenticator(kit, id, { credentialID }),
        find: (credentialID) => kit.adapter.getAuthenticator(credentialID),
      }
    }),
  ],
  "account ids that look alike are different accounts": [
    account,
    async (kit) => {
      for (const [first, second] of confusablePairs) {
        const label = kit.fresh("twin")
        for (const text of [first, second]) {
          const user = await newUser(kit)
          const linked = await newAccount(kit, user.id, { providerAccountId: label + text })
          sameId(
            present(await kit.adapter.getUserByAccount(accountKey(linked)), "getUserByAccount").id,
            user.id,
            "the owner",
          )
        }
      }
    },
  ],
  "deleteSession compares exactly": [
    [...session, "deleteSession"],
    async (kit) => {
      const user = await newUser(kit)
      for (const [stored, asked] of confusablePairs) {
        const label = kit.fresh("pair")
        await newSession(kit, user.id, { sessionToken: label + stored })
        await kit.adapter.deleteSession(label + asked)
        present(await kit.adapter.getSessionAndUser(label + stored), `${stored} after ${asked} was ended`)
      }
    },
  ],
  "unlinkAccount compares exactly": [
    [...account, "unlinkAccount"],
    async (kit) => {
      const user = await newUser(kit)
      for (const [stored, asked] of confusablePairs) {
        const label = kit.fresh("pair")
        const linked = await newAccount(kit, user.id, { providerAccountId: label + stored })
        await kit.adapter.unlinkAccount({ provider: linked.provider, providerAccountId: label + asked })
        present(await kit.adapter.getUserByAccount(accountKey(linked)), `${stored} after ${asked} was unlinked`)
      }
    },
  ],
  "an empty value finds nobody": [
    ["createUser", "linkAccount", "createSession", "getUserByAccount", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit, noAddress(kit))
      await newAccount(kit, user.id)
      await newSession(kit, user.id)
      absent(await kit.adapter.getUserByAccount({ provider: "example", providerAccountId: "" }), "an empty account id")
      absent(await kit.adapter.getSessionAndUser(""), "an empty session token")
    },
  ],
  "a list or an object in place of a string finds nothing and removes nothing": [
    [...new Set([...account, ...session, ...token]), "getUser", "getUserByEmail", "deleteSession"],
    async (kit) => {
      const { adapter } = kit
      const user = await newUser(kit)
      const { provider, providerAccountId } = await newAccount(kit, user.id)
      const { sessionToken } = await newSession(kit, user.id)
      const { identifier, token: hash } = await newToken(kit)
      await findsNothing("getUser", user.id, (id) => adapter.getUser(id))
      await findsNothing("getUserByEmail", user.email, (email) => adapter.getUserByEmail(email))
      await findsNothing("getUserByAccount", providerAccountId, (text) =>
        adapter.getUserByAccount({ provider, providerAccountId: text }),
      )
      await findsNothing("getSessionAndUser", sessionToken, (text) => adapter.getSessionAndUser(text))
      await findsNothing("deleteSession", sessionToken, (text) => adapter.deleteSession(text))
      await findsNothing("useVerificationToken", hash, (text) =>
        adapter.useVerificationToken({ identifier, token: text }),
      )
      await findsNothing("useVerificationToken", identifier, (text) =>
        adapter.useVerificationToken({ identifier: text, token: hash }),
      )
      present(await adapter.getSessionAndUser(sessionToken), "the session")
      present(await adapter.useVerificationToken({ identifier, token: hash }), "the verification token")
    },
  ],
  "updateAuthenticatorCounter compares exactly": [
    ["createUser", "createAuthenticator", "updateAuthenticatorCounter"],
    async (kit) => {
      const user = await newUser(kit)
      const { credentialID } = await newAuthenticator(kit, user.id, { credentialID: `${kit.fresh("Credential")}aA` })
      const other = credentialID.toLowerCase()
      await refuses(() => kit.adapter.updateAuthenticatorCounter(other, 9), "the counter of another credential")
    },
  ],
})
