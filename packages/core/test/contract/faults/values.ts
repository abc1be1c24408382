/** What can be wrong with values: lost, cut, folded, taken for others. */
import type { AdapterAccount } from "../../../src/types/adapter.js"
import { type Fault, faulty, type TotalAdapter } from "./fault.js"

type Change = (text: string) => string
const trim: Change = (text) => text.trim()
const fold: Change = (text) => text.toLowerCase()

/** Account ids changed when stored and, if wanted, when asked for. */
function accountIds(good: TotalAdapter, stored: Change, asked: Change = stored): Partial<TotalAdapter> {
  return {
    linkAccount: (account) =>
      good.linkAccount({ ...account, providerAccountId: stored(account.providerAccountId) } as AdapterAccount),
    getUserByAccount: (key) => good.getUserByAccount({ ...key, providerAccountId: asked(key.providerAccountId) }),
    getAccount: (id, provider) => good.getAccount(asked(id), provider),
    unlinkAccount: (key) => good.unlinkAccount({ ...key, providerAccountId: asked(key.providerAccountId) }),
  }
}

/** Session tokens changed when stored and when asked for. */
function sessionTokens(good: TotalAdapter, change: Change): Partial<TotalAdapter> {
  return {
    createSession: (session) => good.createSession({ ...session, sessionToken: change(session.sessionToken) }),
    getSessionAndUser: (token) => good.getSessionAndUser(change(token)),
    deleteSession: (token) => good.deleteSession(change(token)),
  }
}

const cutAtZero: Change = (text) => text.split("\u0000")[0] ?? ""
const repaired: Change = (text) => text.replaceAll(/\p{Surrogate}/gu, "\ufffd")

export const valueFaults: readonly Fault[] = [
  faulty("doubles quotes", ["names and images hold any text"], (good) => ({
    createUser: (user) => good.createUser({ ...user, name: user.name?.replaceAll("'", "''") ?? null }),
  })),
  faulty("composes addresses when it stores them", ["addresses hold any text"], (good) => ({
    createUser: (user) => good.createUser({ ...user, email: user.email.normalize("NFC") }),
  })),
  faulty("trims account ids when it stores them", ["account ids and tokens hold any text"], (good) =>
    accountIds(good, trim, (text) => text),
  ),
  faulty("trims session tokens when it answers", ["session tokens hold any text"], (good) => ({
    async getSessionAndUser(token) {
      const found = await good.getSessionAndUser(token)
      return found && { ...found, session: { ...found.session, sessionToken: trim(found.session.sessionToken) } }
    },
  })),
  faulty("trims verification tokens", ["verification tokens hold any text"], (good) => ({
    createVerificationToken: (row) => good.createVerificationToken({ ...row, token: trim(row.token) }),
  })),
  faulty("trims credential ids", ["authenticators hold any text"], (good) => ({
    createAuthenticator: (row) => good.createAuthenticator({ ...row, credentialID: trim(row.credentialID) }),
  })),
  faulty("cuts texts at 255 characters", ["long values are kept whole"], (good) => ({
    createUser: (user) => good.createUser({ ...user, image: user.image?.slice(0, 255) ?? null }),
  })),
  faulty("cuts keys at 255 characters", ["a long key is kept whole or refused, never cut"], (good) =>
    accountIds(good, (text) => text.slice(0, 255)),
  ),
  faulty("ends texts at a zero byte", ["what cannot be stored is refused, never mistaken"], (good) => ({
    ...accountIds(good, cutAtZero),
  })),
  faulty("ends session tokens at a zero byte", ["what cannot be stored is refused, never mistaken"], (good) => ({
    ...sessionTokens(good, cutAtZero),
  })),
  faulty("repairs broken Unicode", ["what cannot be stored is refused, never mistaken"], (good) =>
    accountIds(good, repaired),
  ),
  ...[":", "/", ",", '","'].map((glue) =>
    faulty(`joins keys by ${glue}`, ["accounts are distinguished by two values, not by one joined string"], (good) => ({
      linkAccount: (account) =>
        good.linkAccount({
          ...account,
          provider: "",
          providerAccountId: account.provider + glue + account.providerAccountId,
        } as AdapterAccount),
      getUserByAccount: (key) =>
        good.getUserByAccount({ provider: "", providerAccountId: key.provider + glue + key.providerAccountId }),
    })),
  ),
  faulty(
    "joins address and token by a colon",
    ["verification tokens are distinguished by two values, not by one joined string"],
    (good) => ({
      createVerificationToken: (row) =>
        good.createVerificationToken({ ...row, identifier: "", token: `${row.identifier}:${row.token}` }),
      useVerificationToken: (key) =>
        good.useVerificationToken({ identifier: "", token: `${key.identifier}:${key.token}` }),
    }),
  ),
  faulty("answers empty texts for null", ["members may be null or missing"], (good) => ({
    async getUser(id) {
      const user = await good.getUser(id)
      return user && { ...user, name: user.name ?? "" }
    },
  })),
  faulty("leaves members alone that become null", ["updateUser can empty a member"], (good) => ({
    updateUser: (patch) =>
      good.updateUser({
        ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null)),
        id: patch.id,
      }),
  })),
]

