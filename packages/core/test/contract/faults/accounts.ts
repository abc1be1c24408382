/** What can be wrong with operations on accounts. */
import type { AdapterUser } from "../../../src/types/identity.js"
import { type Fault, faulty } from "./fault.js"

export const accountFaults: readonly Fault[] = [
  faulty(
    "answers the owner of the newest account",
    ["getUserByAccount finds the owner of a linked account", "one account id at two providers is two accounts"],
    (good) => {
      let newest = ""
      return {
        linkAccount(account) {
          newest = account.userId
          return good.linkAccount(account)
        },
        getUserByAccount: () => good.getUser(newest),
      }
    },
  ),
  faulty("invents an owner", ["getUserByAccount answers null for an unknown account"], () => ({
    getUserByAccount: () => ({ id: "nobody", email: "", emailVerified: null }),
  })),
  faulty(
    "forgets tokens",
    ["getAccount answers an account with its tokens", "updateAccount replaces tokens and keeps the rest"],
    (good) => ({
      linkAccount: ({ refresh_token: _, ...account }) => good.linkAccount(account as never),
    }),
  ),
  faulty("keeps values as text", ["session_state of any JSON value comes back as it went in"], (good) => ({
    linkAccount: (account) =>
      good.linkAccount({ ...account, session_state: JSON.stringify(account["session_state"]) } as never),
  })),
  faulty("answers an empty account", ["getAccount answers null for an unknown account"], (good) => ({
    getAccount: async (id, provider) => (await good.getAccount(id, provider)) ?? ({} as never),
  })),
  faulty(
    "moves a taken account to whoever links it last",
    [
      "linkAccount refuses an account that another user has",
      "linkAccount refuses an account that the same user has",
      "createUserWithAccount of a taken account leaves no user behind",
    ],
    (good) => ({
      async linkAccount(account) {
        await good.unlinkAccount(account)
        return good.linkAccount(account)
      },
      async createUserWithAccount(user, account) {
        const stored = await good.createUser(user)
        await good.unlinkAccount(account as never)
        await good.linkAccount({ ...account, userId: stored.id } as never)
        return stored
      },
    }),
  ),
  faulty("keeps one account for each user", ["one user may have several accounts"], (good) => {
    const owned = new Map<string, { provider: string; providerAccountId: string }>()
    return {
      async linkAccount(account) {
        const before = owned.get(account.userId)
        if (before) await good.unlinkAccount(before)
        owned.set(account.userId, account)
        return good.linkAccount(account)
      },
    }
  }),
  faulty("unlinks every account of the owner", ["unlinkAccount removes that account and no other"], (good) => {
    const linked: { provider: string; providerAccountId: string }[] = []
    return {
      linkAccount(account) {
        linked.push(account)
        return good.linkAccount(account)
      },
      async unlinkAccount() {
        for (const key of linked) await good.unlinkAccount(key)
      },
    }
  }),
  faulty("lists the accounts of everybody", ["listAccountsByUserId answers none, one or many"], (good) => {
    const owners = new Set<string>()
    return {
      linkAccount(account) {
        owners.add(account.userId)
        return good.linkAccount(account)
      },
      listAccountsByUserId: async () =>
        (await Promise.all([...owners].map((id) => good.listAccountsByUserId(id)))).flat(),
    }
  }),
  faulty(
    "leaves the authenticator of a new user out",
    [
      "createUserWithAccount stores the authenticator of the account with them",
      "createUserWithAccount of a taken authenticator leaves no user behind",
    ],
    (good) => ({ createUserWithAccount: (user, account) => good.createUserWithAccount(user, account) }),
  ),
  faulty("never frees an account", ["an unlinked account can be linked to another user"], (good) => {
    const seen = new Set<string>()
    return {
      linkAccount(account) {
        const key = JSON.stringify([account.provider, account.providerAccountId])
        if (seen.has(key)) throw new Error("taken")
        seen.add(key)
        return good.linkAccount(account)
      },
    }
  }),
  faulty(
    "stores the user and forgets the account",
    ["createUserWithAccount stores a user and its account"],
    (good) => ({
      createUserWithAccount: (user) => good.createUser(user),
    }),
  ),
  faulty(
    "stores the user first and leaves it when the account is refused",
    [
      "createUserWithAccount of a taken account leaves no user behind",
      "of many who create one user with one account at once, one does",
    ],
    (good) => ({
      async createUserWithAccount(user, account): Promise<AdapterUser> {
        const stored = await good.createUser(user)
        await good.linkAccount({ ...account, userId: stored.id } as never)
        return stored
      },
    }),
  ),
  faulty("forgets the tokens it does not replace", ["updateAccount replaces tokens and keeps the rest"], (good) => ({
    updateAccount: (patch) => good.updateAccount({ refresh_token: "", ...patch } as never),
  })),
  faulty(
    "creates the account that an update does not find",
    ["updateAccount of an unknown account makes none"],
    (good) => ({
      async updateAccount(patch) {
        const owner = await good.createUser({ id: "", email: "", emailVerified: null })
        await good.linkAccount({ type: "oauth", userId: owner.id, ...patch } as never)
        return null
      },
    }),
  ),
]
