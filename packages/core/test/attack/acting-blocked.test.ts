/** Whoever acts for a user stops with their own sessions, and with their user; acting again from inside gives them no more time. */
import { describe, expect, it } from "vitest"
import { actAs, endAll, endOthers, listEntries } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { AdapterUser } from "../../src/types/identity.js"
import type { AdapterSession } from "../../src/types/session.js"
import { cookiesAfter } from "../support/context.js"
import { type Cookies, type ManagedGiven, managedStage, strategies } from "../support/managed-stage.js"

const minutes = 60

async function stage(given: ManagedGiven) {
  const whole = managedStage(given)
  const { at, newUser, signIn } = whole
  const [user, actor] = [await newUser("user@app.test"), await newUser("support@app.test")]
  const support = await signIn(actor)
  /** What the browser carries then; `null`: nobody acts. */
  const act = async (cookies: Cookies, seconds = 0, id = user.id): Promise<Cookies | null> => {
    const context = at(cookies, seconds)
    const { count, cookies: changes } = await actAs(context, id)
    return count === 0 ? null : cookiesAfter(context, changes)
  }
  const acting = async (seconds = 0): Promise<Cookies> => (await act(support, seconds)) ?? {}
  return { ...whole, user, actor, support, act, acting }
}

describe.each(strategies)("somebody acts for a user, %s strategy", { tags: ["threat:SF-26"] }, (strategy) => {
  it("no longer where all their own sessions are ended", async () => {
    const { at, user, actor, signIn, act, acting, isOpen } = await stage({ strategy })
    const theirs = await signIn(user)
    const cookies = await acting()
    expect([await isOpen(cookies, 1), (await listEntries(at(theirs, 1))).length]).toEqual([true, 2])
    await endAll(at({}, 2), actor.id)
    expect((await listEntries(at(theirs, 3))).map(({ actor: who }) => who)).toEqual([undefined])
    expect(await act(cookies, 3)).toBeNull()
    expect([await isOpen(cookies, 3), await isOpen(theirs, 3)]).toEqual([false, true])
  })

  it("no longer where they are ended in the second in which it began", async () => {
    const { at, actor, acting, isOpen } = await stage({ strategy })
    const cookies = await acting()
    await endAll(at(), actor.id)
    expect(await isOpen(cookies)).toBe(false)
  })

  it("also where they had been ended before, and where one of them has ended the others", async () => {
    const { at, actor, signIn, act, isOpen } = await stage({ strategy })
    await endAll(at(), actor.id)
    const back = (await act(await signIn(actor, { seconds: 1 }), 1)) ?? {}
    expect(await isOpen(back, 1)).toBe(true)
    const earlier = await signIn(actor, { seconds: 2 }, null)
    const context = at(earlier, 2)
    const kept = cookiesAfter(context, (await endOthers(context)).cookies)
    const next = (await act(kept, 2)) ?? {}
    expect(await isOpen(next, 2)).toBe(true)
  })

  it("no longer where they are deleted", async () => {
    const { memory, actor, act, acting, isOpen } = await stage({ strategy })
    const cookies = await acting()
    await memory.deleteUser(actor.id)
    expect(await act(cookies, 1)).toBeNull()
    expect(await isOpen(cookies, 1)).toBe(false)
  })

  it("for half an hour from the first time on, whomever else they act for", async () => {
    const { user, newUser, act, acting, isOpen } = await stage({ strategy })
    const other = await newUser("other@app.test")
    const second = (await act(await acting(), 20 * minutes, other.id)) ?? {}
    expect(await isOpen(second, 29 * minutes)).toBe(true)
    const third = (await act(second, 29 * minutes, user.id)) ?? {}
    expect([await isOpen(third, 29 * minutes), await isOpen(third, 30 * minutes)]).toEqual([true, false])
    expect(await act(third, 30 * minutes, other.id)).toBeNull()
  })

  it("not where they are signed out at that moment", async () => {
    const during: (() => Promise<unknown>)[] = []
    const { at, support, act } = await stage({
      strategy,
      over: (adapter) => ({
        getUser: async (id: string) => {
          await during.pop()?.()
          return adapter.getUser(id)
        },
      }),
    })
    const context = at(support)
    during.push(() => selectStrategy(context.settings).end(context))
    expect(await act(support)).toBeNull()
    expect(await listEntries(at(support))).toEqual([])
  })
})

