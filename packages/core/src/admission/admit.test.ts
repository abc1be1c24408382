import { describe, expect, it } from "vitest"
import { ada, adapterOf, admitting } from "../../test/support/admitting.js"
import { noon } from "../../test/support/facts.js"
import { account } from "../../test/support/proofs.js"
import type { Proof } from "../methods/method.js"
import { credentialsPolicy, emailPolicy, passkeyPolicy } from "../methods/policy.js"
import { accountDigest } from "../sessions/current-session.js"
import type { Facts } from "./facts.js"

const authenticator = { credentialID: "c", counter: 0 } as never
const passkey: Partial<Proof> = { policy: passkeyPolicy, authenticator }
const down = () => Promise.reject(new Error("down"))
const oneStep = { createUserWithAccount: async (user: object) => ({ ...user, id: "made" }) }
const inTransaction = { transaction: async () => {} }

describe("who is refused", () => {
  it.each([
    [{}, { isOtherVisitor: true }, "OAuthAccountNotLinked"],
    [passkey, { isOtherVisitor: true }, "AccountNotLinked"],
    [{}, { isLookAlike: true }, "AccessDenied"],
    [{}, { currentUser: ada, isStale: true }, "ReauthenticationRequired"],
  ] as const)("with %j and %j fails with %s, and nothing is written", async (given, known, type) => {
    const { calls } = await admitting(given, known)
    expect(await calls()).toEqual({ failed: expect.objectContaining({ type, cause: { provider: "acme" } }) })
  })

  const grace = { ...ada, id: "grace" }
  const currentSession = { user: ada, session: undefined, unprovenAccount: "digest" }
  it.each<[string, Partial<Facts>, Partial<Proof>, RegExp]>([
    ["the session began at an unproven address", { currentUser: ada, currentSession }, {}, /not proven/],
    ["the session may have begun at one", { currentUser: ada, mayBeUnproven: true }, {}, /not proven/],
    [
      "somebody else has the account, whatever the session began with",
      { currentUser: ada, currentSession, accountOwner: grace },
      {},
      /belongs to another user/,
    ],
    ["somebody else has the address", { emailOwner: ada }, {}, /belongs to another user/],
    [
      "the account of the passkey is gone",
      { currentUser: ada },
      { policy: passkeyPolicy, counter: { credentialID: "c", value: 1 } },
      /belongs to another user/,
    ],
  ])("reads what to do about it: %s", async (_, known, given, message) => {
    const { calls } = await admitting(given, known)
    expect(await calls()).toEqual({ failed: expect.objectContaining({ message: expect.stringMatching(message) }) })
  })
})

describe("who enters", () => {
  it("as the owner of the account keeps what the provider handed out, and is not new", async () => {
    const adapter = adapterOf({ updateAccount: async () => {} })
    const stored = { ...account, access_token: "token" }
    const { admitted, calls, proof } = await admitting(
      { stored, profile: { sub: "1" } },
      { accountOwner: ada },
      adapter,
    )
    const unprovenAccount = await accountDigest(account)
    expect(await admitted).toEqual({
      login: { user: ada, account: proof.account, isNew: false, profile: { sub: "1" }, unprovenAccount },
      events: [],
    })
    const { provider, providerAccountId } = account
    expect(await calls()).toEqual({ updateAccount: [[{ access_token: "token", provider, providerAccountId }]] })
  })

  it("without a store writes nothing, and may be new", async () => {
    const { admitted, calls, proof } = await admitting({ answered: ada }, { hasStore: false })
    const { user, account } = proof
    expect(await admitted).toEqual({ login: { user, account, isNew: undefined, answered: ada }, events: [] })
    expect(await calls()).toEqual({})
  })

  it("as what the application answered writes nothing", async () => {
    const { admitted, calls } = await admitting({ policy: credentialsPolicy, stored: undefined })
    expect(await admitted).toMatchObject({ login: { isNew: false }, events: [] })
    expect(await calls()).toEqual({})
  })

  it("by mail has proven the address, which ends what was there before and becomes an account", async () => {
    const mailed = { ...account, provider: "mail", type: "email" as const, providerAccountId: "ada@app.test" }
    const adapter = adapterOf({ listAccountsByUserId: async () => [account], unlinkAccount: async () => {} })
    const given = { policy: emailPolicy, account: mailed, stored: mailed }
    const { admitted, calls } = await admitting(given, { emailOwner: ada }, adapter)
    const { login, events } = await admitted
    expect(login).toEqual({
      user: { ...ada, emailVerified: noon },
      account: { ...mailed, userId: "ada" },
      isNew: false,
    })
    expect(events.map(({ kind }) => kind)).toEqual(["updateUser", "linkAccount"])
    const { provider, providerAccountId } = account
    expect(await calls()).toMatchObject({
      unlinkAccount: [[{ provider, providerAccountId }]],
      updateUser: [[{ id: "ada", emailVerified: noon }]],
      linkAccount: [[{ ...mailed, userId: "ada" }]],
    })
  })
})

