import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, later } from "../../test/support/context.js"
import { type Cookies, managedStage, strategies, tokenIn } from "../../test/support/managed-stage.js"
import { listSessions, writeSession } from "../ledger/session.js"
import { memoryRecords } from "../memory.js"
import type { Adapter } from "../types/adapter.js"
import { actAs, endAll, endOne, endOthers, listEntries, rotate } from "./control.js"
import { ledgerOf } from "./managed.js"

const day = 86_400
const nothing = { count: 0, cookies: [] }

describe.each(strategies)("managed sessions, %s strategy", (strategy) => {
  it("are none without a session, and nothing can be done to them", async () => {
    const { at, newUser, signIn, isOpen } = managedStage({ strategy })
    const user = await newUser("ada@app.test")
    const theirs = await signIn(user)
    expect(await listEntries(at())).toEqual([])
    for (const change of [endOne(at(), "any"), endOthers(at())])
      expect(await change).toEqual({ ...nothing, isSignedOut: true })
    for (const change of [rotate(at()), actAs(at(), user.id)]) expect(await change).toEqual(nothing)
    expect(await isOpen(theirs)).toBe(true)
  })

  it("are shown by what they began with, the browser and their times, and nothing else", async () => {
    const { at, newUser, signIn } = managedStage({ strategy })
    const cookies = await signIn(await newUser("ada@app.test"))
    expect(await listEntries(at(cookies))).toStrictEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        current: true,
        startedAt: later(0),
        seenAt: later(0),
        expires: later(30 * day),
        via: { provider: "op", type: "oidc" },
        client: {},
      },
    ])
  })

  it("are shown with the strength of their proofs", async () => {
    const { at, newUser, signIn } = managedStage({ strategy })
    const user = await newUser("ada@app.test")
    const cookies = await signIn(user)
    const ledger = ledgerOf(at())
    for (const { content, ...record } of await listSessions(ledger, user.id)) {
      const proofs = [{ how: "webauthn", provider: "passkey", at: 0, acr: "phr" }] as const
      await writeSession(ledger, { ...record, content: { ...content, facts: { ...content.facts, proofs } } })
    }
    expect(await listEntries(at(cookies))).toMatchObject([{ acr: "phr" }])
  })

  it("are shown once while an earlier token of theirs is still believed", async () => {
    const { at, newUser, signIn, rotate: renew, isOpen } = managedStage({ strategy })
    const before = await signIn(await newUser("ada@app.test"))
    const after = (await renew(before)) ?? {}
    expect(await isOpen(before)).toBe(true)
    expect(await listEntries(at(after))).toMatchObject([{ current: true }])
  })

  it("get a new token for who carries the present one, and not for who carries the one before it", {
    tags: ["threat:SF-08"],
  }, async () => {
    const { at, newUser, signIn, rotate: renew, isOpen } = managedStage({ strategy })
    const before = await signIn(await newUser("ada@app.test"))
    const after = (await renew(before)) ?? {}
    expect(await isOpen(before)).toBe(true)
    expect(await rotate(at(before))).toEqual(nothing)
    expect(await rotate(at(after))).toMatchObject({ count: 1, cookies: [{ role: "sessionToken" }] })
  })

  it("of one's own end like a sign-out: the cookie goes, its token opens nothing, and the application hears of it", {
    tags: ["threat:SF-08"],
  }, async () => {
    const signOut = vi.fn()
    const { at, newUser, signIn, isOpen, idOf } = managedStage({ strategy, config: { events: { signOut } } })
    const cookies = await signIn(await newUser("ada@app.test"))
    const context = at(cookies)
    const ended = await endOne(context, await idOf(cookies))
    expect([ended.count, cookiesAfter(context, ended.cookies)]).toEqual([1, {}])
    expect(await isOpen(cookies)).toBe(false)
    expect(signOut).toHaveBeenCalledOnce()
  })

  it("are not said to have ended while the store is away", { tags: ["threat:SF-07"] }, async () => {
    const away = (): never => {
      throw new Error("the store is away")
    }
    const records = memoryRecords()
    const over = () => (strategy === "database" ? { deleteSession: away } : {})
    const { at, newUser, signIn, idOf } = managedStage({ strategy, records, over })
    const cookies = await signIn(await newUser("ada@app.test"))
    const id = await idOf(cookies)
    if (strategy === "jwt") vi.spyOn(records, "takeRecord").mockImplementation(away)
    await expect(endOne(at(cookies), id)).rejects.toMatchObject({ type: "SignOutError" })
  })

  it("end the others once when two requests ask for that at the same moment", { tags: ["threat:RC-12"] }, async () => {
    const { at, newUser, signIn, isOpen } = managedStage({ strategy })
    const user = await newUser("ada@app.test")
    const [here, other] = [await signIn(user), await signIn(user)]
    const both = await Promise.all([endOthers(at(here)), endOthers(at(here))])
    const cookies = both.flatMap((change) => change.cookies)
    expect(cookies).toEqual([expect.objectContaining({ role: "sessionToken" })])
    expect(await isOpen(cookiesAfter(at(here), cookies), 31)).toBe(true)
    expect(await isOpen(other)).toBe(false)
  })

  it("of a user are counted once each when all end, also those with an earlier token that is still believed", async () => {
    const { at, newUser, signIn, rotate: renew, isOpen } = managedStage({ strategy })
    const user = await newUser("ada@app.test")
    const [one, other] = [await signIn(user), await signIn(user)]
    const after = (await renew(one)) ?? {}
    expect(await endAll(at(), user.id)).toBe(2)
    for (const cookies of [one, other, after]) expect(await isOpen(cookies)).toBe(false)
  })

  it.each([undefined, null, {}, ["ada"], true])(
    "end for nobody, and none begins, where the id of a user is %j: some adapters take that for everybody",
    async (id) => {
      const { at, newUser, signIn, isOpen } = managedStage({ strategy })
      const cookies = await signIn(await newUser("ada@app.test"))
      const type = "InvalidConfiguration"
      const message = (method: string) => expect.stringMatching(new RegExp(`^${method}: expected the id of a user`))
      await expect(endAll(at(), id as never)).rejects.toMatchObject({ type, message: message("endAll") })
      await expect(actAs(at(cookies), id as never)).rejects.toMatchObject({ type, message: message("actAs") })
      expect(await isOpen(cookies)).toBe(true)
    },
  )

  it("end for a user whose id is a number, and begin for one", async () => {
    const { at, newUser, signIn } = managedStage({ strategy })
    const cookies = await signIn(await newUser("support@app.test"))
    expect(await endAll(at(), 7 as never)).toBe(0)
    expect(await actAs(at(cookies), 7 as never)).toEqual(nothing)
  })

  it("of somebody who acts begin for a user who exists, and for nobody else", { tags: ["threat:SF-26"] }, async () => {
    const { at, newUser, signIn, isOpen } = managedStage({ strategy })
    const cookies = await signIn(await newUser("support@app.test"))
    expect(await actAs(at(cookies), "nobody")).toEqual(nothing)
    expect(await isOpen(cookies)).toBe(true)
  })
})

