/** The rules of the specification about adapters, on both adapters that come with the project. */
import type { Adapter, AdapterAccount, AdapterAuthenticator, AdapterUser } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { beforeEach, describe, expect, it } from "vitest"
import type { RecordStore } from "../../src/types/records.js"

const verified = new Date("2026-01-02T03:04:05.678Z")
const expires = new Date("2099-01-02T03:04:05.678Z")

const ada: AdapterUser = {
  id: "user-1",
  name: "Ada",
  email: "ada@example.test",
  emailVerified: verified,
  image: "https://example.test/ada.png",
}
const key = { provider: "example", providerAccountId: "account-1" }
const account: AdapterAccount = {
  ...key,
  type: "oidc",
  userId: ada.id,
  access_token: "access",
  refresh_token: "refresh",
  id_token: "id",
  scope: "openid",
  expires_at: 4_102_444_800,
  token_type: "bearer",
  session_state: "state",
}
const session = { sessionToken: "session-1", userId: ada.id, expires }
const token = { identifier: ada.email, token: "hash-1", expires }
const authenticator: AdapterAuthenticator = {
  credentialID: "Y3JlZA==",
  credentialPublicKey: "a2V5",
  counter: 1,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false,
  transports: "usb,nfc",
  providerAccountId: "Y3JlZA==",
  userId: ada.id,
}

/** The operations the specification knows, and those on users and sessions that were added. */
type People = Required<Omit<Adapter, keyof RecordStore>>

const factories: [name: string, make: () => People][] = [
  ["memory", memoryAdapter],
  ["SQL", () => sqlAdapter({ filename: ":memory:" })],
]