describe("whose account is new", () => {
  const listing = {
    listAccountsByUserId: async () => [{ ...account, provider: "gone" }],
    unlinkAccount: async () => {},
  }

  it.each([
    [false, { currentUser: ada }],
    [true, { emailOwner: ada }],
  ])("gets it linked; as the owner of the address, %j, others end", async (isOwner, known) => {
    const given = { mayLinkByEmail: true, emailStatus: "verified" as const }
    const { admitted, calls } = await admitting(given, known, adapterOf(listing))
    const { events, login } = await admitted
    expect(login).toMatchObject({ user: ada, isNew: false })
    expect(events.map(({ kind }) => kind)).toEqual(["linkAccount"])
    const { linkAccount, unlinkAccount } = (await calls()) as Record<string, unknown>
    expect(linkAccount).toEqual([[{ ...account, userId: "ada" }]])
    expect(unlinkAccount).toEqual(isOwner ? [[{ provider: "gone", providerAccountId: "1" }]] : undefined)
  })

  it("counts as added where the session of the user goes on, and not where it begins", async () => {
    const addsAccount = async (known: Partial<Facts>, given: Partial<Proof> = {}) =>
      (await (await admitting(given, known)).admitted).login.addsAccount
    expect(await addsAccount({ currentUser: ada })).toBe(true)
    expect(await addsAccount({ currentUser: ada, accountOwner: ada })).toBeUndefined()
    expect(await addsAccount({ emailOwner: { ...ada, emailVerified: noon } }, { mayLinkByEmail: true })).toBeUndefined()
  })

  it("is not announced where another request has just linked it, or nothing is stored", async () => {
    const taken = adapterOf({ linkAccount: down, getUserByAccount: async () => ada })
    expect((await (await admitting({}, { currentUser: ada }, taken)).admitted).events).toEqual([])
    const { admitted, calls } = await admitting({ stored: undefined }, { currentUser: ada })
    expect([(await admitted).events, await calls()]).toEqual([[], {}])
  })
})

