/** Unusual values: they come back as they went in, or are refused; they never match another row. */
import { type ContractCase, group, type Kit } from "./case.js"
import { absent, fail, holds, present, same, sameId, settle } from "./check.js"
import { accountKey, tokenKey } from "./keys.js"
import {
  accountTokens,
  draftUser,
  newAccount,
  newAuthenticator,
  newSession,
  newToken,
  newUser,
  unusualTexts,
} from "./samples.js"

/** Strings that some stores cannot hold: a store may refuse them, but must not confuse two of them. */
const unstorable: readonly (readonly [stored: string, asked: string])[] = [
  ["cut\u0000here", "cut"],
  ["cut\u0000here", "cut\u0000there"],
  ["half\ud800", "half\ud801"],
  ["half\ud800", "half\ufffd"],
  ["half\ud800", "half"],
]

/** Keys that are joined with a separator collide here. */
const glued: readonly (readonly [first: [string, string], second: [string, string]])[] = [
  [
    ["a", "b:c"],
    ["a:b", "c"],
  ],
  [
    ["a", "b/c"],
    ["a/b", "c"],
  ],
  [
    ["a", "b,c"],
    ["a,b", "c"],
  ],
  [
    ["a", 'b","c'],
    ['a","b', "c"],
  ],
]

/** Goes through all strings, each with a unique suffix so that all may share one database. */
async function throughTexts(kit: Kit, work: (text: string) => Promise<void>): Promise<void> {
  for (const text of unusualTexts) await work(`${text}${kit.fresh("~")}`)
}

