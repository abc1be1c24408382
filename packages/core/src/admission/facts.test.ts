import { describe, expect, it, vi } from "vitest"
import { contextOf } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { account, proofFor, provider, verifying } from "../../test/support/proofs.js"
import { seal } from "../crypto/jwe.js"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { managedSessions } from "../engine/managed-sessions.js"
import { memoryRecords } from "../memory.js"
import type { Proof } from "../methods/method.js"
import { type AdmissionPolicy, credentialsPolicy, emailPolicy } from "../methods/policy.js"
import { Passkey } from "../providers/passkey.js"
import type { AuthConfig } from "../types/config.js"
import type { Feature } from "../types/feature.js"
import type { AdapterUser } from "../types/identity.js"
import type { Provider } from "../types/provider.js"
import { type Facts, gatherFacts } from "./facts.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const grace: AdapterUser = { id: "grace", email: "grace@app.test", emailVerified: null }
const mail = mailProvider(() => {})

const proofOf = proofFor({ id: "candidate", email: "ada@app.test" })

interface Stage {
  readonly adapter?: object | undefined
  readonly config?: Partial<AuthConfig>
  /** Whose session the request carries. */
  readonly session?: AdapterUser
  readonly before?: Partial<Facts>
}

const name = "__Secure-authjs.session-token"
const keyring = createKeyring([plainSettings.secret], createKeyCache(4))

async function gather(given: Partial<Proof>, { adapter, config, session, before }: Stage = {}) {
  const error = vi.fn()
  const now = new Date()
  const claims = { sub: session?.id, name: "Ada" }
  const cookie = session && `${name}=${await seal(claims, { keyring, salt: name, maxAge: 3600, now })}`
  const request = new Request("https://app.test/auth/session", { headers: cookie ? { cookie } : {} })
  const settings = { providers: [mail, provider("acme"), verifying], ...plainSettings, ...config }
  const logger = { ...plainSettings.logger, error }
  const context = await contextOf(request, { config: { ...settings, logger, adapter: adapter as never }, now })
  const { store } = context.settings
  const facts = await gatherFacts(context, proofOf(given), { store, ...(before && { before: before as Facts }) })
  return { facts, error }
}

/** An adapter that knows these people by what is asked. */
function adapterOf(known: { account?: unknown; email?: AdapterUser | null; user?: AdapterUser | null } = {}) {
  const { account: owner = null, email = null, user = ada } = known
  return {
    getUserByAccount: vi.fn(async (key: { providerAccountId: unknown }) =>
      typeof owner === "function" ? owner(key) : owner,
    ),
    getUserByEmail: vi.fn(async () => email),
    getUser: vi.fn(async () => user),
  }
}
const nobody = { currentUser: null, isOtherVisitor: false, accountOwner: null, emailOwner: null }
const byPolicy = (policy: AdmissionPolicy): Partial<Proof> => ({ policy })

