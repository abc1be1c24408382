/** The contract of concurrent calls. */
import type { AccountDraft } from "@latchkey/core/adapters"
import { type ContractCase, group } from "./case.js"
import { absent, fail, fulfilled, present, same, sameId, settle, succeed, timeOf } from "./check.js"
import { accountKey } from "./keys.js"
import {
  crowd,
  draftAccount,
  draftAuthenticator,
  draftSession,
  draftUser,
  later,
  newAuthenticator,
  newSession,
  newToken,
  newUser,
} from "./samples.js"

/** Ends that move forward. */
const ends: readonly Date[] = crowd.map((step) => new Date(later().getTime() + step))

export const concurrencyCases: readonly ContractCase[] = group("concurrency", {
  "of many who use a verification token at once, one gets it": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      const { identifier, token } = await newToken(kit)
      const outcomes = await settle(crowd.map(() => () => kit.adapter.useVerificationToken({ identifier, token })))
      const winners = outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value)
      same(winners.length, 1, "how many got the token")
    },
  ],
  "of many who link an account at once, one gets it": [
    ["createUser", "linkAccount", "getUserByAccount"],
    async (kit) => {
      const users = await succeed(
        crowd.map(() => () => newUser(kit)),
        "createUser",
      )
      const account = draftAccount(kit, "")
      const outcomes = await settle(
        users.map(
          ({ id }) =>
            () =>
              kit.adapter.linkAccount({ ...account, userId: id }),
        ),
      )
      same(fulfilled(outcomes), 1, "how many linked the account")
      const winner = users[outcomes.findIndex(({ status }) => status === "fulfilled")]
      sameId(
        present(await kit.adapter.getUserByAccount(accountKey(account)), "getUserByAccount").id,
        winner?.id,
        "the owner",
      )
    },
  ],
  "of many who create one user with one account at once, one does": [
    ["createUserWithAccount", "getUserByAccount", "getUserByEmail"],
    async (kit) => {
      const drafts = crowd.map(() => draftUser(kit))
      const { userId: _, ...rest } = draftAccount(kit, "")
      const account = rest as AccountDraft
      const outcomes = await settle(drafts.map((draft) => () => kit.adapter.createUserWithAccount(draft, account)))
      same(fulfilled(outcomes), 1, "how many created the account")
      const { provider, providerAccountId } = rest
      const owner = present(await kit.adapter.getUserByAccount({ provider, providerAccountId }), "getUserByAccount")
      for (const { email } of drafts) {
        if (email !== owner.email) absent(await kit.adapter.getUserByEmail(email), "a user without an account")
      }
    },
  ],
  "of many who create a user with one address at once, one does": [
    ["createUser", "getUserByEmail"],
    async (kit) => {
      const { email } = draftUser(kit)
      const outcomes = await settle(crowd.map(() => () => newUser(kit, { email })))
      same(fulfilled(outcomes), 1, "how many created the user")
      present(await kit.adapter.getUserByEmail(email), "getUserByEmail")
    },
  ],
  "of many who register one credential at once, one does": [
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (kit) => {
      const user = await newUser(kit)
      const draft = draftAuthenticator(kit, user.id)
      const outcomes = await settle(crowd.map(() => () => kit.adapter.createAuthenticator(draft)))
      same(fulfilled(outcomes), 1, "how many registered the credential")
      present(await kit.adapter.getAuthenticator(draft.credentialID), "getAuthenticator")
    },
  ],
  "many sessions begin at once": [
    ["createUser", "createSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const sessions = await succeed(
        crowd.map(() => () => newSession(kit, user.id)),
        "createSession",
      )
      for (const { sessionToken } of sessions) {
        sameId(present(await kit.adapter.getSessionAndUser(sessionToken), "a session").user.id, user.id, "the owner")
      }
    },
  ],
  "many extend one session at once, and it ends at one of the times they gave": [
    ["createUser", "createSession", "updateSession", "getSessionAndUser"],
    async (kit) => {
      const { sessionToken } = await newSession(kit, (await newUser(kit)).id)
      const works = ends.map((expires) => () => kit.adapter.updateSession({ sessionToken, expires }))
      await succeed(works, "updateSession")
      const found = present(await kit.adapter.getSessionAndUser(sessionToken), "getSessionAndUser")
      const end = timeOf(found.session.expires, "expires")
      if (!ends.some((given) => given.getTime() === end)) fail(`the session ends at ${new Date(end).toISOString()}`)
    },
  ],
  "a session that is ended while others extend it stays ended": [
    ["createUser", "createSession", "updateSession", "deleteSession", "getSessionAndUser"],
    async (kit) => {
      const { sessionToken } = await newSession(kit, (await newUser(kit)).id)
      const extend = ends.map((expires) => () => kit.adapter.updateSession({ sessionToken, expires }))
      const half = extend.length / 2
      const end = async (): Promise<null> => {
        await kit.adapter.deleteSession(sessionToken)
        return null
      }
      await settle<unknown>([...extend.slice(0, half), end, ...extend.slice(half)])
      absent(await kit.adapter.getSessionAndUser(sessionToken), "getSessionAndUser")
    },
  ],
  "many end one session at once without an error": [
    ["createUser", "createSession", "deleteSession", "getSessionAndUser"],
    async (kit) => {
      const { sessionToken } = await newSession(kit, (await newUser(kit)).id)
      await succeed(
        crowd.map(() => () => kit.adapter.deleteSession(sessionToken)),
        "deleteSession",
      )
      absent(await kit.adapter.getSessionAndUser(sessionToken), "getSessionAndUser")
    },
  ],
  "of many who begin a session with one token at once, one does": [
    ["createUser", "createSession"],
    async (kit) => {
      const draft = draftSession(kit, (await newUser(kit)).id)
      const outcomes = await settle(crowd.map(() => () => kit.adapter.createSession(draft)))
      same(fulfilled(outcomes), 1, "how many began the session")
    },
  ],
  "many count one authenticator at once without an error": [
    ["createUser", "createAuthenticator", "updateAuthenticatorCounter", "getAuthenticator"],
    async (kit) => {
      const { credentialID } = await newAuthenticator(kit, (await newUser(kit)).id)
      const works = crowd.map((step) => () => kit.adapter.updateAuthenticatorCounter(credentialID, 100 + step))
      await succeed(works, "updateAuthenticatorCounter")
      const { counter } = present(await kit.adapter.getAuthenticator(credentialID), "getAuthenticator")
      if (!crowd.some((step) => counter === 100 + step)) fail(`the counter is ${counter}`)
    },
  ],
})