it("the jwt callback is asked about somebody who acts as about a sign-in, not as about a new user", async () => {
  const jwt = vi.fn(({ token }: { readonly token: object }) => token)
  const { at, newUser, signIn } = managedStage({ strategy: "jwt", config: { callbacks: { jwt: jwt as never } } })
  const user = await newUser("ada@app.test")
  const cookies = await signIn(await newUser("support@app.test"))
  jwt.mockClear()
  await actAs(at(cookies), user.id)
  expect(jwt.mock.calls).toMatchObject([[{ user: { id: user.id }, trigger: "signIn", isNewUser: false }]])
})

describe("a session in a token from before sessions were managed", { tags: ["threat:SF-08"] }, () => {
  /** Two such sessions of a user, and a second later a managed one. */
  async function upgraded() {
    const stage = managedStage({ strategy: "jwt" })
    const user = await stage.newUser("ada@app.test")
    const earlier = [await stage.signIn(user, {}, null), await stage.signIn(user, {}, null)] as const
    return { ...stage, user, earlier, managed: await stage.signIn(user, { seconds: 1 }) }
  }

  it("ends with the others of its user", async () => {
    const { at, earlier, managed, isOpen } = await upgraded()
    const context = at(managed, 2)
    const { cookies } = await endOthers(context)
    for (const one of earlier) expect(await isOpen(one, 2)).toBe(false)
    expect(await isOpen(cookiesAfter(context, cookies), 33)).toBe(true)
  })

  it("can end the others itself: it goes on with a new token, and its old one opens nothing", async () => {
    const { at, earlier, managed, isOpen } = await upgraded()
    const context = at(earlier[0], 2)
    const { count, cookies } = await endOthers(context)
    expect(count).toBe(1)
    expect(await isOpen(cookiesAfter(context, cookies), 2)).toBe(true)
    for (const one of [...earlier, managed]) expect(await isOpen(one, 2)).toBe(false)
  })

  it("leaves somebody alone who signs in on another device meanwhile", async () => {
    const { at, user, earlier, records, signIn, isOpen } = await upgraded()
    const { listRecords } = records
    let phone: Cookies = {}
    vi.spyOn(records, "listRecords").mockImplementationOnce(async (...given) => {
      const found = await listRecords(...given)
      phone = await signIn(user, { seconds: 2 })
      return found
    })
    await endOthers(at(earlier[0], 2))
    expect(await isOpen(phone, 3)).toBe(true)
  })

  /** The other one gets a new token before this one has its first, when all with a record have been ended. */
  async function overtaken() {
    const stage = await upgraded()
    const { earlier, rotate: renew, records } = stage
    const { putRecord } = records
    let late: Cookies = {}
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      late = (await renew(earlier[1], 2)) ?? {}
      return putRecord(...given)
    })
    return { ...stage, late: () => late }
  }

  it("counts among the others one that got its first record meanwhile, and ends it", {
    tags: ["threat:RC-11"],
  }, async () => {
    const { at, earlier, late, isOpen } = await overtaken()
    expect(await endOthers(at(earlier[0], 2))).toMatchObject({ count: 2 })
    expect(tokenIn(late())).not.toBe("")
    expect(await isOpen(late(), 2)).toBe(false)
  })

  it("ends such a one where it cannot be marked, and the error says so", { tags: ["threat:RC-11"] }, async () => {
    const { at, earlier, late, records, isOpen } = await overtaken()
    const { countRecord } = records
    vi.spyOn(records, "countRecord").mockImplementation(async (key, given) => {
      if (given.add > 0) throw new Error("the store is full")
      return countRecord(key, given)
    })
    await expect(endOthers(at(earlier[0], 2))).rejects.toMatchObject({ type: "AdapterError" })
    expect(await isOpen(late(), 2)).toBe(false)
  })
})

