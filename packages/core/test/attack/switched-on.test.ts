/** Managed sessions that are switched on where tokens said before what they rest on, and instances of both settings side by side. */
import { describe, expect, it, vi } from "vitest"
import { memoryRecords } from "../../src/memory.js"
import { endAll, endOne, endOthers, listEntries, rotate } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { JWT } from "../../src/types/token.js"
import { cookiesAfter } from "../support/context.js"
import { type Cookies, managedStage } from "../support/managed-stage.js"

const day = 86_400

/** Sessions in tokens; `null` for instances on which they are not managed. */
function stage(config: Partial<AuthConfig> = {}) {
  const whole = managedStage({ strategy: "jwt", records: memoryRecords(), config })
  const read = async (cookies: Cookies, seconds: number, managed?: null): Promise<Cookies> => {
    const context = whole.at(cookies, seconds, managed)
    return cookiesAfter(context, (await selectStrategy(context.settings).check(context)).cookies)
  }
  return { ...whole, read }
}

const keepsFacts: Partial<AuthConfig> = { session: { strategy: "jwt", overallMaxAge: 90 * day } }

describe("a session whose token says what it rests on, from before sessions were managed", () => {
  it("goes on, is listed from its next extension on, and rests on the same proof", async () => {
    const { at, newUser, signIn, isOpen, read, idOf } = stage(keepsFacts)
    const before = await signIn(await newUser("ada@app.test"), {}, null)
    const id = await idOf(before)
    expect(await isOpen(before, 60)).toBe(true)
    const after = await read(before, day + 1)
    expect(after).not.toEqual(before)
    expect(await listEntries(at(after, day + 2))).toMatchObject([{ id, current: true }])
    expect(await isOpen(after, 31 * day)).toBe(true)
  })

  it("goes on through instances that do not manage sessions, also with a later token", async () => {
    const { newUser, signIn, isOpen, read, rotate } = stage(keepsFacts)
    const before = await signIn(await newUser("ada@app.test"), {}, null)
    const renewed = (await rotate(await read(before, day + 1), day + 2)) ?? {}
    const elsewhere = await read(renewed, 2 * day + 2, null)
    expect(elsewhere).not.toEqual(renewed)
    expect(await isOpen(elsewhere, 2 * day + 60)).toBe(true)
  })

  it.each(["end", "signOut", "signIn"])(
    "opens with no copy of its cookies once it has ended: %s",
    {
      tags: ["threat:SF-08"],
    },
    async (how) => {
      const { at, newUser, signIn, isOpen, read } = stage(keepsFacts)
      const user = await newUser("ada@app.test")
      const before = await signIn(user, {}, null)
      const own = await signIn(user, { seconds: 1 })
      const since = await read(before, day + 1)
      const other = (await listEntries(at(own, day + 2))).find(({ current }) => !current)
      if (how === "end") await endOne(at(own, day + 2), other?.id ?? "")
      else if (how === "signOut") await selectStrategy(at().settings).end(at(since, day + 2))
      else await signIn(user, { cookies: since, seconds: day + 2 })
      // An instance that knows nothing of the end seals each anew.
      const copies = [before, since, await read(before, day + 3, null), await read(since, 2 * day + 3, null)]
      for (const copy of copies) expect(await isOpen(copy, 2 * day + 4)).toBe(false)
      expect(await isOpen(own, 2 * day + 4)).toBe(true)
    },
  )

  it.each(["endAll", "endOthers"])(
    "is over after %s, however late an instance that does not manage seals it anew",
    {
      tags: ["threat:SF-08"],
    },
    async (what) => {
      const { at, newUser, signIn, isOpen, read } = stage(keepsFacts)
      const user = await newUser("ada@app.test")
      const thief = await signIn(user, {}, null)
      const own = await signIn(user, { seconds: 1 })
      await (what === "endAll" ? endAll(at(own, 60), user.id) : endOthers(at(own, 60)))
      const elsewhere = await read(thief, day + 1, null)
      expect(elsewhere).not.toEqual(thief)
      expect(await isOpen(elsewhere, day + 2)).toBe(false)
      expect(await isOpen(await signIn(user, { seconds: day + 3 }, null), day + 4)).toBe(true)
    },
  )

  it("ends all others with its first managed token, and goes on alone", { tags: ["threat:SF-08"] }, async () => {
    const { at, newUser, signIn, isOpen } = stage(keepsFacts)
    const user = await newUser("ada@app.test")
    const [own, other] = [await signIn(user, {}, null), await signIn(user, {}, null)]
    const context = at(own, 60)
    const after = cookiesAfter(context, (await endOthers(context)).cookies)
    expect(await Promise.all([after, other, own].map((cookies) => isOpen(cookies, 120)))).toEqual([true, false, false])
  })
})

