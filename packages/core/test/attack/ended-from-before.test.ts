/** Sessions from before they were managed: requests of a thief around the moment at which the owner ends all others. */
import { describe, expect, it, vi } from "vitest"
import { memoryRecords } from "../../src/memory.js"
import { endAll, endOne, endOthers, listEntries, rotate } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { JWTDecodeParams, JWTEncodeParams } from "../../src/types/token.js"
import { cookiesAfter } from "../support/context.js"
import { gate } from "../support/gate.js"
import { type Cookies, managedStage, strategies } from "../support/managed-stage.js"
import { account } from "../support/signed-in.js"

const day = 86_400

/** An adapter that ends each row for itself. */
const foreign = (_: Required<Adapter>) => ({
  deleteSessionsByUserId: undefined,
  listSessionsByUserId: undefined,
  transaction: undefined,
})

describe.each(strategies)(
  "the owner, whose own session is from before, ends all others: %s",
  {
    tags: ["threat:SF-08", "threat:RC-12"],
  },
  (strategy) => {
    it.each(["a due read", "a new token"])(
      "while a thief with another has %s after the list was read",
      async (what) => {
        const records = memoryRecords()
        const stage = managedStage({ strategy, records })
        const user = await stage.newUser("ada@app.test")
        const thief = await stage.signIn(user, {}, null)
        const own = await stage.signIn(user, { seconds: 1 }, null)
        const { listRecords } = records
        let next: Cookies = {}
        vi.spyOn(records, "listRecords").mockImplementationOnce(async (...given) => {
          const found = await listRecords(...given)
          const context = stage.at(thief, day + 60)
          const { check } = selectStrategy(context.settings)
          const { cookies } = what === "a new token" ? await rotate(context) : await check(context)
          next = cookiesAfter(context, cookies)
          return found
        })
        const context = stage.at(own, day + 61)
        const after = cookiesAfter(context, (await endOthers(context)).cookies)
        const open = [after, thief, next].map((cookies) => stage.isOpen(cookies, day + 120))
        expect(await Promise.all(open)).toEqual([true, false, false])
      },
    )
  },
)

describe.each(strategies)("one session from before that ends: %s", { tags: ["threat:SF-08"] }, (strategy) => {
  /** The owner ends it, while a thief has its cookie from before, and the one it got since. */
  async function ended(how: "end" | "signOut" | "signIn" | "atMost") {
    const stage = managedStage({ strategy, records: memoryRecords(), options: { atMost: 2 } })
    const user = await stage.newUser("ada@app.test")
    const before = await stage.signIn(user, {}, null)
    const own = await stage.signIn(user, { seconds: 1 })
    const context = stage.at(before, day + 1)
    const { check } = selectStrategy(context.settings)
    const since = cookiesAfter(context, (await check(context)).cookies)
    const other = (await listEntries(stage.at(own, day + 2))).find(({ current }) => !current)
    const { end } = selectStrategy(stage.at().settings)
    if (how === "end") await endOne(stage.at(own, day + 2), other?.id ?? "")
    else if (how === "signOut") await end(stage.at(before, day + 2))
    else await stage.signIn(user, { seconds: day + 2, ...(how === "signIn" && { cookies: before }) })
    const open = [before, since, own].map((cookies) => stage.isOpen(cookies, day + 3))
    const names = await listEntries(stage.at(own, day + 20))
    return [...(await Promise.all(open)), names.some(({ id }) => id === other?.id)]
  }

  it.each(["end", "signOut", "signIn", "atMost"] as const)("opens with no cookie any more: %s", async (how) => {
    expect(await ended(how)).toEqual([false, false, true, false])
  })

  it("gets no record from a request that was on its way", async () => {
    const records = memoryRecords()
    const stage = managedStage({ strategy, records, config: { session: { updateAge: 0 } } })
    const user = await stage.newUser("ada@app.test")
    const before = await stage.signIn(user, {}, null)
    const { putRecord } = records
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      await selectStrategy(stage.at().settings).end(stage.at(before, 60))
      return putRecord(...given)
    })
    expect(await stage.isOpen(before, 60)).toBe(false)
    expect(await records.listRecords("session", user.id)).toEqual([])
  })
})