describe("a row that was given a new token", () => {
  it("is closed with it when the store of records fails in the middle of its end, and no other is", async () => {
    const records = memoryRecords()
    const { at, newUser, signIn, isOpen, rotate: renew, idOf } = managedStage({ strategy: "database", records })
    const user = await newUser("ada@app.test")
    const [before, other] = [await signIn(user), await signIn(user)]
    const after: Cookies = (await renew(before)) ?? {}
    expect(tokenIn(after)).not.toBe(tokenIn(before))
    const id = await idOf(before)
    vi.spyOn(records, "takeRecord").mockRejectedValueOnce(new Error("connection lost"))
    expect(await endOne(at(before), id)).toMatchObject({ count: 1 })
    expect([await isOpen(before), await isOpen(after), await isOpen(other)]).toEqual([false, false, true])
  })

  /** Its row is not removed at the first try. */
  async function stubborn() {
    let stays: string | undefined
    const over = (adapter: Required<Adapter>) => ({
      async deleteSession(token: string) {
        if (token !== stays) return adapter.deleteSession(token)
        stays = undefined
        throw new Error("connection lost")
      },
    })
    const signOut = vi.fn()
    const stage = managedStage({ strategy: "database", over, config: { events: { signOut } } })
    const user = await stage.newUser("ada@app.test")
    const [before, other] = [await stage.signIn(user), await stage.signIn(user)]
    const after: Cookies = (await stage.rotate(before)) ?? {}
    const id = await stage.idOf(before)
    stays = tokenIn(after)
    return { ...stage, signOut, before, after, other, id }
  }

  it("is closed with it when its row is removed at a second try alone, and no other is", async () => {
    const { at, before, after, other, id, isOpen } = await stubborn()
    expect(await endOne(at(before), id)).toMatchObject({ count: 1 })
    expect([await isOpen(before), await isOpen(after), await isOpen(other)]).toEqual([false, false, true])
  })

  it("is closed with it, and the error says so, where the session cannot be marked at the second try either", async () => {
    const { at, before, after, other, id, isOpen, records, signOut } = await stubborn()
    vi.spyOn(records, "countRecord").mockRejectedValue(new Error("the store is full"))
    await expect(endOne(at(before), id)).rejects.toMatchObject({ type: "AdapterError" })
    expect(signOut).toHaveBeenCalledOnce()
    expect([await isOpen(before), await isOpen(after), await isOpen(other)]).toEqual([false, false, true])
  })
})
