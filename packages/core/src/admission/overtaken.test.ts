import { describe, expect, it, vi } from "vitest"
import { contextOf, noon } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { account, proofFor, provider } from "../../test/support/proofs.js"
import type { CookieChange } from "../http/result.js"
import { passkeyPolicy } from "../methods/policy.js"
import { Passkey } from "../providers/passkey.js"
import { accountDigest } from "../sessions/current-session.js"
import type { AuthConfig } from "../types/config.js"
import type { AdapterUser } from "../types/identity.js"
import type { Admission } from "./admit.js"
import type { Facts } from "./facts.js"
import { expectNotOvertaken, mayBeOvertaken } from "./overtaken.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const proven = { ...ada, emailVerified: noon }
const passkey = { provider: "passkey", providerAccountId: "c", type: "webauthn" as const }
const proofOf = proofFor({ id: "candidate" })
const digest = await accountDigest(account)

const rows: Partial<AuthConfig> = {
  session: { strategy: "database" },
  experimental: { enableWebAuthn: true },
  providers: [mailProvider(() => {}), provider("acme"), Passkey({})],
}

/** A store that says this of the user now; what is taken away is watched. */
async function around(
  config: Partial<AuthConfig> = rows,
  now: { user?: AdapterUser | null; accounts?: object[] } = {},
) {
  const taken = { unlinkAccount: vi.fn(), deleteSession: vi.fn() }
  const adapter = {
    getUser: async () => (now.user === undefined ? ada : now.user),
    listAccountsByUserId: async () => now.accounts ?? [account, passkey],
    deleteSessionsByUserId: async () => 0,
    ...taken,
  }
  const given = { ...plainSettings, adapter: adapter as never, ...config }
  return { context: await contextOf("https://app.test/auth/session", { config: given }), ...taken }
}

const signingIn = (login: object = {}): Admission =>
  ({ login: { user: ada, account, isNew: false, ...login }, events: [] }) as unknown as Admission
const beginning = signingIn({ unprovenAccount: digest })
const registering = signingIn({ unprovenAccount: digest, isNew: true })
const adding = signingIn({ addsAccount: true })
const factsOf = (given: Partial<Facts> = {}): Facts => ({ proof: proofOf(), currentUser: null, ...given }) as Facts
const ofPasskey = factsOf({ proof: proofOf({ policy: passkeyPolicy, account: passkey }), currentUser: ada })
const cookies: readonly CookieChange[] = [
  { role: "csrfToken", value: "other" },
  { role: "state", clear: true },
  { role: "sessionToken", value: "row", expires: noon },
]
const session = { cookies, events: [] }

describe("the owner of an address may come unseen", () => {
  it.each<[string, Facts, Admission, Partial<AuthConfig>, boolean]>([
    ["while a passkey is added at it", ofPasskey, adding, rows, true],
    ["not once the address is proven", { ...ofPasskey, currentUser: proven }, adding, rows, false],
    ["not while an account is added that stays", factsOf({ currentUser: ada }), adding, rows, false],
    ["not while a known passkey signs in", ofPasskey, signingIn(), rows, false],
    ["while a row begins at it", factsOf(), beginning, rows, true],
    ["while a new user is made in steps", factsOf(), registering, rows, true],
    ["not while one is made that proves the address", factsOf(), signingIn({ isNew: true }), rows, false],
    [
      "not while one is made where no owner can come",
      factsOf(),
      registering,
      { ...rows, providers: [provider("acme")] },
      false,
    ],
    ["not of a session that proves it", factsOf(), signingIn(), rows, false],
    [
      "not of a cookie, which is asked when it is read",
      factsOf(),
      beginning,
      { ...rows, session: { strategy: "jwt" } },
      false,
    ],
    ["not where only mail proves it", factsOf(), beginning, { ...rows, providers: [mailProvider(() => {})] }, false],
  ])("%s", async (_, facts, admission, config, expected) => {
    expect(mayBeOvertaken((await around(config)).context, facts, admission)).toBe(expected)
  })

  it.each([{ transaction: async () => {} }, { getUser: undefined }, { unlinkAccount: undefined }])(
    "not while a new user is written at once, or where nobody could look: %j",
    async (operations) => {
      const adapter = { getUser: async () => ada, unlinkAccount: async () => {}, ...operations }
      const { context } = await around({ ...rows, adapter: adapter as never })
      expect(mayBeOvertaken(context, factsOf(), registering)).toBe(false)
    },
  )

  it("not where rows are not deleted with the others, and are asked when they are read", async () => {
    const config = { ...rows, adapter: { getUser: async () => ada } as never }
    expect(mayBeOvertaken((await around(config)).context, factsOf(), beginning)).toBe(false)
  })
})