describe.each(factories)("the %s adapter", (_, make) => {
  let adapter: People
  beforeEach(async () => {
    adapter = make()
    await adapter.createUser(ada)
  })

  it("creates, reads, changes and removes rows of all five kinds [spec service 4]", async () => {
    await adapter.linkAccount(account)
    await adapter.createSession(session)
    await adapter.createVerificationToken(token)
    await adapter.createAuthenticator(authenticator)
    await adapter.updateUser({ id: ada.id, name: "Countess" })
    expect(await adapter.getUserByAccount(key)).toMatchObject({ id: ada.id, name: "Countess" })
    await adapter.deleteUser(ada.id)
    expect(await adapter.getAccount("account-1", "example")).toBeNull()
    expect(await adapter.getSessionAndUser("session-1")).toBeNull()
    expect(await adapter.getAuthenticator("Y3JlZA==")).toBeNull()
    expect(await adapter.useVerificationToken(token)).toEqual(token)
  })

  it("createUser answers the user it stored [spec adapter createUser]", async () => {
    const user = { ...ada, id: "user-2", email: "bob@example.test" }
    expect(await adapter.createUser(user)).toEqual(user)
    expect(await adapter.getUser("user-2")).toEqual(user)
  })

  it("getUser answers the user or null [spec adapter getUser]", async () => {
    expect(await adapter.getUser("user-1")).toEqual(ada)
    expect(await adapter.getUser("user-2")).toBeNull()
  })

  it("keeps id, name, address and image of a user [spec adapter-user id] [spec adapter-user name] [spec adapter-user email] [spec adapter-user image]", async () => {
    const { id, name, email, image } = ada
    expect(await adapter.getUser("user-1")).toMatchObject({ id, name, email, image })
    await adapter.createUser({ id: "user-2", email: "", emailVerified: null })
    const bare = await adapter.getUser("user-2")
    expect([bare?.email, bare?.name ?? null, bare?.image ?? null]).toEqual(["", null, null])
  })

  it("keeps the date of the first sign-in by e-mail, or null [spec adapter-user emailVerified]", async () => {
    expect((await adapter.getUser("user-1"))?.emailVerified).toEqual(verified)
    await adapter.createUser({ ...ada, id: "user-2", email: "", emailVerified: null })
    expect((await adapter.getUser("user-2"))?.emailVerified).toBeNull()
  })

  it("getUserByEmail answers the user or null [spec adapter getUserByEmail]", async () => {
    expect(await adapter.getUserByEmail("ada@example.test")).toEqual(ada)
    expect(await adapter.getUserByEmail("Ada@example.test")).toBeNull()
  })

  it("getUserByAccount answers the owner or null [spec adapter getUserByAccount]", async () => {
    await adapter.linkAccount(account)
    expect(await adapter.getUserByAccount(key)).toEqual(ada)
    expect(await adapter.getUserByAccount({ ...key, provider: "other" })).toBeNull()
  })

  it("updateUser changes what is given and answers the user [spec adapter updateUser]", async () => {
    expect(await adapter.updateUser({ id: "user-1", name: "Countess" })).toEqual({ ...ada, name: "Countess" })
  })

  it("deleteUser removes the user [spec adapter deleteUser]", async () => {
    await adapter.deleteUser("user-1")
    expect(await adapter.getUser("user-1")).toBeNull()
    expect(await adapter.deleteUser("user-1")).toBeNull()
  })

  it("linkAccount gives the account to the user, once [spec adapter linkAccount]", async () => {
    await adapter.linkAccount(account)
    expect((await adapter.getUserByAccount(key))?.id).toBe("user-1")
    await expect(adapter.linkAccount(account)).rejects.toThrow()
  })

  it("keeps every member of an account [spec account provider] [spec account providerAccountId] [spec account userId] [spec account access_token] [spec account refresh_token] [spec account id_token] [spec account scope]", async () => {
    await adapter.linkAccount(account)
    expect(await adapter.getAccount("account-1", "example")).toMatchObject(account)
  })

  it.each(["oauth", "oidc", "email", "webauthn"] as const)(
    "keeps accounts of type %s [spec account type]",
    async (type) => {
      await adapter.linkAccount({ ...account, type })
      expect(await adapter.getAccount("account-1", "example")).toMatchObject({ type })
    },
  )

  it("keeps session_state with the stored account [spec account session_state]", async () => {
    await adapter.linkAccount(account)
    expect(await adapter.getAccount("account-1", "example")).toMatchObject({ session_state: "state" })
  })

  it("has the accounts and the sessions of a user, who leads to all and ends with them [spec adapter-user stored] [spec account stored] [spec adapter-session stored]", async () => {
    const second = { ...account, provider: "other" }
    await adapter.createUser({ ...ada, id: "user-2", email: "", emailVerified: null })
    expect(await adapter.getUser("user-2")).toMatchObject({ email: "", emailVerified: null })
    for (const one of [account, second]) await adapter.linkAccount(one)
    await adapter.linkAccount({ ...account, providerAccountId: "account-2", userId: "user-2" })
    for (const sessionToken of ["session-1", "session-2"]) await adapter.createSession({ ...session, sessionToken })
    for (const provider of ["example", "other"])
      expect(await adapter.getUserByAccount({ ...key, provider })).toMatchObject({ id: ada.id })
    for (const sessionToken of ["session-1", "session-2"])
      expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ session: { sessionToken }, user: ada })
    await adapter.deleteUser(ada.id)
    for (const provider of ["example", "other"]) expect(await adapter.getAccount("account-1", provider)).toBeNull()
    for (const sessionToken of ["session-1", "session-2"])
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    expect(await adapter.getUserByAccount({ ...key, providerAccountId: "account-2" })).toMatchObject({ id: "user-2" })
  })

  it("unlinkAccount takes the account away [spec adapter unlinkAccount]", async () => {
    await adapter.linkAccount(account)
    await adapter.linkAccount({ ...account, provider: "other" })
    await adapter.unlinkAccount(key)
    expect(await adapter.getAccount("account-1", "example")).toBeNull()
    expect(await adapter.getAccount("account-1", "other")).not.toBeNull()
  })

  it("getAccount answers the account or null [spec adapter getAccount]", async () => {
    await adapter.linkAccount(account)
    expect(await adapter.getAccount("account-1", "example")).toMatchObject(account)
    expect(await adapter.getAccount("example", "account-1")).toBeNull()
  })

  it("createSession answers the session [spec adapter createSession]", async () => {
    expect(await adapter.createSession(session)).toMatchObject(session)
  })

  it("getSessionAndUser answers both at once or null [spec adapter getSessionAndUser]", async () => {
    await adapter.createSession(session)
    expect(await adapter.getSessionAndUser("session-1")).toMatchObject({ session, user: ada })
    expect(await adapter.getSessionAndUser("session-2")).toBeNull()
  })

  it("keeps token, owner and end of a session [spec adapter-session sessionToken] [spec adapter-session userId] [spec adapter-session expires]", async () => {
    await adapter.createSession(session)
    expect((await adapter.getSessionAndUser("session-1"))?.session).toMatchObject(session)
  })

  it("updateSession moves the end and answers the session or null [spec adapter updateSession]", {
    tags: ["threat:RC-11"],
  }, async () => {
    await adapter.createSession(session)
    const later = new Date("2099-02-03T04:05:06.789Z")
    const answer = await adapter.updateSession({ sessionToken: "session-1", expires: later })
    expect(answer).toMatchObject({ ...session, expires: later })
    expect(await adapter.updateSession({ sessionToken: "session-2", expires: later })).toBeNull()
  })

  it("deleteSession ends the session and answers it [spec adapter deleteSession]", async () => {
    await adapter.createSession(session)
    expect(await adapter.deleteSession("session-1")).toMatchObject(session)
    expect(await adapter.getSessionAndUser("session-1")).toBeNull()
    expect(await adapter.deleteSession("session-1")).toBeNull()
  })

  it("createVerificationToken keeps the token [spec adapter createVerificationToken]", async () => {
    expect(await adapter.createVerificationToken(token)).toEqual(token)
  })

  it("useVerificationToken answers the token once [spec adapter useVerificationToken]", {
    tags: ["threat:A-009", "threat:A-010"],
  }, async () => {
    await adapter.createVerificationToken(token)
    const { identifier } = token
    expect(await adapter.useVerificationToken({ identifier, token: "hash-2" })).toBeNull()
    expect(await adapter.useVerificationToken({ identifier: "bob@example.test", token: "hash-1" })).toBeNull()
    expect(await adapter.useVerificationToken({ identifier, token: "hash-1" })).toEqual(token)
    expect(await adapter.useVerificationToken({ identifier, token: "hash-1" })).toBeNull()
  })

  it("createAuthenticator answers the authenticator, and throws on failure [spec adapter createAuthenticator] [spec errors 4]", async () => {
    expect(await adapter.createAuthenticator(authenticator)).toEqual(authenticator)
    await expect(adapter.createAuthenticator(authenticator)).rejects.toThrow()
  })

  it("getAuthenticator answers the authenticator or null [spec adapter getAuthenticator] [spec authenticator userId]", async () => {
    await adapter.createAuthenticator(authenticator)
    expect(await adapter.getAuthenticator("Y3JlZA==")).toEqual(authenticator)
    expect(await adapter.getAuthenticator("y3jlza==")).toBeNull()
  })

  it("listAuthenticatorsByUserId answers a list, empty for an unknown user [spec adapter listAuthenticatorsByUserId]", async () => {
    await adapter.createAuthenticator(authenticator)
    expect(await adapter.listAuthenticatorsByUserId("user-1")).toEqual([authenticator])
    expect(await adapter.listAuthenticatorsByUserId("user-2")).toEqual([])
  })

  it("updateAuthenticatorCounter answers the authenticator, and throws on failure [spec adapter updateAuthenticatorCounter] [spec errors 4]", async () => {
    await adapter.createAuthenticator(authenticator)
    expect(await adapter.updateAuthenticatorCounter("Y3JlZA==", 2)).toEqual({ ...authenticator, counter: 2 })
    expect(await adapter.getAuthenticator("Y3JlZA==")).toMatchObject({ counter: 2 })
    await expect(adapter.updateAuthenticatorCounter("unknown", 2)).rejects.toThrow()
  })
})

describe("a database that fails", () => {
  it("makes the operations on authenticators throw [spec errors 4] [spec adapter listAuthenticatorsByUserId]", async () => {
    const adapter = sqlAdapter({ filename: ":memory:" })
    await adapter.close()
    await expect(adapter.createAuthenticator(authenticator)).rejects.toThrow()
    await expect(adapter.updateAuthenticatorCounter("Y3JlZA==", 2)).rejects.toThrow()
    await expect(adapter.listAuthenticatorsByUserId("user-1")).rejects.toThrow()
  })
})
