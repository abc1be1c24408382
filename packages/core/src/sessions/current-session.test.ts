import { describe, expect, it, vi } from "vitest"
import { contextOf, noon } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { Passkey } from "../providers/passkey.js"
import type { AuthConfig } from "../types/config.js"
import type { AdapterUser } from "../types/identity.js"
import {
  accountDigest,
  accountOfToken,
  actingToken,
  currentSessionOf,
  isActingToken,
  isEndedByOwner,
  isOwnToken,
  isUserGone,
  readAgain,
  tokenWithAccount,
  userOf,
} from "./current-session.js"
import { isTokenOver } from "./token-over.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const proven = { ...ada, emailVerified: noon }
const account = { provider: "acme", providerAccountId: "1" }
const passkey = { provider: "passkey", providerAccountId: "c" }
const digest = await accountDigest(account)
const digestOfPasskey = await accountDigest(passkey)
const token = "a".repeat(64)
const acme = {
  ...{ id: "acme", name: "Acme", type: "oauth", clientId: "app", clientSecret: "secret" },
  ...{ authorization: "https://op.test/a", token: "https://op.test/t", userinfo: "https://op.test/u" },
} as never
/** Visitors may arrive by a provider that has verified the address: there are passkeys beside it. */
const arriving = { providers: [acme, Passkey({})], experimental: { enableWebAuthn: true } } as Partial<AuthConfig>

const around = (adapter: object | undefined, config: Partial<AuthConfig> = arriving) =>
  contextOf("https://app.test/auth/session", {
    config: { ...plainSettings, ...config, ...(adapter && { adapter: adapter as never }) },
  })
const users = (user: AdapterUser | null = ada) => ({ getUser: vi.fn(async () => user) })

describe("the digest of an account", () => {
  it("is 22 characters, the same for ids as number and as text, and another for any other account", async () => {
    expect(digest).toMatch(/^[\w-]{22}$/)
    expect(await accountDigest({ ...account, providerAccountId: 1 as never })).toBe(digest)
    for (const other of [
      { ...account, provider: "other" },
      { ...account, providerAccountId: "2" },
    ])
      expect(await accountDigest(other)).not.toBe(digest)
  })

  it("stands behind a token of the engine, and behind nothing else", () => {
    const hex = Buffer.from("-lk-").toString("hex") + Buffer.from(digest, "base64url").toString("hex")
    expect(tokenWithAccount(token, digest)).toBe(`${token}${hex}`)
    expect(accountOfToken(tokenWithAccount(token, digest))).toBe(digest)
    const older = `${token}-lk-${digest}`
    expect(accountOfToken(older)).toBe(digest)
    for (const odd of [token, `x${older}`, `${older}x`, `${token}-lk-short`, `a${token}${hex}`, `${token}${hex}a`])
      expect(accountOfToken(odd)).toBeUndefined()
  })

  it("or none is in every token of the engine, and in no other", () => {
    for (const own of [token, tokenWithAccount(token, digest), `${token}-lk-${digest}`])
      expect(isOwnToken(own)).toBe(true)
    for (const odd of ["a", "a".repeat(63), `x${token}`, `${token}x`, "g".repeat(64), crypto.randomUUID()])
      expect(isOwnToken(odd)).toBe(false)
  })

  it("is not how somebody who acts is known", () => {
    expect(actingToken(token)).toBe(`${token}-lk-acting`)
    expect(isActingToken(actingToken(token))).toBe(true)
    for (const odd of [token, `x${token}-lk-acting`, `${token}-lk-actingx`, tokenWithAccount(token, digest)])
      expect(isActingToken(odd)).toBe(false)
  })
})

describe("the session of a token", () => {
  it("is of the user in the store, and of nobody who is not there", async () => {
    const context = await around(users(proven))
    expect(await currentSessionOf(context, { sub: "ada" })).toEqual({ user: proven, session: undefined })
    expect(await currentSessionOf(context, {})).toBeNull()
    expect(await currentSessionOf(context, { sub: "" })).toBeNull()
    expect(await currentSessionOf(await around(users(null)), { sub: "ada" })).toBeNull()
  })

  it("is of the user in its claims where there is no store", async () => {
    const session = await currentSessionOf(await around(undefined), { sub: 7 as never, name: "Ada", lk: digest })
    expect(session).toEqual({ user: userOf("7", { name: "Ada" }), session: undefined })
  })

  it("carries the account that it began with, and ends when the address was proven", async () => {
    const given = { ...users(), listAccountsByUserId: async () => [account] }
    const session = { user: ada, session: undefined, unprovenAccount: digest }
    expect(await currentSessionOf(await around(given), { sub: "ada", lk: digest })).toEqual(session)
    expect(await currentSessionOf(await around(users(proven)), { sub: "ada", lk: digest })).toBeNull()
  })

  it.each([
    [{}, { name: null, email: "", image: null }],
    [
      { name: "Ada", email: "a@b", picture: "p" },
      { name: "Ada", email: "a@b", image: "p" },
    ],
    [
      { picture: "p", image: "i" },
      { name: null, email: "", image: "i" },
    ],
    [
      { picture: "p", image: 7 },
      { name: null, email: "", image: "p" },
    ],
  ])("says of its user what the claims %j say", (claims, expected) => {
    expect(userOf("ada", claims as never)).toEqual({ id: "ada", emailVerified: null, ...expected })
  })
})

