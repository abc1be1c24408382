import { describe, expect, it } from "vitest"
import { cookiesAfter } from "../../test/support/context.js"
import { type Cookies, type ManagedGiven, managedStage, strategies } from "../../test/support/managed-stage.js"
import { account } from "../../test/support/signed-in.js"
import { listSessions, writeSession } from "../ledger/session.js"
import type { CallbacksOptions } from "../types/hooks.js"
import { endAll, endOne, endOthers, listEntries } from "./control.js"
import { ledgerOf } from "./managed.js"
import { selectStrategy } from "./select.js"

async function stage(given: ManagedGiven) {
  const whole = managedStage(given)
  const { at, newUser, signIn } = whole
  const user = await newUser("ada@app.test")
  const login = { user, account, isNew: false, addsAccount: true as const }
  /** An account is added to the session of the request. */
  const add = async (cookies: Cookies) => {
    const context = at(cookies)
    const { isOver, ...changed } = await selectStrategy(context.settings).begin(context, login, context.settings.store)
    return { isOver, cookies: cookiesAfter(context, changed.cookies) }
  }
  return { ...whole, user, add, first: await signIn(user) }
}

describe.each(strategies)("a session that goes on with an account added, %s strategy", (strategy) => {
  it("ends by the name that it had before", async () => {
    const { at, user, signIn, add, first, idOf, isOpen } = await stage({ strategy })
    const other = await signIn(user)
    const before = await idOf(first)
    const { cookies } = await add(first)
    expect(await endOne(at(other), before)).toMatchObject({ count: 1 })
    expect([await isOpen(cookies), await isOpen(other)]).toEqual([false, true])
  })

  it("stays where it asks for the end of the one before it", async () => {
    const { at, add, first, idOf, isOpen } = await stage({ strategy })
    const before = await idOf(first)
    const { cookies } = await add(first)
    expect(await endOne(at(cookies), before)).toMatchObject({ count: 0 })
    expect(await isOpen(cookies)).toBe(true)
  })

  it("stays where it ends all others, though a record of the one before it is left", async () => {
    const { at, adapter, user, add, first, isOpen } = await stage({ strategy })
    const [left] = await listSessions(ledgerOf(at()), user.id)
    const { cookies } = await add(first)
    if (!left) throw new Error("no record")
    const { version: _, ...draft } = left
    await writeSession(ledgerOf(at()), draft)
    const { sessionToken } = left.content
    if (sessionToken) await adapter.createSession({ sessionToken, userId: user.id, expires: left.expires })
    const context = at(cookies)
    const { count, cookies: changes } = await endOthers(context)
    expect([count, await isOpen(cookiesAfter(context, changes))]).toEqual([1, true])
  })

  it("is none where the one before it has ended", async () => {
    const { at, user, add, first } = await stage({ strategy })
    await endAll(at(), user.id)
    expect(await add(first)).toEqual({ isOver: true, cookies: first })
    expect(await listSessions(ledgerOf(at()), user.id)).toEqual([])
  })
})

describe("a session that goes on from one in a sealed cookie from before", () => {
  it("is none where that ends while the jwt callback is asked", async () => {
    const asked: (() => Promise<unknown>)[] = []
    const jwt: CallbacksOptions["jwt"] = async ({ token }) => {
      await asked.pop()?.()
      return token
    }
    const { at, user, add, signIn } = await stage({ strategy: "jwt", config: { callbacks: { jwt } } })
    const earlier = await signIn(user, {}, null)
    asked.push(() => endAll(at(), user.id))
    expect((await add(earlier)).isOver).toBe(true)
    expect(await listEntries(at(earlier))).toEqual([])
    expect(await listSessions(ledgerOf(at()), user.id)).toEqual([])
  })

  it("begins where that goes on", async () => {
    const { user, add, signIn, isOpen } = await stage({ strategy: "jwt" })
    const { cookies } = await add(await signIn(user, {}, null))
    expect(await isOpen(cookies)).toBe(true)
  })
})