describe("one session from before", { tags: ["threat:SF-08"] }, () => {
  it("ends in its record though no mark is taken, and it is said", async () => {
    const records = memoryRecords()
    const stage = managedStage({ strategy: "jwt", records })
    const user = await stage.newUser("ada@app.test")
    const before = await stage.signIn(user, {}, null)
    const context = stage.at(before, day + 1)
    const { check, end } = selectStrategy(context.settings)
    const since = cookiesAfter(context, (await check(context)).cookies)
    vi.spyOn(records, "countRecord").mockRejectedValue(new Error("full"))
    const { failure } = await end(stage.at(since, day + 2))
    expect(failure).toMatchObject({ type: "SignOutError" })
    expect(await records.listRecords("session", user.id)).toEqual([])
  })
})

describe("a session from before that a sign-in takes the place of", { tags: ["threat:SF-08"] }, () => {
  it("ends, and the sign-in goes on, where the store fails to remove the record that it has not got", async () => {
    const records = memoryRecords()
    const stage = managedStage({ strategy: "jwt", records })
    const user = await stage.newUser("ada@app.test")
    const before = await stage.signIn(user, {}, null)
    vi.spyOn(records, "takeRecord").mockRejectedValueOnce(new Error("the connection was reset"))
    const context = stage.at(before, 60)
    const { begin } = selectStrategy(context.settings)
    const { cookies } = await begin(context, { user, account, isNew: false }, context.settings.store)
    expect(context.logged).toMatchObject([{ type: "AdapterError" }])
    expect(await stage.isOpen(cookiesAfter(context, cookies), 61)).toBe(true)
    expect(await stage.isOpen(before, 61)).toBe(false)
  })

  it("goes on, and the sign-in does not, where its record cannot be removed", async () => {
    const records = memoryRecords()
    const stage = managedStage({ strategy: "jwt", records })
    const user = await stage.newUser("ada@app.test")
    const before = await stage.signIn(user, {}, null)
    const context = stage.at(before, day + 1)
    const since = cookiesAfter(context, (await selectStrategy(context.settings).check(context)).cookies)
    for (const cookies of [before, since]) {
      vi.spyOn(records, "takeRecord").mockRejectedValueOnce(new Error("the connection was reset"))
      await expect(stage.signIn(user, { cookies, seconds: day + 60 })).rejects.toMatchObject({ type: "AdapterError" })
      expect(await stage.isOpen(since, day + 61)).toBe(true)
    }
  })
})

describe("three requests of a thief with one sealed cookie from before", { tags: ["threat:RC-12"] }, () => {
  it.each(["endAll", "endOthers"])("around %s leave no session", async (what) => {
    const records = memoryRecords()
    const stage = managedStage({ strategy: "jwt", records, config: { session: { updateAge: 0 } } })
    const user = await stage.newUser("ada@app.test")
    const thief = await stage.signIn(user, {}, null)
    const own = await stage.signIn(user, { seconds: 1 })
    const { putRecord, getRecord } = records
    const read = () => selectStrategy(stage.at(thief, 60).settings).check(stage.at(thief, 60))
    const [third, second] = [gate(), gate()]
    const [thirdReady, secondReady, thirdWrote, secondDone] = [gate(), gate(), gate(), gate()]
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      thirdReady.open()
      await third.opened
      const isMade = await putRecord(...given)
      thirdWrote.open()
      await secondDone.opened
      return isMade
    })
    // It has looked whether all were ended, and is about to write the record.
    const last = read()
    await thirdReady.opened
    await read()
    let isSecond = true
    vi.spyOn(records, "getRecord").mockImplementation(async (key) => {
      if (key.kind === "session" && isSecond) {
        isSecond = false
        secondReady.open()
        await second.opened
      }
      return getRecord(key)
    })
    const context = stage.at(thief, 60)
    // It knows that the record is there and that nothing has ended, and is about to read it.
    const rotated = rotate(context)
    await secondReady.opened
    await (what === "endAll" ? endAll(stage.at(own, 61), user.id) : endOthers(stage.at(own, 61)))
    third.open()
    await thirdWrote.opened
    second.open()
    const next = cookiesAfter(context, (await rotated).cookies)
    secondDone.open()
    await last
    expect([await stage.isOpen(thief, 120), await stage.isOpen(next, 120)]).toEqual([false, false])
  })
})

