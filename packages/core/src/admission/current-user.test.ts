/** The user whose session an account is to be added to: whether somebody acts for them, and whether the session may have begun at an unproven address. */
import { describe, expect, it, vi } from "vitest"
import { contextOf } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { account, proofFor, provider, verifying } from "../../test/support/proofs.js"
import { memoryRecords } from "../adapters/records.js"
import { seal } from "../crypto/jwe.js"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { managedSessions } from "../engine/managed-sessions.js"
import { passkeys } from "../passkeys.js"
import { Passkey } from "../providers/passkey.js"
import { actingToken } from "../sessions/current-session.js"
import type { AuthConfig } from "../types/config.js"
import type { AdapterUser } from "../types/identity.js"
import { gatherFacts } from "./facts.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const mail = mailProvider(() => {})

const byMail = { ...account, provider: "mail", type: "email" }
const verified = { ...account, provider: "verifying" }
const passkey = { ...account, provider: "passkey", type: "webauthn" }

interface Stage {
  /** Accounts of the user; `null`: the adapter cannot list them. */
  readonly accounts?: readonly object[] | null
  readonly user?: AdapterUser
  readonly owner?: AdapterUser
  /** In place of a token that the application makes. */
  readonly token?: string
  readonly config?: Partial<AuthConfig>
}

const ownTokens = { strategy: "database", generateSessionToken: () => "own" } as const
const cookieName = "__Secure-authjs.session-token"

async function gather({ accounts = [], user = ada, owner, token = "own", config = {} }: Stage) {
  const now = new Date()
  const listAccountsByUserId = vi.fn(async () => accounts)
  const adapter = {
    getUser: async () => user,
    getUserByEmail: async () => user,
    getUserByAccount: async () => owner ?? null,
    getSessionAndUser: async (sessionToken: string) => ({
      session: { sessionToken, userId: user.id, expires: new Date(now.getTime() + 60_000) },
      user,
    }),
    ...(accounts && { listAccountsByUserId }),
  }
  const request = new Request("https://app.test/auth/callback/acme", { headers: { cookie: `${cookieName}=${token}` } })
  const settings = { ...plainSettings, providers: [mail, provider("acme")], session: ownTokens, ...config }
  const context = await contextOf(request, { config: { ...settings, adapter: adapter as never }, now })
  const proof = proofFor({ id: "candidate", email: user.email })()
  return { facts: await gatherFacts(context, proof, { store: context.settings.store }), listAccountsByUserId }
}

const withPasskeys: Partial<AuthConfig> = {
  experimental: { enableWebAuthn: true },
  providers: [mail, verifying, Passkey({})],
}

describe("a session with a token of the application", () => {
  it.each<[string, Stage]>([
    ["an account that needed no proof of the address", { accounts: [account] }],
    ["such an account beside others", { accounts: [byMail, account] }],
    ["a passkey, where all providers verify addresses", { accounts: [passkey], config: withPasskeys }],
    [
      "one of a provider that is no longer configured",
      { accounts: [account], config: { providers: [mail, verifying] } },
    ],
    ["accounts that cannot be listed", { accounts: null }],
    ["accounts that cannot be listed, or passkeys", { accounts: null, config: withPasskeys }],
    [
      "an account that needed no proof, and the engine makes the tokens of new sessions",
      { accounts: [account], config: { session: { strategy: "database" } } },
    ],
    [
      "an account that needed no proof, and a token of the application that looks like the engine's",
      { accounts: [account], token: "a".repeat(64) },
    ],
    ["no account any more", { accounts: [] }],
    [
      "no account, and passkeys can be removed",
      { config: { ...withPasskeys, features: [passkeys()], records: memoryRecords() } },
    ],
  ])("may have begun at an unproven address where the user has %s", async (_, stage) => {
    const { facts } = await gather(stage)
    expect(facts).toMatchObject({ currentUser: ada, mayBeUnproven: true, emailOwner: null })
  })

  it.each<[string, Stage]>([
    ["every account proves the address", { accounts: [byMail, verified], config: withPasskeys }],
    ["the address is proven", { accounts: [account], user: { ...ada, emailVerified: new Date(0) } }],
    ["there is no address", { accounts: [account], user: { ...ada, email: "" } }],
    ["nobody signs in without proof of it", { accounts: null, config: { providers: [mail, verifying] } }],
    [
      "the engine made the token",
      { accounts: [account], token: "a".repeat(64), config: { session: { strategy: "database" } } },
    ],
  ])("began at a proven address, or says so itself, where %s", async (_, stage) => {
    const { facts } = await gather(stage)
    expect(facts.currentUser?.id).toBe("ada")
    expect(facts).not.toHaveProperty("mayBeUnproven")
  })

  it.each<[string, Partial<AuthConfig>, object]>([
    ["says so itself in a cookie", {}, {}],
    [
      "does not where the application seals the cookie",
      { jwt: { encode: async () => "sealed" } },
      { mayBeUnproven: true },
    ],
  ])("%s", async (_, more, expected) => {
    const keyring = createKeyring([plainSettings.secret], createKeyCache(4))
    const token = await seal({ sub: "ada" }, { keyring, salt: cookieName, maxAge: 60, now: new Date() })
    const config = { session: { ...ownTokens, strategy: "jwt" as const }, ...more }
    const { facts } = await gather({ accounts: [account], token, config })
    const { mayBeUnproven } = facts
    expect(facts.currentUser?.id).toBe("ada")
    expect({ ...(mayBeUnproven && { mayBeUnproven }) }).toEqual(expected)
  })

  it("is not looked into where the account is known, or nobody is signed in", async () => {
    const known = await gather({ accounts: [account], owner: ada })
    expect(known.facts).toMatchObject({ accountOwner: ada, currentUser: ada })
    expect(known.listAccountsByUserId).not.toHaveBeenCalled()
    const { facts } = await gather({ accounts: [account], token: "" })
    expect(facts).toMatchObject({ currentUser: null, emailOwner: ada })
  })
})

it("takes nobody for the user who acts for them", async () => {
  const features = [managedSessions()]
  const config = { session: { strategy: "database" as const }, features, records: memoryRecords() }
  const { facts } = await gather({ token: actingToken("0".repeat(64)), config })
  expect(facts).toMatchObject({ currentUser: null, isOtherVisitor: true, emailOwner: null })
  expect((await gather({ token: "0".repeat(64), config })).facts).toMatchObject({ currentUser: ada })
})