describe("who is new", () => {
  const user = { id: "candidate", name: "Ada", email: "new@op.test", emailVerified: null }

  it("is stored together with the account where the adapter can, and else before it", async () => {
    const together = await admitting({}, {}, adapterOf(oneStep))
    const { login, events } = await together.admitted
    expect(login).toMatchObject({ user: { id: "made", name: "Ada" }, isNew: true })
    expect(events).toMatchObject([
      { kind: "createUser", message: { user: { id: "made" } } },
      { kind: "linkAccount", message: { account: { ...account, userId: "made" } } },
    ])
    expect(await together.calls()).toEqual({ createUserWithAccount: [[user, account, undefined]] })
    for (const more of [{}, { ...oneStep, ...inTransaction }]) {
      const apart = await admitting({}, {}, adapterOf(more))
      expect((await apart.admitted).events).toMatchObject([
        { kind: "createUser", message: { user: { id: "made" } } },
        { kind: "linkAccount", message: { user: { id: "made" } } },
      ])
      expect(await apart.calls()).toEqual({ createUser: [[user]], linkAccount: [[{ ...account, userId: "made" }]] })
    }
  })

  it("has proven the address only by mail, and keeps none that is unverified", async () => {
    const byMail = await admitting({ policy: emailPolicy }, {}, adapterOf(oneStep))
    expect(await byMail.calls()).toMatchObject({ createUser: [[{ ...user, emailVerified: noon }]] })
    const unverified = await admitting({ emailStatus: "unverified" })
    expect(await unverified.calls()).toMatchObject({ createUser: [[{ ...user, email: null }]] })
    expect((await unverified.admitted).login.user.email).toBe("new@op.test")
    const without = await admitting({ user: { id: "candidate" } })
    expect(await without.calls()).toMatchObject({ createUser: [[{ id: "candidate", email: null }]] })
  })

  it.each([
    ["the account", {}, { linkAccount: down }],
    ["the passkey", passkey, { createAuthenticator: down }],
  ])("is removed again where %s cannot be stored, unless a transaction does that", async (_, given, failing) => {
    const { calls, error } = await admitting(given, {}, adapterOf(failing))
    expect(await calls()).toMatchObject({ failed: { type: "AdapterError" }, deleteUser: [["made"]] })
    expect(error).not.toHaveBeenCalled()
    const kept = await admitting(given, {}, adapterOf({ ...failing, ...inTransaction }))
    expect(await kept.calls()).not.toHaveProperty("deleteUser")
    const stuck = await admitting(given, {}, adapterOf({ ...failing, deleteUser: down }))
    expect(await stuck.calls()).toMatchObject({ failed: { cause: { operation: Object.keys(failing)[0] } } })
    expect(stuck.error).toHaveBeenCalledOnce()
  })

  it.each<[string, boolean, Record<string, () => unknown>]>([
    ["the owner has proven the address", true, { getUser: async () => ({ id: "made", emailVerified: noon }) }],
    ["nobody has proven it", false, { getUser: async () => ({ id: "made", emailVerified: null }) }],
    ["the user is gone", false, { getUser: async () => null }],
    ["somebody has linked an account", true, { listAccountsByUserId: async () => [{ ...account, provider: "op" }] }],
    [
      "somebody has linked another account",
      true,
      { listAccountsByUserId: async () => [account, { ...account, providerAccountId: "2" }] },
    ],
    [
      "the account is their own, its id a number",
      false,
      { listAccountsByUserId: async () => [{ ...account, providerAccountId: Number(account.providerAccountId) }] },
    ],
    ["the account is their own", false, { listAccountsByUserId: async () => [account] }],
    ["that cannot be asked", true, { getUser: down }],
  ])("is removed unless it is somebody's by then: %s", async (_, stays, operations) => {
    const adapter = adapterOf({ linkAccount: down, unlinkAccount: async () => {}, ...operations })
    const { calls } = await admitting({}, {}, adapter)
    const made = await calls()
    expect(made["failed"]).toMatchObject({ type: "AdapterError" })
    expect("deleteUser" in made).toBe(!stays)
  })

  it("by mail is removed, though the address counts as proven from the start", async () => {
    const adapter = adapterOf({
      createUser: async (user: object) => ({ ...user, id: "made" }),
      linkAccount: down,
      getUser: async () => ({ id: "made", emailVerified: noon }),
    })
    const { calls } = await admitting({ policy: emailPolicy }, {}, adapter)
    expect(await calls()).toHaveProperty("deleteUser")
  })

  it("is all that is removed: a user who was there stays", async () => {
    const { calls } = await admitting(passkey, { currentUser: ada }, adapterOf({ createAuthenticator: down }))
    expect(await calls()).not.toHaveProperty("deleteUser")
  })
})

describe("a passkey", () => {
  it("is stored for its user, once, and callbacks see whose it is", async () => {
    const { admitted, calls, proof } = await admitting(passkey, { currentUser: ada })
    expect(await calls()).toMatchObject({ createAuthenticator: [[{ credentialID: "c", counter: 0, userId: "ada" }]] })
    expect((await admitted).login.account).toEqual({ ...proof.account, userId: "ada" })
    const known = adapterOf({ ...oneStep, getAuthenticator: async () => ({ credentialID: "c" }) })
    expect(await (await admitting(passkey, {}, known)).calls()).not.toHaveProperty("createAuthenticator")
    const apart = adapterOf({ getAuthenticator: async () => ({ credentialID: "c" }) })
    expect(await (await admitting(passkey, {}, apart)).calls()).toHaveProperty("createAuthenticator")
    const added = await admitting(passkey, { currentUser: ada }, known)
    expect(await added.calls()).toHaveProperty("createAuthenticator")
  })

  it.each([
    [5, 4, true],
    [5, 5, false],
    [4, 5, false],
    [5, "4", true],
    [0, 9, true],
    [5, undefined, true],
  ])("whose counter is %d after %s is accepted: %j", async (value, counter, isAccepted) => {
    const getAuthenticator = async () => (counter === undefined ? null : { credentialID: "c", counter })
    const given = { policy: passkeyPolicy, counter: { credentialID: "c", value } }
    const { calls } = await admitting(given, { accountOwner: ada }, adapterOf({ getAuthenticator }))
    const made = (await calls()) as Record<string, unknown>
    if (isAccepted) expect(made["updateAuthenticatorCounter"]).toEqual([["c", value]])
    else expect(made["failed"]).toMatchObject({ type: "WebAuthnVerificationError" })
    expect("updateAuthenticatorCounter" in made).toBe(isAccepted)
    expect("getAuthenticator" in made).toBe(value !== 0)
  })
})