export const edgeCases: readonly ContractCase[] = group("edge values", {
  "names and images hold any text": [
    ["createUser", "getUser", "updateUser"],
    async (kit) => {
      for (const text of unusualTexts) {
        const user = await newUser(kit, { name: text, image: text })
        const found = present(await kit.adapter.getUser(user.id), "getUser")
        holds(found, { name: text, image: text }, "getUser")
        await kit.adapter.updateUser({ id: user.id, name: `${text}!` })
        holds(present(await kit.adapter.getUser(user.id), "getUser"), { name: `${text}!`, image: text }, "getUser")
      }
    },
  ],
  "addresses hold any text": [
    ["createUser", "getUserByEmail"],
    (kit) =>
      throughTexts(kit, async (text) => {
        const email = text.toLowerCase()
        const user = await newUser(kit, { email })
        const found = present(await kit.adapter.getUserByEmail(email), "getUserByEmail")
        holds(found, { id: user.id, email }, "getUserByEmail")
      }),
  ],
  "account ids and tokens hold any text": [
    ["createUser", "linkAccount", "getUserByAccount", "getAccount"],
    async (kit) => {
      const user = await newUser(kit)
      await throughTexts(kit, async (text) => {
        const account = await newAccount(kit, user.id, { providerAccountId: text, access_token: text, scope: text })
        sameId(
          present(await kit.adapter.getUserByAccount(accountKey(account)), "getUserByAccount").id,
          user.id,
          "the owner",
        )
        holds(present(await kit.adapter.getAccount(text, account.provider), "getAccount"), account, "getAccount")
      })
    },
  ],
  "session tokens hold any text": [
    ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
    async (kit) => {
      const user = await newUser(kit)
      await throughTexts(kit, async (sessionToken) => {
        const session = await newSession(kit, user.id, { sessionToken })
        holds(present(await kit.adapter.getSessionAndUser(sessionToken), "created").session, session, "session")
        await kit.adapter.updateSession({ sessionToken, expires: session.expires })
        holds(present(await kit.adapter.getSessionAndUser(sessionToken), "updated").session, session, "session")
        await kit.adapter.deleteSession(sessionToken)
        absent(await kit.adapter.getSessionAndUser(sessionToken), "deleted")
      })
    },
  ],
  "verification tokens hold any text": [
    ["createVerificationToken", "useVerificationToken"],
    (kit) =>
      throughTexts(kit, async (text) => {
        const { identifier, token } = await newToken(kit, { identifier: text, token: text })
        holds(present(await kit.adapter.useVerificationToken({ identifier, token }), "used"), { identifier, token }, "")
      }),
  ],
  "authenticators hold any text": [
    ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    async (kit) => {
      const user = await newUser(kit)
      await throughTexts(kit, async (credentialID) => {
        const authenticator = await newAuthenticator(kit, user.id, { credentialID, credentialPublicKey: credentialID })
        await kit.adapter.updateAuthenticatorCounter(credentialID, 8)
        const found = present(await kit.adapter.getAuthenticator(credentialID), "getAuthenticator")
        holds(found, { ...authenticator, counter: 8 }, "getAuthenticator")
      })
    },
  ],
  "long values are kept whole": [
    ["createUser", "linkAccount", "getAccount", "getUser"],
    async (kit) => {
      const image = `data:image/png;base64,${"A".repeat(20_000)}`
      const user = await newUser(kit, { image, name: "n".repeat(255) })
      const tokens = { ...accountTokens, id_token: "i".repeat(16_000), access_token: "a".repeat(8_000) }
      const account = await newAccount(kit, user.id, { ...tokens, scope: "s ".repeat(2_000) })
      holds(present(await kit.adapter.getUser(user.id), "getUser"), { image, name: "n".repeat(255) }, "getUser")
      const found = await kit.adapter.getAccount(account.providerAccountId, account.provider)
      holds(present(found, "getAccount"), account, "getAccount")
    },
  ],
  "a long key is kept whole or refused, never cut": [
    ["createUser", "linkAccount", "getUserByAccount"],
    async (kit) => {
      const user = await newUser(kit)
      const long = `${kit.fresh("long")}${"x".repeat(300)}`
      const [outcome] = await settle([() => newAccount(kit, user.id, { providerAccountId: long })])
      if (outcome?.status === "fulfilled") {
        present(await kit.adapter.getUserByAccount(accountKey(outcome.value)), "the long key")
      }
      for (const other of [long.slice(0, 255), long.slice(0, 191), `${long}y`]) {
        const key = { provider: "example", providerAccountId: other }
        absent(await kit.adapter.getUserByAccount(key), "a key of another length")
      }
    },
  ],
  "what cannot be stored is refused, never mistaken": [
    ["createUser", "linkAccount", "getUserByAccount", "createSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      for (const [stored, asked] of unstorable) {
        const label = kit.fresh("odd")
        await settle<unknown>([
          () => newAccount(kit, user.id, { providerAccountId: label + stored }),
          () => newSession(kit, user.id, { sessionToken: label + stored }),
        ])
        const key = { provider: "example", providerAccountId: label + asked }
        const [owner, session] = await settle<unknown>([
          () => kit.adapter.getUserByAccount(key),
          () => kit.adapter.getSessionAndUser(label + asked),
        ])
        if (owner?.status === "fulfilled") absent(owner.value, "the owner of another account id")
        if (session?.status === "fulfilled") absent(session.value, "the session of another token")
      }
    },
  ],
  "accounts are distinguished by two values, not by one joined string": [
    ["createUser", "linkAccount", "getUserByAccount"],
    async (kit) => {
      for (const [first, second] of glued) {
        const label = kit.fresh("glue")
        for (const [provider, providerAccountId] of [first, second]) {
          const user = await newUser(kit)
          const key = { provider: label + provider, providerAccountId }
          absent(await kit.adapter.getUserByAccount(key), "the account of the other pair")
          await newAccount(kit, user.id, key)
          sameId(present(await kit.adapter.getUserByAccount(key), "getUserByAccount").id, user.id, "the owner")
        }
      }
    },
  ],
  "verification tokens are distinguished by two values, not by one joined string": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      for (const [first, second] of glued) {
        const label = kit.fresh("glue")
        await newToken(kit, { identifier: label + first[0], token: first[1] })
        const crossed = { identifier: label + second[0], token: second[1] }
        absent(await kit.adapter.useVerificationToken(crossed), "the token of the other pair")
        const right = { identifier: label + first[0], token: first[1] }
        present(await kit.adapter.useVerificationToken(tokenKey(right)), "the right pair")
      }
    },
  ],
  "members may be null or missing": [
    ["createUser", "getUser", "linkAccount", "getAccount"],
    async (kit) => {
      const user = await newUser(kit, { name: null, image: null })
      const found = present(await kit.adapter.getUser(user.id), "getUser")
      holds(found, { name: null, image: null, emailVerified: null }, "getUser")
      const account = await newAccount(kit, user.id)
      const stored = present(await kit.adapter.getAccount(account.providerAccountId, account.provider), "getAccount")
      const missing = { access_token: null, refresh_token: null, id_token: null, expires_at: null, scope: null }
      holds(stored, { ...account, ...missing }, "getAccount")
    },
  ],
  "updateUser can empty a member": [
    ["createUser", "updateUser", "getUser"],
    async (kit) => {
      const user = await newUser(kit)
      await kit.adapter.updateUser({ id: user.id, image: null })
      const found = present(await kit.adapter.getUser(user.id), "getUser")
      holds(found, { image: null, name: user.name, email: user.email }, "getUser")
    },
  ],
  "one person may be stored many times over": [
    ["createUser", "getUser"],
    async (kit) => {
      const users = await Promise.all(Array.from({ length: 50 }, () => kit.adapter.createUser(draftUser(kit))))
      same(new Set(users.map(({ id }) => String(id))).size, 50, "different ids")
      for (const user of users) {
        if (!(await kit.adapter.getUser(user.id))) fail("a user has been lost")
      }
    },
  ],
})
