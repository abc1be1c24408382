import { describe, expect, it } from "vitest"
import { noon, settingsOf } from "../../test/support/facts.js"
import { toSeconds } from "../std/time.js"
import type { ProviderType } from "../types/identity.js"
import type { SessionFacts } from "../types/session-facts.js"
import { earlierFacts, earlierOf, factsOf, overallEnd, writeClaim } from "./facts.js"
import { keepClaim, readClaim, withoutDigest } from "./facts-claim.js"
import type { Login } from "./strategy.js"

const now = toSeconds(noon)
const id = "a".repeat(22)
const digest = "d".repeat(22)
const user = { id: "ada" }
const login = (type: ProviderType, more: Partial<Login> = {}): Login => ({
  user,
  account: { type, provider: "acme", providerAccountId: "1" },
  isNew: false,
  ...more,
})
const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000)

describe("what a session rests on", () => {
  it.each<[ProviderType, number | undefined, object]>([
    ["credentials", now - 50, { at: now }],
    ["email", now - 50, { at: now }],
    ["webauthn", now - 50, { at: now }],
    ["oidc", now - 50, { at: now - 50 }],
    ["oauth", now - 50, { at: now - 50 }],
    ["oidc", now + 50, { at: now }],
    ["oidc", undefined, { at: now, passive: true }],
    ["oauth", undefined, { at: now, passive: true }],
  ])("is a proof by %s whose auth_time is %s: %j", (type, authTime, expected) => {
    const facts = factsOf(login(type, authTime === undefined ? {} : { authTime }), noon)
    expect(facts).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      startedAt: now,
      proofs: [{ how: type, provider: "acme", ...expected }],
    })
    expect(factsOf(login(type), noon).id).not.toBe(facts.id)
  })

  it("is no proof where somebody acts for the user, or nobody proved anything", () => {
    expect(factsOf(login("oidc", { actor: "grace" }), noon)).toMatchObject({ actor: "grace", proofs: [] })
    const facts = factsOf(login("oidc", { account: null }), noon)
    expect([facts.proofs, "actor" in facts]).toEqual([[], false])
    expect(earlierFacts(7)).toEqual({ id: expect.stringMatching(/^[\w-]{22}$/), startedAt: 7, proofs: [] })
  })

  it("stays what it was where an account is added, and nothing where that is not known", () => {
    const before = factsOf(login("email"), after(-3600))
    const added = login("webauthn", { addsAccount: true })
    expect(factsOf(added, noon, before)).toEqual({ ...before, id: expect.stringMatching(/^[\w-]{22}$/) })
    expect(factsOf(added, noon, before).id).not.toBe(before.id)
    expect(factsOf(added, noon)).toMatchObject({ startedAt: now, proofs: [] })
    expect(factsOf(login("webauthn"), noon, before)).toMatchObject({ startedAt: now, proofs: [{ how: "webauthn" }] })
  })

  it.each<[object, Partial<SessionFacts>, Date | undefined]>([
    [{}, {}, undefined],
    [{ overallMaxAge: 60 }, {}, after(60)],
    [{}, { actor: "grace" }, after(1800)],
    [{ overallMaxAge: 60 }, { actor: "grace" }, after(60)],
    [{ overallMaxAge: 7200 }, { actor: "grace" }, after(1800)],
  ])("ends with %j and %j at %s", (session, more, expected) => {
    expect(overallEnd(settingsOf({ session }), { id, startedAt: now, proofs: [], ...more })).toEqual(expected)
  })

  it("ends at the earlier of two moments", () => {
    expect(earlierOf(noon, undefined)).toBe(noon)
    expect(earlierOf(noon, after(1))).toBe(noon)
    expect(earlierOf(after(1), noon)).toBe(noon)
  })
})