describe("what is known of a person who has authenticated", () => {
  it("is nothing where there is no store, or where the application finds its people itself", async () => {
    const { facts } = await gather({})
    expect(facts).toMatchObject({ ...nobody, hasStore: false, ownerMayArrive: true, hasUnverifying: true })
    const adapter = adapterOf({ account: ada, email: ada })
    const { facts: own } = await gather(byPolicy(credentialsPolicy), { adapter })
    expect(own).toMatchObject({ ...nobody, hasStore: true })
    expect(adapter.getUserByAccount).not.toHaveBeenCalled()
  })

  it("says whether the owner of an address may still arrive, and whether all providers verify them", async () => {
    const config = { providers: [verifying] }
    expect((await gather({}, { config })).facts).toMatchObject({ ownerMayArrive: false, hasUnverifying: false })
  })

  it("is the owner of a mailed address alone, and nobody without an address", async () => {
    const adapter = adapterOf({ account: grace, email: ada })
    expect((await gather(byPolicy(emailPolicy), { adapter })).facts).toMatchObject({ ...nobody, emailOwner: ada })
    const noAddress = { ...byPolicy(emailPolicy), user: { id: "candidate" } }
    expect((await gather(noAddress, { adapter })).facts).toMatchObject(nobody)
    expect(adapter.getUserByEmail).toHaveBeenCalledOnce()
    expect(adapter.getUserByAccount).not.toHaveBeenCalled()
  })

  it("is the owner of the account, and then no address is looked up", async () => {
    const adapter = adapterOf({ account: ada, email: grace })
    expect((await gather({}, { adapter })).facts).toMatchObject({ ...nobody, accountOwner: ada })
    expect(adapter.getUserByAccount.mock.calls).toEqual([[{ provider: "acme", providerAccountId: "1" }]])
    expect(adapter.getUserByEmail).not.toHaveBeenCalled()
  })

  it("is the owner of the address, unless the account was stored between the two look-ups", async () => {
    const adapter = adapterOf({ email: ada })
    expect((await gather({}, { adapter })).facts).toMatchObject({ ...nobody, emailOwner: ada })
    adapter.getUserByAccount.mockResolvedValueOnce(null).mockResolvedValueOnce(ada)
    expect((await gather({}, { adapter })).facts).toMatchObject({ ...nobody, accountOwner: ada })
    expect((await gather({}, { adapter: adapterOf() })).facts).toMatchObject(nobody)
  })
})

describe("an id that a database may take for another one", () => {
  it.each([
    ["１２３", {}, true],
    ["123", {}, undefined],
    ["１２３", { comparesExactly: true }, undefined],
  ])("is known by the text %s, in a store of %j", async (providerAccountId, more, isLookAlike) => {
    const { facts } = await gather(
      { account: { ...account, providerAccountId } },
      { adapter: { ...adapterOf(), ...more } },
    )
    expect(facts.isLookAlike).toBe(isLookAlike)
    expect("isLookAlike" in facts).toBe(isLookAlike === true)
  })
})

describe("the owner of an account whose id is a number", () => {
  const asNumber = ({ providerAccountId }: { providerAccountId: unknown }) => (providerAccountId === 1 ? ada : null)
  const accountKey = { provider: "acme", providerAccountId: 1 as never }

  it("is found by the number where the string finds nobody, and by the same key from then on", async () => {
    const adapter = adapterOf({ account: asNumber })
    const { facts } = await gather({ numericId: 1 }, { adapter })
    expect(facts).toMatchObject({ accountOwner: ada, accountKey })
    const again = await gather({ numericId: 1 }, { adapter, before: { accountKey } })
    expect(again.facts).toMatchObject({ accountOwner: ada, accountKey })
    expect(adapter.getUserByAccount).toHaveBeenCalledTimes(3)
  })

  it("is not asked for by number where there is none, where the string is known, or a second time", async () => {
    for (const [numericId, owner, before] of [
      [undefined, asNumber, undefined],
      [1, ada, undefined],
      [1, asNumber, {}],
    ] as const) {
      const adapter = adapterOf({ account: owner })
      const stage = { adapter, ...(before && { before }) }
      const { facts } = await gather({ user: { id: "candidate" }, ...(numericId && { numericId }) }, stage)
      expect("accountKey" in facts).toBe(false)
      expect(adapter.getUserByAccount).toHaveBeenCalledOnce()
    }
  })

  it.each([
    ["789:x", false],
    ["1:x", false],
    ["1", true],
    [1, true],
    [undefined, true],
  ])(
    "is whoever has that number, and not the id %j that the store takes for it",
    async (providerAccountId, isFound) => {
      const getAccount = vi.fn(async () => ({ ...accountKey, type: "oidc", userId: "ada", providerAccountId }))
      const adapter = { ...adapterOf({ account: asNumber }), getAccount }
      const { facts } = await gather({ numericId: 1, user: { id: "candidate" } }, { adapter: adapter as never })
      expect(facts.accountOwner).toEqual(isFound ? ada : null)
      expect(getAccount.mock.calls).toEqual([[1, "acme"]])
      const exact = { ...adapter, comparesExactly: true, getAccount: vi.fn() }
      expect((await gather({ numericId: 1 }, { adapter: exact as never })).facts).toMatchObject({ accountOwner: ada })
      expect(exact.getAccount).not.toHaveBeenCalled()
    },
  )

  it("is nobody where the store takes no numbers, which is logged", async () => {
    const failing = ({ providerAccountId }: { providerAccountId: unknown }) => {
      if (providerAccountId === 1) throw new Error("not a string")
      return null
    }
    const { facts, error } = await gather(
      { numericId: 1, user: { id: "candidate" } },
      { adapter: adapterOf({ account: failing }) },
    )
    expect(facts.accountOwner).toBeNull()
    expect(error).toHaveBeenCalledOnce()
  })
})