describe("a session has ended", () => {
  it("with its user where that is asked for, and with the proof of its address", async () => {
    const goneFor = async (user: AdapterUser | null, verifyUser: boolean, unprovenAccount?: string, sub?: string) => {
      const { settings } = await around(users(user))
      return isUserGone(settings, { claims: sub === undefined ? {} : { sub }, verifyUser, unprovenAccount })
    }
    expect(await goneFor(null, true, undefined, "ada")).toBe(true)
    expect(await goneFor(null, false, undefined, "ada")).toBe(false)
    expect(await goneFor(null, false, digest, "ada")).toBe(false)
    expect(await goneFor(ada, true)).toBe(true)
    expect(await goneFor(ada, true, undefined, "ada")).toBe(false)
    expect(await goneFor(proven, false, digest, "ada")).toBe(true)
    expect(await goneFor(proven, true, undefined, "ada")).toBe(false)
  })

  it("only where a token gives a reason to look: otherwise the store is not asked", async () => {
    const given = users(null)
    const context = await around(given)
    expect(await isTokenOver(context, { sub: "ada" })).toBe(false)
    expect(given.getUser).not.toHaveBeenCalled()
    expect(await isTokenOver(context, { sub: "ada" }, true)).toBe(true)
    expect(await isTokenOver(await around(users(proven)), { sub: "ada", lk: digest })).toBe(true)
    expect(await isTokenOver(await around(undefined), { sub: "ada", lk: digest })).toBe(false)
    const withoutMail = users(proven)
    expect(await isTokenOver(await around(withoutMail, { providers: [acme] }), { sub: "ada", lk: digest })).toBe(false)
    expect(withoutMail.getUser).not.toHaveBeenCalled()
    const verified = await around(given, { session: { strategy: "jwt", verifyUser: true } })
    expect(await isTokenOver(verified, { sub: "ada" })).toBe(true)
  })

  it.each<[string, AdapterUser | null, string | undefined, object, Partial<AuthConfig>, boolean]>([
    ["nobody is there", null, digest, {}, arriving, false],
    ["it began at a proven address", proven, undefined, {}, arriving, false],
    ["the address is proven now", proven, digest, {}, arriving, true],
    ["the account is gone", ada, digest, { listAccountsByUserId: async () => [passkey] }, arriving, true],
    ["the account is there", ada, digest, { listAccountsByUserId: async () => [passkey, account] }, arriving, false],
    [
      "only mail proves an address",
      ada,
      digest,
      { listAccountsByUserId: async () => [] },
      { providers: [acme, mailProvider(() => {})] },
      false,
    ],
    [
      "its row would be gone",
      ada,
      digest,
      { listAccountsByUserId: async () => [], deleteSessionsByUserId: async () => 1 },
      { ...arriving, session: { strategy: "database" } },
      false,
    ],
    [
      "its row would be gone, and so is its user",
      null,
      digest,
      { listAccountsByUserId: async () => [], deleteSessionsByUserId: async () => 1 },
      { ...arriving, session: { strategy: "database" } },
      false,
    ],
    [
      "rows can be ended, and it is none",
      ada,
      digest,
      { listAccountsByUserId: async () => [], deleteSessionsByUserId: async () => 1 },
      arriving,
      true,
    ],
    ["neither accounts nor passkeys can be listed", ada, digest, {}, arriving, false],
  ])("by the owner of its address: %s", async (_, user, unprovenAccount, adapter, config, expected) => {
    const { settings } = await around(adapter, config)
    expect(await isEndedByOwner(settings, { user, unprovenAccount })).toBe(expected)
  })

  it.each<[string, string, AdapterUser | null, boolean]>([
    ["is the user's", digestOfPasskey, ada, false],
    ["is nobody's", digestOfPasskey, null, true],
    ["is another user's", digestOfPasskey, { ...ada, id: "grace" }, true],
    ["is not what it began with", digest, null, false],
  ])(
    "by the owner of its address, where only passkeys can be listed: one that %s",
    async (_, unproven, owner, ended) => {
      const adapter = {
        listAuthenticatorsByUserId: async () => [{ providerAccountId: "other" }, { providerAccountId: "c" }],
        getUserByAccount: async (key: typeof passkey) => (key.providerAccountId === "c" ? owner : null),
      }
      const { settings } = await around(adapter)
      expect(await isEndedByOwner(settings, { user: ada, unprovenAccount: unproven })).toBe(ended)
      const linking = { ...(acme as object), allowDangerousEmailAccountLinking: true } as never
      const { settings: without } = await around(adapter, { providers: [linking] })
      expect(await isEndedByOwner(without, { user: ada, unprovenAccount: unproven })).toBe(false)
    },
  )
})

describe("a session that is read again", () => {
  const read = async (adapter: object | undefined, current: object) =>
    readAgain(
      await around(adapter),
      { user: ada, session: undefined, ...current },
      (await around(adapter)).settings.store,
    )

  it("is of the user as they are now", async () => {
    const renamed = { ...ada, name: "Ada L." }
    expect(await read(users(renamed), {})).toEqual({ user: renamed, session: undefined })
    expect(await read(users(null), {})).toBeNull()
    expect(await read({}, {})).toEqual({ user: ada, session: undefined })
  })

  it.each([
    [1, false],
    [0, true],
    [-1, true],
  ])("of a row that ends in %d ms has ended: %j", async (left, isOver) => {
    const expires = new Date(noon.getTime() + left)
    const getSessionAndUser = vi.fn(async () => ({ session: { sessionToken: "t", userId: "ada", expires }, user: ada }))
    expect(await read({ getSessionAndUser }, { token: "t" })).toEqual(
      isOver ? null : { user: ada, session: undefined, token: "t" },
    )
    expect(getSessionAndUser.mock.calls).toEqual([["t"]])
    expect(await read({ getSessionAndUser: async () => null }, { token: "t" })).toBeNull()
  })

  it("has ended once the owner of its address has proven it", async () => {
    expect(await read(users(proven), { unprovenAccount: digest })).toBeNull()
    expect(await read(users(proven), {})).toEqual({ user: proven, session: undefined })
  })
})