export const exactnessFaults: readonly Fault[] = [
  faulty("compares addresses without case", ["getUserByEmail compares exactly"], (good) => ({
    getUserByEmail: (email) => good.getUserByEmail(fold(email)),
  })),
  faulty(
    "compares account ids without case",
    [
      "getUserByAccount compares account ids exactly",
      "getAccount compares exactly",
      "account ids that look alike are different accounts",
      "unlinkAccount compares exactly",
    ],
    (good) => accountIds(good, fold),
  ),
  faulty("pads account ids", ["getUserByAccount compares account ids exactly"], (good) =>
    accountIds(good, (text) => text.trimEnd()),
  ),
  faulty("compares account ids as numbers", ["getUserByAccount compares account ids exactly"], (good) =>
    accountIds(good, (text) => text.replace(/-(\d+)(\d{16})$/, (_, run, digits) => `-${run}${Number(digits)}`)),
  ),
  faulty("ignores accents in account ids", ["account ids that look alike are different accounts"], (good) =>
    accountIds(good, (text) => text.normalize("NFKD").replaceAll(/\p{Mark}/gu, "")),
  ),
  faulty("compares providers without case", ["getUserByAccount compares providers exactly"], (good) => ({
    linkAccount: (account) => good.linkAccount({ ...account, provider: fold(account.provider) } as AdapterAccount),
    getUserByAccount: (key) => good.getUserByAccount({ ...key, provider: fold(key.provider) }),
  })),
  faulty(
    "compares session tokens without case",
    ["getSessionAndUser compares exactly", "deleteSession compares exactly"],
    (good) => sessionTokens(good, fold),
  ),
  faulty("takes a session token for a pattern", ["getSessionAndUser compares exactly"], (good) => {
    const tokens: string[] = []
    return {
      createSession(session) {
        tokens.push(session.sessionToken)
        return good.createSession(session)
      },
      async getSessionAndUser(asked) {
        const pattern = new RegExp(`^${asked.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("%", ".*")}$`)
        const match = tokens.find((token) => pattern.test(token))
        return match === undefined ? null : await good.getSessionAndUser(match)
      },
    }
  }),
  faulty("compares verification tokens without case", ["useVerificationToken compares tokens exactly"], (good) => ({
    createVerificationToken: (row) => good.createVerificationToken({ ...row, token: fold(row.token) }),
    useVerificationToken: (key) => good.useVerificationToken({ ...key, token: fold(key.token) }),
  })),
  faulty("compares identifiers without case", ["useVerificationToken compares addresses exactly"], (good) => ({
    createVerificationToken: (row) => good.createVerificationToken({ ...row, identifier: fold(row.identifier) }),
    useVerificationToken: (key) => good.useVerificationToken({ ...key, identifier: fold(key.identifier) }),
  })),
  faulty(
    "compares credential ids without case",
    ["getAuthenticator compares exactly", "updateAuthenticatorCounter compares exactly"],
    (good) => ({
      createAuthenticator: (row) => good.createAuthenticator({ ...row, credentialID: fold(row.credentialID) }),
      getAuthenticator: (id) => good.getAuthenticator(fold(id)),
      updateAuthenticatorCounter: (id, counter) => good.updateAuthenticatorCounter(fold(id), counter),
    }),
  ),
  faulty(
    "takes a list for the text it holds",
    ["a list or an object in place of a string finds nothing and removes nothing"],
    (good) => ({
      useVerificationToken: ({ identifier, token }) => good.useVerificationToken({ identifier, token: String(token) }),
    }),
  ),
  faulty("takes an empty value for any value", ["an empty value finds nobody"], (good) => {
    let newest = { provider: "", providerAccountId: "" }
    return {
      linkAccount(account) {
        newest = account
        return good.linkAccount(account)
      },
      getUserByAccount: (key) => good.getUserByAccount(key.providerAccountId === "" ? newest : key),
    }
  }),
]