describe("the user who is signed in", () => {
  const adapter = () => adapterOf({ email: ada })
  const byAda = { begunBy: { kind: "somebody", id: "ada", session: "" } } as const
  it.each<[string, Partial<Proof>, AdapterUser | undefined, Partial<Facts>]>([
    ["began the flow", byAda, ada, { currentUser: ada }],
    ["began it in another session", { begunBy: { ...byAda.begunBy, session: "x" } }, ada, { isOtherVisitor: true }],
    ["is not bound to a flow", {}, ada, { currentUser: ada }],
    ["is somebody else", { begunBy: { ...byAda.begunBy, id: "grace" } }, ada, { isOtherVisitor: true }],
    ["has signed out", byAda, undefined, { isOtherVisitor: true }],
    ["was nobody when it began", { begunBy: { kind: "nobody" } as never }, ada, { isOtherVisitor: false }],
    ["is here, and nobody knows who began", { begunBy: { kind: "unknown" } as never }, ada, { isOtherVisitor: true }],
    ["is not here, nor known", { begunBy: { kind: "unknown" } as never }, undefined, { isOtherVisitor: false }],
    ["is nobody", {}, undefined, { isOtherVisitor: false }],
  ])("%s", async (_, given, session, expected) => {
    const { facts } = await gather(given, { adapter: adapter(), ...(session && { session }) })
    const isHere = expected.currentUser !== undefined
    const isOpen = !isHere && expected.isOtherVisitor !== true
    expect(facts).toMatchObject({ ...nobody, ...expected, emailOwner: isOpen ? ada : null })
    expect(facts.currentSession?.user).toEqual(isHere ? ada : undefined)
  })

  it("is looked at again in the store, and may have gone meanwhile", async () => {
    const currentSession = { user: ada, session: undefined }
    const still = await gather({}, { adapter: adapter(), before: { currentSession, isOtherVisitor: false } })
    expect(still.facts).toMatchObject({ currentUser: ada, isOtherVisitor: false, currentSession })
    const gone = await gather(
      {},
      { adapter: adapterOf({ user: null }), before: { currentSession, isOtherVisitor: false } },
    )
    expect(gone.facts).toMatchObject({ currentUser: null, isOtherVisitor: true })
    for (const isOtherVisitor of [true, false]) {
      const { facts } = await gather({}, { adapter: adapter(), session: ada, before: { isOtherVisitor } })
      expect(facts).toMatchObject({ currentUser: null, isOtherVisitor })
    }
  })
})

describe("a session that is too old to add an account to", () => {
  const began = { user: ada, session: undefined }
  it.each<readonly [string, Feature[], Partial<Facts> | undefined, true | undefined]>([
    ["is one without a time of sign-in, where the application names a policy", [managedSessions()], undefined, true],
    ["is none where no policy is named", [], undefined, undefined],
    ["stays one within a request", [managedSessions()], { currentSession: began, isStale: true }, true],
    ["does not become one within a request", [managedSessions()], { currentSession: began }, undefined],
  ])("%s", async (_, features, before, isStale) => {
    const config = { features }
    const { facts } = await gather(
      {},
      { adapter: { ...adapterOf(), ...memoryRecords() }, config, session: ada, ...(before && { before }) },
    )
    expect(facts.currentUser).toEqual(ada)
    expect(facts.isStale).toBe(isStale)
  })
})

