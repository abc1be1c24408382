/** The contract of the operations on accounts. */
import type { AccountDraft, AccountKey, AdapterAccount } from "@latchkey/core/adapters"
import { type ContractCase, group } from "./case.js"
import { absent, holds, present, refuses, same, sameId, sameJson } from "./check.js"
import { accountKey } from "./keys.js"
import {
  accountTokens,
  draftAccount,
  draftAuthenticator,
  draftUser,
  jsonValues,
  newAccount,
  newAuthenticator,
  newUser,
} from "./samples.js"

/** The account without its owner, as `createUserWithAccount` takes it. */
function withoutOwner(account: AdapterAccount): AccountDraft & AccountKey {
  const { userId: _, ...rest } = account
  return { ...rest, provider: account.provider, providerAccountId: account.providerAccountId }
}

export const accountCases: readonly ContractCase[] = group("accounts", {
  "getUserByAccount finds the owner of a linked account": [
    ["createUser", "linkAccount", "getUserByAccount"],
    async (kit) => {
      const user = await newUser(kit)
      const account = await newAccount(kit, user.id)
      await newAccount(kit, (await newUser(kit)).id)
      const { provider, providerAccountId } = account
      const found = present(await kit.adapter.getUserByAccount({ provider, providerAccountId }), "getUserByAccount")
      holds(found, { id: user.id, email: user.email, name: user.name, image: user.image }, "getUserByAccount")
    },
  ],
  "getUserByAccount answers null for an unknown account": [
    ["getUserByAccount"],
    async (kit) => {
      const key = { provider: "example", providerAccountId: kit.fresh("nobody") }
      absent(await kit.adapter.getUserByAccount(key), "getUserByAccount")
    },
  ],
  "getAccount answers an account with its tokens": [
    ["createUser", "linkAccount", "getAccount"],
    async (kit) => {
      const user = await newUser(kit)
      const account = await newAccount(kit, user.id, { ...accountTokens, type: "oidc" })
      const found = await kit.adapter.getAccount(account.providerAccountId, account.provider)
      holds(present(found, "getAccount"), account, "getAccount")
    },
  ],
  "session_state of any JSON value comes back as it went in": [
    ["createUser", "linkAccount", "getAccount"],
    async (kit) => {
      const user = await newUser(kit)
      for (const session_state of jsonValues) {
        const { provider, providerAccountId } = await newAccount(kit, user.id, { session_state })
        const found = present(await kit.adapter.getAccount(providerAccountId, provider), "getAccount")
        sameJson(found.session_state, session_state, "session_state")
      }
    },
  ],
  "getAccount answers null for an unknown account": [
    ["getAccount"],
    async (kit) => absent(await kit.adapter.getAccount(kit.fresh("nobody"), "example"), "getAccount"),
  ],
  "linkAccount refuses an account that another user has": [
    ["createUser", "linkAccount", "getUserByAccount"],
    async (kit) => {
      const [owner, other] = [await newUser(kit), await newUser(kit)]
      const account = await newAccount(kit, owner.id)
      await refuses(() => kit.adapter.linkAccount({ ...account, userId: other.id }), "linkAccount of a taken account")
      sameId(
        present(await kit.adapter.getUserByAccount(accountKey(account)), "getUserByAccount").id,
        owner.id,
        "the owner",
      )
    },
  ],
  "linkAccount refuses an account that the same user has": [
    ["createUser", "linkAccount"],
    async (kit) => {
      const account = await newAccount(kit, (await newUser(kit)).id)
      await refuses(() => kit.adapter.linkAccount(account), "linkAccount a second time")
    },
  ],
  "one user may have several accounts": [
    ["createUser", "linkAccount", "getUserByAccount"],
    async (kit) => {
      const user = await newUser(kit)
      const accounts = [
        await newAccount(kit, user.id),
        await newAccount(kit, user.id),
        await newAccount(kit, user.id, { provider: "other" }),
      ]
      for (const account of accounts) {
        sameId(
          present(await kit.adapter.getUserByAccount(accountKey(account)), "getUserByAccount").id,
          user.id,
          "the owner",
        )
      }
    },
  ],
  "one account id at two providers is two accounts": [
    ["createUser", "linkAccount", "getUserByAccount"],
    async (kit) => {
      const [first, second] = [await newUser(kit), await newUser(kit)]
      const providerAccountId = kit.fresh("account")
      await newAccount(kit, first.id, { provider: "one", providerAccountId })
      await newAccount(kit, second.id, { provider: "two", providerAccountId })
      for (const [provider, owner] of [["one", first] as const, ["two", second] as const]) {
        const found = present(await kit.adapter.getUserByAccount({ provider, providerAccountId }), provider)
        sameId(found.id, owner.id, `the owner at ${provider}`)
      }
    },
  ],
  "unlinkAccount removes that account and no other": [
    ["createUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    async (kit) => {
      const user = await newUser(kit)
      const [gone, kept] = [await newAccount(kit, user.id), await newAccount(kit, user.id)]
      const { provider, providerAccountId } = gone
      await kit.adapter.unlinkAccount({ provider, providerAccountId })
      absent(await kit.adapter.getUserByAccount(accountKey(gone)), "the unlinked account")
      sameId(
        present(await kit.adapter.getUserByAccount(accountKey(kept)), "the other account").id,
        user.id,
        "the owner",
      )
    },
  ],
  "an unlinked account can be linked to another user": [
    ["createUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    async (kit) => {
      const [before, after] = [await newUser(kit), await newUser(kit)]
      const account = await newAccount(kit, before.id)
      const { provider, providerAccountId } = account
      await kit.adapter.unlinkAccount({ provider, providerAccountId })
      await kit.adapter.linkAccount({ ...account, userId: after.id })
      const owner = await kit.adapter.getUserByAccount({ provider, providerAccountId })
      sameId(present(owner, "getUserByAccount").id, after.id, "the owner")
    },
  ],
  "createUserWithAccount stores a user and its account": [
    ["createUserWithAccount", "getUserByAccount"],
    async (kit) => {
      const draft = draftUser(kit)
      const account = withoutOwner(draftAccount(kit, ""))
      const created = await kit.adapter.createUserWithAccount(draft, account)
      holds(created, { email: draft.email, name: draft.name }, "createUserWithAccount")
      const { provider, providerAccountId } = account
      const found = present(await kit.adapter.getUserByAccount({ provider, providerAccountId }), "getUserByAccount")
      holds(found, { id: created.id, email: draft.email }, "getUserByAccount")
    },
  ],
  "createUserWithAccount of a taken account leaves no user behind": [
    ["createUser", "linkAccount", "createUserWithAccount", "getUserByEmail"],
    async (kit) => {
      const taken = withoutOwner(await newAccount(kit, (await newUser(kit)).id))
      const draft = draftUser(kit)
      await refuses(() => kit.adapter.createUserWithAccount(draft, taken), "createUserWithAccount")
      absent(await kit.adapter.getUserByEmail(draft.email), "the user that was refused")
    },
  ],
  "createUserWithAccount stores the authenticator of the account with them": [
    ["createUserWithAccount", "getAuthenticator"],
    async (kit) => {
      const { userId: _, ...authenticator } = draftAuthenticator(kit, "")
      const { credentialID, providerAccountId } = authenticator
      const account = withoutOwner(draftAccount(kit, "", { type: "webauthn", providerAccountId }))
      const created = await kit.adapter.createUserWithAccount(draftUser(kit), account, authenticator)
      const found = present(await kit.adapter.getAuthenticator(credentialID), "getAuthenticator")
      sameId(found.userId, created.id, "the owner")
    },
  ],
  "createUserWithAccount of a taken authenticator leaves no user behind": [
    ["createUser", "createAuthenticator", "createUserWithAccount", "getUserByEmail", "getUserByAccount"],
    async (kit) => {
      const { userId: _, ...taken } = await newAuthenticator(kit, (await newUser(kit)).id)
      const { providerAccountId } = taken
      const account = withoutOwner(draftAccount(kit, "", { type: "webauthn", providerAccountId }))
      const draft = draftUser(kit)
      await refuses(() => kit.adapter.createUserWithAccount(draft, account, taken), "createUserWithAccount")
      absent(await kit.adapter.getUserByEmail(draft.email), "the user that was refused")
      absent(await kit.adapter.getUserByAccount(accountKey(account)), "the account that was refused")
    },
  ],
  "listAccountsByUserId answers none, one or many": [
    ["createUser", "linkAccount", "listAccountsByUserId"],
    async (kit) => {
      const [user, bystander] = [await newUser(kit), await newUser(kit)]
      await newAccount(kit, bystander.id)
      const linked: AdapterAccount[] = []
      for (const count of [0, 1, 2, 3]) {
        const listed = await kit.adapter.listAccountsByUserId(user.id)
        const ids = listed.map(({ providerAccountId }) => providerAccountId).sort()
        same(JSON.stringify(ids), JSON.stringify(linked.map((it) => it.providerAccountId).sort()), `${count} accounts`)
        for (const row of listed) holds(row, { provider: "example", type: "oauth" }, "a listed account")
        linked.push(await newAccount(kit, user.id))
      }
    },
  ],
  "updateAccount replaces tokens and keeps the rest": [
    ["createUser", "linkAccount", "updateAccount", "getAccount"],
    async (kit) => {
      const user = await newUser(kit)
      const account = await newAccount(kit, user.id, accountTokens)
      const { provider, providerAccountId } = account
      await kit.adapter.updateAccount({ provider, providerAccountId, access_token: "new", expires_at: 4_102_448_400 })
      const found = present(await kit.adapter.getAccount(providerAccountId, provider), "getAccount")
      holds(found, { ...account, access_token: "new", expires_at: 4_102_448_400 }, "getAccount")
    },
  ],
  "updateAccount of an unknown account makes none": [
    ["updateAccount", "getAccount"],
    async (kit) => {
      const key = { provider: "example", providerAccountId: kit.fresh("nobody") }
      await Promise.allSettled([(async () => kit.adapter.updateAccount({ ...key, access_token: "new" }))()])
      absent(await kit.adapter.getAccount(key.providerAccountId, key.provider), "getAccount")
    },
  ],
})