describe("somebody acts whom the store does not know", { tags: ["threat:SF-26"] }, () => {
  it("as long as anybody else", async () => {
    const { at, user, signIn, isOpen } = await stage({ strategy: "jwt" })
    const login = { account: { provider: "password", providerAccountId: "clerk", type: "credentials" } } as const
    const clerk = await signIn({ id: "clerk", email: "clerk@app.test", emailVerified: null }, { login })
    const context = at(clerk)
    const cookies = cookiesAfter(context, (await actAs(context, user.id)).cookies)
    expect(await isOpen(cookies, 1)).toBe(true)
    await endAll(at({}, 2), "clerk")
    expect(await isOpen(cookies, 3)).toBe(false)
  })
})

const places = strategies.flatMap((strategy) => [false, true].map((isInside) => ({ strategy, isInside })))
it.each(places)(
  "refuses whoever is deleted while they begin to act: $strategy strategy, from inside of acting: $isInside",
  {
    tags: ["threat:SF-26", "threat:SF-20"],
  },
  async ({ strategy, isInside }) => {
    let asked = async (_id: string): Promise<void> => {}
    const over: ManagedGiven["over"] = ({ getUser }) => ({
      getUser: async (id: string) => {
        await asked(id)
        return getUser(id)
      },
    })
    const { memory, user, actor, support, newUser, act, isOpen } = await stage({ strategy, over })
    const from = isInside ? await act(support, 0, (await newUser("other@app.test")).id) : support
    asked = async (id) => {
      if (id === user.id) await memory.deleteUser(actor.id)
    }
    const cookies = await act(from ?? {}, 1)
    expect(cookies && (await isOpen(cookies, 1))).not.toBe(true)
  },
)

it("lets somebody act whom the store finds by a number alone", { tags: ["threat:SF-26"] }, async () => {
  const numbers = new Map<string, number>()
  const numbered = <U extends { readonly id: string } | null>(user: U): U => {
    if (user && !numbers.has(user.id)) numbers.set(user.id, numbers.size + 1)
    return user && { ...user, id: numbers.get(user.id) }
  }
  const textOf = (id: unknown): string => [...numbers].find(([, number]) => number === id)?.[0] ?? "nobody"
  const over: NonNullable<ManagedGiven["over"]> = (memory) => ({
    createUser: async (user: AdapterUser) => numbered(await memory.createUser(user)),
    getUser: async (id: string) => numbered(await memory.getUser(textOf(id))),
    createSession: (row: AdapterSession) => memory.createSession({ ...row, userId: textOf(row.userId) }),
    async getSessionAndUser(token: string) {
      const found = await memory.getSessionAndUser(token)
      const user = numbered(found?.user ?? null)
      return found && user && { user, session: { ...found.session, userId: user.id } }
    },
    deleteSessionsByUserId: undefined,
    listSessionsByUserId: undefined,
  })
  const { at, adapter, signIn, isOpen } = managedStage({ strategy: "database", over })
  const [user, actor] = [await adapter.createUser(person("user")), await adapter.createUser(person("support"))]
  const context = at(await signIn(actor), 1)
  const { count, cookies } = await actAs(context, user.id)
  expect(count).toBe(1)
  expect(await isOpen(cookiesAfter(context, cookies), 2)).toBe(true)
})

const person = (name: string): AdapterUser => ({ id: "", email: `${name}@app.test`, emailVerified: null })