describe("the claim of a token", () => {
  const facts: SessionFacts = {
    id,
    startedAt: 5,
    proofs: [
      { how: "webauthn", provider: "passkey", at: 5, acr: "phr" },
      { how: "oidc", provider: "op", at: 4, passive: true },
      { how: "email", at: 3, acr: "mfa" },
    ],
    actor: "grace",
  }

  it("says what was written into it, in short", () => {
    expect(writeClaim({ facts, generation: 2, unprovenAccount: digest })).toEqual({
      i: id,
      s: 5,
      p: [
        ["webauthn", 5, "passkey", 0, "phr"],
        ["oidc", 4, "op", 1, ""],
        ["email", 3, "", 0, "mfa"],
      ],
      g: 2,
      a: "grace",
      u: digest,
    })
    expect(readClaim(writeClaim({ facts, generation: 2, unprovenAccount: digest }))).toEqual({
      facts,
      generation: 2,
      unprovenAccount: digest,
    })
  })

  it("leaves out what is not there", () => {
    const plain = { id, startedAt: 5, proofs: [] }
    for (const generation of [undefined, 0]) {
      const claim = writeClaim({ facts: plain, ...(generation !== undefined && { generation }) })
      expect(claim).toEqual({ i: id, s: 5, p: [] })
      expect(readClaim(claim)).toEqual({ facts: plain, generation: 0 })
    }
    const alone = writeClaim({ facts: plain, hasNoRecord: true })
    expect(alone).toEqual({ i: id, s: 5, p: [], n: 1 })
    expect(readClaim(alone)).toEqual({ facts: plain, generation: 0, hasNoRecord: true })
    expect(writeClaim({ unprovenAccount: digest })).toBe(digest)
    expect(readClaim(digest)).toEqual({ unprovenAccount: digest })
    expect(writeClaim({})).toBeUndefined()
  })

  it.each([
    undefined,
    null,
    7,
    "",
    "d".repeat(21),
    "d".repeat(23),
    `${"d".repeat(21)}=`,
    {},
    { i: 7, s: 5, p: [] },
    { i: "short", s: 5, p: [] },
    { i: id, s: "5", p: [] },
    { i: id, s: 5, p: {} },
  ])("says nothing in another form: %j", (claim) => {
    expect(readClaim(claim)).toEqual({})
  })

  it("leaves out what has another form, and keeps the rest", () => {
    const odd = [null, "email", [], [7, 5], ["email"], ["email", "5"], ["email", 5, 7, true, "other"]]
    expect(readClaim({ i: id, s: 5, p: odd, g: "2", n: "1", a: 7, u: "short" })).toEqual({
      facts: { id, startedAt: 5, proofs: [{ how: "email", at: 5 }] },
      generation: 0,
    })
    expect(readClaim({ i: id, s: 5, p: [], u: 7 })).not.toHaveProperty("unprovenAccount")
  })

  it("is shown to callbacks, unless it is a digest alone", () => {
    expect(withoutDigest({ sub: "ada", lk: writeClaim({ unprovenAccount: digest }) })).toEqual({ sub: "ada" })
    for (const lk of [writeClaim({ facts }), writeClaim({ facts, unprovenAccount: digest }), "own", undefined]) {
      const claims = { sub: "ada", lk }
      expect(withoutDigest(claims)).toBe(claims)
    }
  })

  it("stays as it was before a callback, which cannot write one either", () => {
    const before = { lk: writeClaim({ facts }) }
    const keepsFacts = (keeps: boolean) => ({ keepsFacts: keeps }) as never
    for (const keeps of [true, false]) {
      expect(keepClaim({ sub: "ada" }, before, keepsFacts(keeps))).toEqual({ sub: "ada", ...before })
      expect(keepClaim({ sub: "ada", lk: "own" }, before, keepsFacts(keeps))).toEqual({ sub: "ada", ...before })
      expect(keepClaim({ sub: "ada" }, { lk: digest }, keepsFacts(keeps))).toEqual({ sub: "ada", lk: digest })
    }
    const token = { sub: "ada", lk: "own" }
    expect(keepClaim(token, {}, keepsFacts(true))).toEqual({ sub: "ada" })
    expect(keepClaim(token, { lk: "other" }, keepsFacts(false))).toBe(token)
    // Where a callback lays over the token what a client has sent: an instance with features would believe it later.
    for (const lk of [before.lk, digest])
      expect(keepClaim({ sub: "ada", lk }, {}, keepsFacts(false))).toEqual({ sub: "ada" })
    const without = { sub: "ada" }
    expect(keepClaim(without, {}, keepsFacts(true))).toBe(without)
  })
})