it.each([
  ["ends all others twice", endOthers],
  ["asks for a new token, and ends all others", rotate],
])("the owner, whose browser %s at once, goes on with one token", { tags: ["threat:RC-12"] }, async (_, first) => {
  const records = memoryRecords()
  const stage = managedStage({ strategy: "jwt", records })
  const user = await stage.newUser("ada@app.test")
  const own = await stage.signIn(user, {}, null)
  const thief = await stage.signIn(user, {}, null)
  const { putRecord } = records
  const overtaking = stage.at(own, 60)
  let isFirst = true
  vi.spyOn(records, "putRecord").mockImplementation(async (...given) => {
    const isMade = await putRecord(...given)
    if (!isFirst || given[0].kind !== "session") return isMade
    isFirst = false
    // It finds the record with the token that the other one is about to hand out, and is refused: it may be a copy.
    expect(await endOthers(overtaking)).toEqual({ count: 0, cookies: [], isSignedOut: true })
    return isMade
  })
  const context = stage.at(own, 60)
  const after = cookiesAfter(context, (await first(context)).cookies)
  expect([await stage.isOpen(after, 120), await stage.isOpen(thief, 120)]).toEqual([true, first === rotate])
  // Sent again, as the refusal asks for.
  const again = stage.at(after, 121)
  const last = cookiesAfter(again, (await endOthers(again)).cookies)
  expect([await stage.isOpen(last, 122), await stage.isOpen(thief, 122)]).toEqual([true, false])
  await endAll(stage.at(last, 130), user.id)
  expect(await stage.isOpen(last, 140)).toBe(false)
})

it("the owner, whose browser asks for a new token while it is ending all others, goes on with that token", {
  tags: ["threat:RC-12"],
}, async () => {
  const records = memoryRecords()
  const stage = managedStage({ strategy: "jwt", records })
  const user = await stage.newUser("ada@app.test")
  const own = await stage.signIn(user, {}, null)
  const thief = await stage.signIn(user, {}, null)
  const { listRecords, putRecord } = records
  const [looking, go] = [gate(), gate()]
  vi.spyOn(records, "listRecords").mockImplementationOnce(async (...given) => {
    looking.open()
    await go.opened
    return listRecords(...given)
  })
  const ending = endOthers(stage.at(own, 60))
  await looking.opened
  vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
    const isMade = await putRecord(...given)
    // The record is there, with the token that is about to be handed out: all others end, and those from before with them.
    go.open()
    expect((await ending).cookies).toEqual([])
    return isMade
  })
  const context = stage.at(own, 60)
  const after = cookiesAfter(context, (await rotate(context)).cookies)
  expect([await stage.isOpen(after, 120), await stage.isOpen(thief, 120)]).toEqual([true, false])
})

it("the owner's other tab, whose request with the cookie from before comes late, leaves the new one alone", {
  tags: ["threat:RC-12"],
}, async () => {
  const stage = managedStage({ strategy: "jwt", records: memoryRecords() })
  const user = await stage.newUser("ada@app.test")
  const own = await stage.signIn(user, {}, null)
  const context = stage.at(own, 60)
  const after = cookiesAfter(context, (await endOthers(context)).cookies)
  const late = stage.at(own, 60)
  const read = () => selectStrategy(late.settings).check(late)
  expect(await read()).toEqual({ session: null, cookies: [], events: [] })
  expect(await stage.isOpen(after, 61)).toBe(true)
  await endAll(stage.at(after, 62), user.id)
  expect((await read()).cookies).toEqual([{ role: "sessionToken", clear: true }])
})