describe("a session that had a record", { tags: ["threat:SF-08"] }, () => {
  it("has ended without it, though instances that do not manage sessions seal its token anew", async () => {
    const { at, newUser, signIn, isOpen, read, records } = stage({
      ...keepsFacts,
      callbacks: { jwt: (({ token }: { token: JWT }) => ({ ...token, seen: 1 })) as never },
    })
    const user = await newUser("ada@app.test")
    const own = await signIn(user)
    await records.deleteRecords(user.id, { kind: "session" })
    const extended = await read(own, day + 1, null)
    const context = at(own, 60, null)
    const strategy = selectStrategy(context.settings)
    await strategy.peek(context)
    const peeked = cookiesAfter(context, await strategy.leaves(context))
    for (const copy of [own, extended, peeked]) expect(await isOpen(copy, day + 2)).toBe(false)
  })
})

describe("a session from before that the jwt callback changes where it is not read", { tags: ["threat:SF-08"] }, () => {
  const changing = (more: Partial<AuthConfig> = {}) => {
    let count = 0
    const jwt = ({ token }: { token: JWT }) => ({ ...token, count: ++count })
    return stage({ callbacks: { jwt: jwt as never }, ...more })
  }

  /** The cookie after a request that asks for the signed-in user and does not read the session. */
  async function peeked({ at }: ReturnType<typeof stage>, cookies: Cookies, managed?: null): Promise<Cookies> {
    const context = at(cookies, 60, managed)
    const strategy = selectStrategy(context.settings)
    await strategy.peek(context)
    return cookiesAfter(context, await strategy.leaves(context))
  }

  it.each([
    ["the thief", "managed", undefined],
    ["the owner", "managed", undefined],
    ["the thief", "not managed yet", null],
    ["the owner", "not managed yet", null],
  ] as const)("ends with all its copies: %s has the changed one, sessions are %s", async (who, _, managed) => {
    const given = changing(managed === null ? keepsFacts : {})
    const { at, newUser, signIn, isOpen } = given
    const before = await signIn(await newUser("ada@app.test"), {}, null)
    const changed = await peeked(given, before, managed)
    expect(changed).not.toEqual(before)
    await selectStrategy(at().settings).end(at(who === "the thief" ? before : changed, 120))
    expect([await isOpen(before, 130), await isOpen(changed, 130)]).toEqual([false, false])
  })

  it("ends with its copies that were sealed anew as soon as tokens say what they rest on, by whoever has it", async () => {
    const plain = changing()
    const { signIn, newUser, memory, records } = plain
    const before = await signIn(await newUser("ada@app.test"), {}, null)
    const given = changing({ ...keepsFacts, adapter: memory, records })
    const [changed, extended] = [await peeked(given, before, null), await given.read(before, day + 1, null)]
    const { at, isOpen } = given
    expect(await isOpen(changed, day + 2)).toBe(true)
    await selectStrategy(at().settings).end(at(extended, day + 3))
    for (const copy of [before, changed, extended]) expect(await isOpen(copy, day + 4)).toBe(false)
  })

  it("ends with all its copies by its name", async () => {
    const given = changing()
    const { at, newUser, signIn, isOpen, read } = given
    const user = await newUser("ada@app.test")
    const before = await signIn(user, {}, null)
    const own = await read(await peeked(given, before), 90)
    const other = await signIn(user, { seconds: 100 })
    const named = (await listEntries(at(other, 120))).find(({ current }) => !current)
    expect(await endOne(at(other, 121), named?.id ?? "")).toMatchObject({ count: 1 })
    expect([await isOpen(before, 130), await isOpen(own, 130)]).toEqual([false, false])
  })

  it("ends with all its copies, where the records were away while it was read", async () => {
    const { at, records, newUser, signIn, isOpen } = changing()
    const before = await signIn(await newUser("ada@app.test"), {}, null)
    vi.spyOn(records, "putRecord").mockRejectedValueOnce(new Error("away"))
    const context = at(before, 60)
    const strategy = selectStrategy(context.settings)
    await expect(strategy.check(context)).rejects.toMatchObject({ type: "JWTSessionError" })
    const changed = cookiesAfter(context, await strategy.leaves(context))
    expect(changed).not.toEqual(before)
    await strategy.end(at(changed, 120))
    expect([await isOpen(before, 130), await isOpen(changed, 130)]).toEqual([false, false])
  })

  it("still ends with all others, and stays one where it goes on", { tags: ["threat:RC-12"] }, async () => {
    const given = changing()
    const { at, newUser, signIn, isOpen } = given
    const user = await newUser("ada@app.test")
    const before = await signIn(user, {}, null)
    const changed = await peeked(given, before)
    const context = at(changed, 90)
    const renewed = cookiesAfter(context, (await rotate(context)).cookies)
    expect(await listEntries(at(renewed, 91))).toMatchObject([{ current: true }])
    await endAll(at(renewed, 120), user.id)
    for (const copy of [before, changed, renewed]) expect(await isOpen(copy, 180)).toBe(false)
  })
})