describe("what the user of an unproven address holds", () => {
  const passkey = { provider: "passkey", providerAccountId: "c", type: "webauthn" }
  const holdingsWith = async (accounts: object[], given: Partial<Proof> = {}, owner = ada) => {
    const adapter = { ...adapterOf({ email: owner }), listAccountsByUserId: async () => accounts }
    return (await gather({ emailStatus: "verified", ...given }, { adapter })).facts.holdings
  }

  it.each<[object[], object]>([
    [[], { hasUnproven: false, hasProven: false, isPasskeysOnly: false }],
    [[passkey], { hasUnproven: true, hasProven: false, isPasskeysOnly: true }],
    [[account], { hasUnproven: true, hasProven: false, isPasskeysOnly: false }],
    [[account, passkey], { hasUnproven: true, hasProven: false, isPasskeysOnly: false }],
    [[{ ...account, provider: "verifying" }], { hasUnproven: false, hasProven: true, isPasskeysOnly: false }],
    [[{ ...account, provider: "taken away" }], { hasUnproven: true, hasProven: false, isPasskeysOnly: false }],
  ])("is read from the accounts: %j", async (accounts, expected) => {
    expect(await holdingsWith(accounts)).toEqual(expected)
  })

  it.each<[string, Provider[], boolean]>([
    ["was a passkey, where there is no other way in", [provider("acme"), Passkey({})], true],
    ["may be opened by mail", [provider("acme"), Passkey({}), mail], false],
    ["never was a passkey", [provider("acme")], false],
  ])("may be nothing any more: that %s", async (_, providers, isPasskeysOnly) => {
    const adapter = { ...adapterOf({ email: ada }), listAccountsByUserId: async () => [] }
    const config = { providers, experimental: { enableWebAuthn: true } }
    const { facts } = await gather({ emailStatus: "verified" }, { adapter, config })
    expect(facts.holdings).toEqual({ hasUnproven: false, hasProven: false, isPasskeysOnly })
  })

  it("may be a password as well, which no account shows", async () => {
    const authorize = () => null
    const providers = [provider("acme"), { id: "own", name: "Own", type: "credentials", credentials: {}, authorize }]
    const adapter = { ...adapterOf({ email: ada }), listAccountsByUserId: async () => [passkey] }
    const config = { providers } as never
    const { facts } = await gather({ emailStatus: "verified" }, { adapter, config })
    expect(facts.holdings).toEqual({ hasUnproven: true, hasProven: false, isPasskeysOnly: false })
  })

  it("is asked only where it matters", async () => {
    expect(await holdingsWith([passkey], { emailStatus: "unverified", mayLinkByEmail: true })).toBeUndefined()
    expect(await holdingsWith([passkey], { emailStatus: "unstated" })).toBeUndefined()
    expect(await holdingsWith([passkey], {}, { ...ada, emailVerified: new Date(0) })).toBeUndefined()
    expect(await holdingsWith([passkey], { emailStatus: "unstated", mayLinkByEmail: true })).toBeDefined()
  })

  it("is read from the authenticators where accounts cannot be listed, if their accounts are the user's", async () => {
    const ask = async (owner: AdapterUser | null, config: Partial<AuthConfig>, has = true) => {
      const listed = { listAuthenticatorsByUserId: async () => [{ providerAccountId: "c" }] }
      const owning = ({ providerAccountId }: { providerAccountId: unknown }) =>
        providerAccountId === "c" ? owner : null
      const adapter = { ...adapterOf({ account: owning, email: ada }), ...(has && listed) }
      const { facts } = await gather({ emailStatus: "verified" }, { adapter, config })
      return facts.holdings
    }
    const withPasskeys = { providers: [provider("acme"), Passkey({})], experimental: { enableWebAuthn: true } } as never
    expect(await ask(ada, withPasskeys)).toEqual({ hasUnproven: true, hasProven: false, isPasskeysOnly: false })
    expect(await ask(ada, {})).toEqual({ hasUnproven: false, hasProven: true, isPasskeysOnly: false })
    for (const holdings of [ask(grace, withPasskeys), ask(null, withPasskeys), ask(ada, withPasskeys, false)])
      expect(await holdings).toEqual({ hasUnproven: false, hasProven: false, isPasskeysOnly: false })
  })
})