describe("a thief with a row from before", { tags: ["threat:RC-11"] }, () => {
  it("gets no record where the store fails before it was asked whether all had ended", async () => {
    const records = memoryRecords()
    const stage = managedStage({ strategy: "database", records, over: foreign, config: { session: { updateAge: 0 } } })
    const user = await stage.newUser("ada@app.test")
    const thief = await stage.signIn(user, {}, null)
    const own = await stage.signIn(user, { seconds: 1 })
    const { putRecord, getRecord } = records
    let fails = false
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      await endAll(stage.at(own, 60), user.id)
      fails = true
      return putRecord(...given)
    })
    vi.spyOn(records, "getRecord").mockImplementation(async (key) => {
      if (!fails || key.kind !== "epoch") return getRecord(key)
      fails = false
      throw new Error("the connection was reset")
    })
    await expect(listEntries(stage.at(thief, 60))).rejects.toMatchObject({ type: "AdapterError" })
    expect(await stage.isOpen(thief, 120)).toBe(false)
  })

  it.each(["endOthers", "endAll"])(
    "is out after %s of the owner, also where they end all others in between",
    async (what) => {
      const records = memoryRecords()
      const stage = managedStage({
        strategy: "database",
        records,
        over: foreign,
        config: { session: { updateAge: 0 } },
      })
      const user = await stage.newUser("ada@app.test")
      const thief = await stage.signIn(user, {}, null)
      const own = await stage.signIn(user, { seconds: 1 })
      const { putRecord } = records
      let next: Cookies = {}
      vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
        // The first request has looked whether all were ended, and is about to write the record.
        await (what === "endOthers" ? endOthers(stage.at(own, 60)) : endAll(stage.at(own, 60), user.id))
        const isMade = await putRecord(...given)
        const second = stage.at(thief, 61)
        next = cookiesAfter(second, (await endOthers(second)).cookies)
        return isMade
      })
      await stage.isOpen(thief, 60)
      expect([await stage.isOpen(thief, 120), await stage.isOpen(next, 120)]).toEqual([false, false])
    },
  )

  it("stays out where an instance whose clock is behind ends all others later", async () => {
    const stage = managedStage({ strategy: "database", over: foreign, config: { session: { updateAge: 0 } } })
    const user = await stage.newUser("ada@app.test")
    const own = await stage.signIn(user, { seconds: 1 })
    const thief = await stage.signIn(user, { seconds: 100 }, null)
    await endAll(stage.at(own, 110), user.id)
    const other = await stage.signIn(user, { seconds: 111 })
    await endOthers(stage.at(other, 95))
    expect(await stage.isOpen(thief, 120)).toBe(false)
  })
})

describe("the owner, whose own session is from before and whose tokens have no id (`jwt.encode`)", () => {
  it("ends all others and goes on", { tags: ["threat:SF-08"] }, async () => {
    const write = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url")
    const read = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString())
    const now = Math.floor(Date.parse("2026-03-01T12:00:00Z") / 1000)
    const jwt = {
      encode: ({ token, maxAge = 0 }: JWTEncodeParams) => write({ ...token, iat: now, exp: now + maxAge }),
      decode: ({ token }: JWTDecodeParams) => read(token ?? ""),
    }
    const stage = managedStage({ strategy: "jwt", config: { jwt } })
    const user = await stage.newUser("ada@app.test")
    const [own, other] = [await stage.signIn(user, {}, null), await stage.signIn(user, {}, null)]
    const context = stage.at(own, 60)
    const after = cookiesAfter(context, (await endOthers(context)).cookies)
    expect([await stage.isOpen(after, 61), await stage.isOpen(other, 61)]).toEqual([true, false])
    expect(await listEntries(stage.at(after, 61))).toHaveLength(1)
  })
})
