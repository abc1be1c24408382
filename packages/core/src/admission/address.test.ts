import { describe, expect, it, vi } from "vitest"
import { contextOf, noon } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { account, proofFor } from "../../test/support/proofs.js"
import type { Context } from "../context/context.js"
import { managedSessions } from "../engine/managed-sessions.js"
import { memoryRecords } from "../memory.js"
import type { Proof } from "../methods/method.js"
import { emailPolicy, passkeyPolicy } from "../methods/policy.js"
import { accountDigest } from "../sessions/current-session.js"
import type { AuthConfig } from "../types/config.js"
import type { AdapterUser } from "../types/identity.js"
import {
  keepTokens,
  leavesOut,
  linkAddress,
  linkOnce,
  markProven,
  removeUnproven,
  removeUnseen,
  unprovenAccountFor,
  withArrivingAddress,
} from "./address.js"
import type { Facts } from "./facts.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const proven = { ...ada, emailVerified: noon }
const mail = mailProvider(() => {})
const acme = {
  id: "acme",
  name: "Acme",
  type: "oauth",
  clientId: "app",
  clientSecret: "secret",
  authorization: "https://op.test/a",
  token: "https://op.test/t",
  userinfo: "https://op.test/u",
} as never

const proofOf = proofFor({ id: "candidate", email: "new@op.test" })

/** A context whose adapter has these functions alone. */
async function around(adapter: object, config: Partial<AuthConfig> = {}) {
  const warn = vi.fn()
  const given = { providers: [mail, acme], ...plainSettings, logger: { ...plainSettings.logger, warn }, ...config }
  const context: Context = await contextOf("https://app.test/auth/session", {
    config: { ...given, adapter: adapter as never },
  })
  warn.mockClear()
  return { context, store: context.settings.store, warn, events: [] }
}

describe("the address of a new user", () => {
  const unverified = proofOf({ emailStatus: "unverified" })
  it.each<[string, Proof, Partial<AuthConfig>, boolean]>([
    ["is left out where it is unverified and users are found by it", unverified, {}, true],
    ["is kept where users are not found by it", unverified, { providers: [acme] }, false],
    ["is kept where nothing is said of it", proofOf(), {}, false],
    ["is kept where it is verified", proofOf({ emailStatus: "verified" }), {}, false],
    ["is kept where the provider may keep it", proofOf({ ...unverified, policy: passkeyPolicy }), {}, false],
  ])("%s", async (_, proof, config, expected) => {
    expect(leavesOut((await around({}, config)).context, proof)).toBe(expected)
  })

  it("is shown as it came where the row has none, and only there", () => {
    const [empty, proof] = [{ ...ada, email: "" }, proofOf()]
    expect(withArrivingAddress(empty, proof)).toEqual({ ...ada, email: "new@op.test" })
    expect(withArrivingAddress(ada, proof)).toBe(ada)
    expect(withArrivingAddress(empty, proofOf({ user: { id: "candidate" } }))).toBe(empty)
  })
})

describe("the account that a session at an unproven address begins with", () => {
  const digestFor = async (given: Partial<Facts> = {}, more: object = {}) => {
    const { user = ada, kind = "register" } = more as { user?: AdapterUser; kind?: string }
    const facts = { proof: proofOf(), hasStore: true, currentUser: null, ...given } as Facts
    return unprovenAccountFor({ facts, decision: { kind } as never, user })
  }

  it("is kept as a digest, by the key it was found under", async () => {
    expect(await digestFor()).toBe(await accountDigest(account))
    const accountKey = { provider: "acme", providerAccountId: "other" }
    expect(await digestFor({ accountKey })).toBe(await accountDigest(accountKey))
  })

  it.each<[string, Partial<Facts>, object]>([
    ["without a store", { hasStore: false }, {}],
    ["of a user without an address", {}, { user: { ...ada, email: "" } }],
    ["of a user who has proven it", {}, { user: proven }],
    ["of an account that proves the address", { proof: proofOf({ policy: emailPolicy }) }, {}],
    [
      "of an account that proves addresses, where another one is unverified",
      { proof: proofOf({ policy: emailPolicy, emailStatus: "unverified" }) },
      {},
    ],
    [
      "of an account that proves addresses and says nothing of this one",
      { proof: proofOf({ policy: emailPolicy, user: { id: "candidate", email: ada.email } }) },
      {},
    ],
    ["that is linked to a session begun otherwise", { currentUser: ada }, { kind: "link" }],
  ])("is not kept %s", async (_, facts, more) => {
    expect(await digestFor(facts, more)).toBeUndefined()
  })

  it.each([ada.email, "Ada@APP.test"])(
    "is kept where the provider calls this very address unverified: %s",
    async (email) => {
      const proof = proofOf({ policy: emailPolicy, emailStatus: "unverified", user: { id: "candidate", email } })
      expect(await digestFor({ proof })).toBe(await accountDigest(account))
      const inCapitals = { user: { ...ada, email: "ADA@app.test" } }
      expect(await digestFor({ proof }, inCapitals)).toBe(await accountDigest(account))
    },
  )

  it("is not kept of an unverified account without an address that proves addresses otherwise", async () => {
    const proof = proofOf({ policy: emailPolicy, emailStatus: "unverified", user: { id: "candidate" } })
    expect(await digestFor({ proof })).toBeUndefined()
  })

  it("stays that of the session to which another account is linked", async () => {
    const currentSession = { user: ada, session: undefined, unprovenAccount: "before" }
    expect(await digestFor({ currentUser: ada, currentSession }, { kind: "link" })).toBe("before")
    expect(await digestFor({ currentUser: ada, currentSession }, { kind: "enter" })).toBe(await accountDigest(account))
    expect(await digestFor({ currentSession }, { kind: "link" })).toBe(await accountDigest(account))
  })
})