describe("whoever was overtaken by the owner", () => {
  it("loses the passkey that was added meanwhile, and the session in a row", async () => {
    const { context, unlinkAccount, deleteSession } = await around(rows, { user: proven })
    const overtaken = expectNotOvertaken(context, ofPasskey, { admission: adding, session })
    await expect(overtaken).rejects.toMatchObject({ type: "AccountNotLinked" })
    expect(unlinkAccount.mock.calls).toEqual([[{ provider: "passkey", providerAccountId: "c" }]])
    expect(deleteSession.mock.calls).toEqual([["row"]])
  })

  it("loses the session, and no account, where that has gone already", async () => {
    const { context, unlinkAccount, deleteSession } = await around(rows, { accounts: [passkey] })
    const overtaken = expectNotOvertaken(context, factsOf(), { admission: beginning, session })
    await expect(overtaken).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
    expect(unlinkAccount).not.toHaveBeenCalled()
    expect(deleteSession.mock.calls).toEqual([["row"]])
  })

  it.each<[string, { user?: AdapterUser; accounts?: object[] }]>([
    ["has proven the address", { user: proven, accounts: [account] }],
    ["has taken away what was registered", { accounts: [] }],
    ["has brought an account", { accounts: [account, { ...account, providerAccountId: "theirs" }] }],
    ["has brought an account of another provider", { accounts: [account, { ...account, provider: "other" }] }],
  ])("loses what was registered, where the owner %s; the user stays, and is announced", async (_, now) => {
    const createUser = vi.fn()
    const linkAccount = vi.fn()
    const { context, unlinkAccount, deleteSession } = await around(
      { ...rows, events: { createUser, linkAccount } },
      now,
    )
    const events = [
      { kind: "createUser", message: { user: ada } },
      { kind: "linkAccount", message: { user: ada, account, profile: ada } },
    ]
    const admission = { ...registering, events } as unknown as Admission
    const overtaken = expectNotOvertaken(context, factsOf(), { admission, session })
    await expect(overtaken).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
    expect(unlinkAccount.mock.calls).toEqual([[{ provider: "acme", providerAccountId: account.providerAccountId }]])
    expect(deleteSession.mock.calls).toEqual([["row"]])
    expect([createUser.mock.calls, linkAccount.mock.calls]).toEqual([[[{ user: ada }]], []])
  })

  it("is announced, and gets the failure, where the store cannot be asked", async () => {
    const linkAccount = vi.fn()
    const down = { getUser: () => Promise.reject(new Error("down")) }
    const { context } = await around({ ...rows, events: { linkAccount }, adapter: down as never })
    const events = [{ kind: "linkAccount", message: { user: ada, account: passkey, profile: ada } }]
    const admission = { ...adding, events } as unknown as Admission
    const failing = expectNotOvertaken(context, ofPasskey, { admission })
    await expect(failing).rejects.toMatchObject({ type: "AdapterError" })
    expect(linkAccount).toHaveBeenCalledOnce()
  })

  it("has no session yet where sessions are in cookies", async () => {
    const { context, unlinkAccount, deleteSession } = await around(
      { ...rows, session: { strategy: "jwt" } },
      { user: proven },
    )
    const overtaken = expectNotOvertaken(context, ofPasskey, { admission: adding })
    await expect(overtaken).rejects.toMatchObject({ type: "AccountNotLinked" })
    expect(unlinkAccount).toHaveBeenCalledOnce()
    expect(deleteSession).not.toHaveBeenCalled()
  })

  it("is nobody where a new user has what was registered, and nothing else", async () => {
    const { context, unlinkAccount, deleteSession } = await around(rows, { accounts: [account] })
    await expectNotOvertaken(context, factsOf(), { admission: registering, session })
    expect([unlinkAccount.mock.calls, deleteSession.mock.calls]).toEqual([[], []])
  })

  it.each<[string, Facts, Admission, AdapterUser | null]>([
    ["who adds a passkey", ofPasskey, adding, ada],
    ["who adds a passkey to a user deleted meanwhile", ofPasskey, adding, null],
    ["whose session begins", factsOf(), beginning, ada],
  ])("is nobody where no owner has come: %s", async (_, facts, admission, user) => {
    const { context, unlinkAccount, deleteSession } = await around(rows, { user })
    await expectNotOvertaken(context, facts, { admission, session })
    expect([unlinkAccount.mock.calls, deleteSession.mock.calls]).toEqual([[], []])
  })
})