describe("the owner of an address", () => {
  const listed = [account, { ...account, provider: "mail", type: "email", providerAccountId: "ada@app.test" }]
  const adapter = () => ({
    listAccountsByUserId: vi.fn(async () => listed),
    unlinkAccount: vi.fn(),
    deleteSessionsByUserId: vi.fn(async () => 1),
  })

  it("ends the accounts that needed no proof of it, and every session in rows", async () => {
    const given = adapter()
    const { context, store } = await around(given, { session: { strategy: "database" } })
    await removeUnproven(context, { user: ada, store })
    expect(given.unlinkAccount.mock.calls).toEqual([[{ provider: "acme", providerAccountId: "1" }]])
    expect(given.deleteSessionsByUserId.mock.calls).toEqual([["ada"]])
  })

  it("keeps the account that they came with, and no other of that provider or with that id", async () => {
    const others = [
      { ...account, providerAccountId: "2" },
      { ...account, provider: "gone" },
    ]
    const given = { ...adapter(), listAccountsByUserId: async () => [account, ...others] }
    const { context, store } = await around(given)
    await removeUnproven(context, { user: ada, store, except: account })
    expect(given.unlinkAccount.mock.calls).toEqual([
      [{ provider: "acme", providerAccountId: "2" }],
      [{ provider: "gone", providerAccountId: "1" }],
    ])
  })

  it("ends nothing that cannot be ended, or where the address was proven before", async () => {
    const { deleteSessionsByUserId, ...without } = adapter()
    const inCookies = await around({ ...without, deleteSessionsByUserId })
    await removeUnproven(inCookies.context, { user: ada, ...inCookies })
    expect(without.unlinkAccount).toHaveBeenCalledOnce()
    const { listAccountsByUserId } = without
    const inRows = await around({ listAccountsByUserId }, { session: { strategy: "database" } })
    await removeUnproven(inRows.context, { user: ada, ...inRows })
    await removeUnproven(inCookies.context, { user: proven, ...inCookies })
    expect(without.unlinkAccount).toHaveBeenCalledOnce()
    expect(deleteSessionsByUserId).not.toHaveBeenCalled()
  })

  describe("once more, when it is committed", () => {
    const except = { provider: "acme", providerAccountId: "own" }
    const removing = async (config: Partial<AuthConfig>, without?: string) => {
      const order: unknown[] = []
      const { deleteSessionsByUserId, ...rest } = adapter()
      const deleteRecords = async (userId: string) => {
        order.push(userId)
        return 0
      }
      const rows = vi.fn(() => void order.push("rows"))
      const given = { ...rest, ...memoryRecords(), deleteRecords, ...(!without && { deleteSessionsByUserId: rows }) }
      const { context } = await around(given, config)
      await removeUnseen(context, { user: ada, except })
      expect(rest.unlinkAccount.mock.calls).toEqual([[{ provider: "acme", providerAccountId: "1" }]])
      return order
    }
    const [database, features] = [{ session: { strategy: "database" } } as const, [managedSessions()]]

    it("ends sessions by their records first, where rows go as well", async () => {
      expect(await removing({ ...database, features })).toEqual(["ada", "rows"])
    })

    it.each<[string, Partial<AuthConfig>, string | undefined, unknown[]]>([
      ["of tokens", { session: { strategy: "jwt" }, features }, undefined, ["rows"]],
      ["that nobody manages", database, undefined, ["rows"]],
      ["whose rows cannot be removed", { ...database, features }, "deleteSessionsByUserId", []],
    ])("leaves records of sessions %s alone", async (_, config, without, expected) => {
      expect(await removing(config, without)).toEqual(expected)
    })
  })

  it.each([
    ["undoes the transaction", { transaction: () => {} }, [{ id: "ada", emailVerified: noon }]],
    [
      "is taken back",
      {},
      [
        { id: "ada", emailVerified: noon },
        { id: "ada", emailVerified: null },
      ],
    ],
  ])("is not noted of another address that the row has got meanwhile: that %s", async (_, more, expected) => {
    const updateUser = vi.fn(async (given: object) => ({ ...ada, ...given, email: "eve@evil.test" }))
    const { context, store } = await around({ updateUser, ...more })
    const noting = markProven(context, { proof: proofOf(), store, events: [], user: ada })
    await expect(noting).rejects.toMatchObject({ type: "AccountNotLinked" })
    expect(updateUser.mock.calls.map(([given]) => given)).toEqual(expected)
  })

  it("is noted in the row as it is, where the adapter answers without the address", async () => {
    const whole = { ...ada, name: "Ada", emailVerified: noon }
    const updateUser = async (given: object) => ({ ...given, email: "" })
    const { context, store } = await around({ updateUser, getUser: async () => whole })
    const events: never[] = []
    expect(await markProven(context, { proof: proofOf(), store, events, user: ada })).toEqual(whole)
    expect(events).toEqual([{ kind: "updateUser", message: { user: whole } }])
  })

  it("is noted with the date of the first proof, which later ones leave alone", async () => {
    const updateUser = vi.fn(async (given: object) => ({ ...ada, ...given }))
    const { context, store } = await around({ updateUser })
    const events: never[] = []
    const given = { proof: proofOf(), store, events }
    const updated = await markProven(context, { ...given, user: ada })
    expect(updateUser.mock.calls).toEqual([[{ id: "ada", emailVerified: noon }]])
    expect(events).toEqual([{ kind: "updateUser", message: { user: updated } }])
    expect(await markProven(context, { ...given, user: proven })).toBe(proven)
    expect([updateUser.mock.calls.length, events.length]).toEqual([1, 1])
  })
})

describe("an address as an account of its own", () => {
  const linking = async (owner: AdapterUser | null, given: { proof?: Proof; without?: string } = {}) => {
    const adapter: Record<string, unknown> = { linkAccount: vi.fn(), getUserByAccount: vi.fn(async () => owner) }
    const { linkAccount, getUserByAccount } = adapter as Record<string, ReturnType<typeof vi.fn>>
    if (given.without) delete adapter[given.without]
    const { context, store, warn } = await around(adapter)
    const events: unknown[] = []
    const proof = given.proof ?? proofOf()
    await linkAddress(context, { user: ada, proof, store, events: events as never })
    return { linked: linkAccount?.mock.calls, asked: getUserByAccount?.mock.calls, events, warn }
  }

  it("is linked once, and announced", async () => {
    const { linked, events, warn, asked } = await linking(null)
    expect(asked).toEqual([[{ provider: "acme", providerAccountId: "1" }]])
    const stored = { ...account, userId: "ada" }
    expect(linked).toEqual([[stored]])
    expect(events).toEqual([{ kind: "linkAccount", message: { user: ada, account: stored, profile: proofOf().user } }])
    expect(warn).not.toHaveBeenCalled()
    const again = await linking(ada)
    expect([again.linked, again.events, again.warn.mock.calls]).toEqual([[], [], []])
  })

  it("stays with another user who has it, which is logged", async () => {
    const { linked, events, warn } = await linking({ ...ada, id: "grace" })
    expect([linked, events]).toEqual([[], []])
    expect(warn).toHaveBeenCalledExactlyOnceWith("account-owned-by-other")
  })

  it.each([{ proof: proofOf({ stored: undefined }) }, { without: "linkAccount" }, { without: "getUserByAccount" }])(
    "is not linked where that cannot be done: %j",
    async (given) => {
      const { linked, events } = await linking(null, given)
      expect([linked, events]).toEqual([[], []])
    },
  )

  it.each<[string, object, boolean | "throws"]>([
    [
      "to the same user meanwhile",
      { getUserByAccount: async (key: object) => (Object.values(key).join() === "acme,1" ? ada : null) },
      false,
    ],
    ["to another user", { getUserByAccount: async () => ({ ...ada, id: "grace" }) }, "throws"],
    ["to nobody", { getUserByAccount: async () => null }, "throws"],
    ["to nobody who can be asked for", {}, "throws"],
    ["to nobody, as it cannot be asked", { getUserByAccount: () => Promise.reject(new Error("down")) }, "throws"],
    ["in a transaction, which has ended", { getUserByAccount: async () => ada, transaction: () => {} }, "throws"],
  ])("that cannot be linked is linked %s", async (_, more, expected) => {
    const { context, store } = await around({ linkAccount: () => Promise.reject(new Error("taken")), ...more })
    const linked = linkOnce(context, { store, user: ada, account: { ...account, userId: "ada" } })
    if (expected === "throws") await expect(linked).rejects.toMatchObject({ type: "AdapterError" })
    else expect(await linked).toBe(expected)
  })
})

describe("what a provider handed out", () => {
  const kept = async (stored: Proof["stored"], has = true) => {
    const updateAccount = vi.fn()
    const { store } = await around(has ? { updateAccount } : {})
    await keepTokens({ proof: proofOf({ stored }), store })
    return updateAccount.mock.calls
  }

  it("is kept without what did not come, and without what never changes", async () => {
    const { provider, providerAccountId } = account
    const given = { ...account, access_token: "new", refresh_token: undefined, scope: null, userId: "eve" }
    expect(await kept(given as never)).toEqual([[{ access_token: "new", provider, providerAccountId }]])
    expect(await kept({ ...account, refresh_token: undefined } as never)).toEqual([])
    expect(await kept(undefined)).toEqual([])
    expect(await kept({ ...account, access_token: "new" }, false)).toEqual([])
  })
})
