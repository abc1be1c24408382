/** Sessions in tokens from before they were managed, where another secret is put in front before or after they end: whoever kept a copy of the cookie gets none of them back. */
import { describe, expect, it } from "vitest"
import { walkSeals } from "../../src/ledger/reseal.js"
import { memoryRecords } from "../../src/memory.js"
import { endOne, endOthers, listEntries } from "../../src/sessions/control.js"
import { ledgerOf } from "../../src/sessions/managed.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { AdapterUser } from "../../src/types/identity.js"
import type { JWT } from "../../src/types/token.js"
import { cookiesAfter } from "../support/context.js"
import { type Cookies, managedStage } from "../support/managed-stage.js"

const [old, fresh] = ["old-secret-of-at-least-32-characters", "new-secret-of-at-least-32-characters"]
const day = 86_400

type Stage = ReturnType<typeof managedStage>

/** One application at instances with these secrets, and a user of it. */
async function instances<Name extends string>(
  secrets: Readonly<Record<Name, string | string[]>>,
  { atMost, config }: { readonly atMost?: number | undefined; readonly config?: Partial<AuthConfig> } = {},
): Promise<Readonly<Record<Name, Stage> & { user: AdapterUser }>> {
  const records = memoryRecords()
  const options = atMost === undefined ? {} : { atMost }
  const { memory, newUser } = managedStage({ strategy: "jwt" })
  const made = Object.entries(secrets).map(([name, secret]) => [
    name,
    managedStage({ strategy: "jwt", records, options, config: { ...config, secret } as never, over: () => memory }),
  ])
  return { ...(Object.fromEntries(made) as Record<Name, Stage>), user: await newUser("ada@app.test") }
}

/** What the browser carries after it read its session. */
async function read({ at }: Stage, cookies: Cookies, seconds: number): Promise<Cookies> {
  const context = at(cookies, seconds)
  return cookiesAfter(context, (await selectStrategy(context.settings).check(context)).cookies)
}

/** The same after a request that asks for the signed-in user alone. */
async function peeked({ at }: Stage, cookies: Cookies, seconds: number): Promise<Cookies> {
  const context = at(cookies, seconds)
  const strategy = selectStrategy(context.settings)
  await strategy.peek(context)
  return cookiesAfter(context, await strategy.leaves(context))
}

async function signOut({ at }: Stage, cookies: Cookies, seconds: number): Promise<void> {
  const context = at(cookies, seconds)
  await selectStrategy(context.settings).end(context)
}

async function endByName({ at }: Stage, own: Cookies, seconds: number): Promise<void> {
  const other = (await listEntries(at(own, seconds))).find(({ current }) => !current)
  await endOne(at(own, seconds), other?.id ?? "")
}

const both = { before: old, after: [fresh, old] }

describe("a session from before that has ended", { tags: ["threat:SF-08", "threat:SF-19"] }, () => {
  it.each(["signing out", "its name", "a new sign-in", "too many sign-ins"])(
    "stays over once a new secret is in front, and sealed anew: by %s",
    async (how) => {
      const { before, after, user } = await instances(both, { atMost: how === "too many sign-ins" ? 1 : undefined })
      const copy = await before.signIn(user, {}, null)
      if (how === "signing out") await signOut(before, copy, 10)
      else if (how === "a new sign-in") await before.signIn(user, { seconds: 10, cookies: copy })
      else {
        await read(before, copy, day + 1)
        const own = await before.signIn(user, { seconds: day + 2 })
        if (how === "its name") await endByName(before, own, day + 3)
      }
      const at = day + 10
      expect(await before.isOpen(copy, at)).toBe(false)
      expect(await after.isOpen(copy, at)).toBe(false)
      await walkSeals({ ...ledgerOf(after.at({}, at)), kinds: [], isWriting: true, onProgress: () => {} })
      expect(await after.isOpen(copy, at + 1)).toBe(false)
      expect(await after.isOpen(await read(after, copy, 3 * day), 3 * day)).toBe(false)
    },
  )

  it.each(["signing out", "its name"])(
    "opens neither where the new secret is in front nor where the other one is: by %s",
    async (how) => {
      for (const where of ["after", "accepting"] as const) {
        const { user, ...all } = await instances({ ...both, accepting: [old, fresh] })
        const there = all[where]
        const copy = await all.before.signIn(user, {}, null)
        if (how === "its name") {
          await read(there, copy, day + 1)
          await endByName(there, await there.signIn(user, { seconds: day + 2 }), day + 3)
        } else await signOut(there, copy, day + 2)
        for (const instance of Object.values(all)) expect(await instance.isOpen(copy, day + 4)).toBe(false)
      }
    },
  )

  it("opens with no copy that was sealed without a record while the other secret was in front", async () => {
    let count = 0
    const jwt = ({ token }: { token: JWT }) => ({ ...token, count: ++count })
    const config = { callbacks: { jwt: jwt as never } }
    const { before, accepting, after, user } = await instances({ ...both, accepting: [old, fresh] }, { config })
    const cookie = await before.signIn(user, {}, null)
    const changed = await peeked(after, cookie, 10)
    expect(changed).not.toEqual(cookie)
    const own = await peeked(accepting, cookie, 20)
    await signOut(accepting, own, 30)
    for (const copy of [cookie, own, changed]) expect(await after.isOpen(copy, 40)).toBe(false)
  })

  it("ends with each record that instances with another secret in front have made of it", async () => {
    for (const how of ["signing out", "its name"]) {
      const { accepting, after, user } = await instances({ accepting: [old, fresh], after: [fresh, old] })
      const cookie = await accepting.signIn(user, {}, null)
      // Two requests at once, of which neither finds the record of the other.
      const [first, second] = await Promise.all([read(accepting, cookie, day + 1), read(after, cookie, day + 1)])
      expect(await after.idOf(first)).not.toBe(await after.idOf(second))
      if (how === "signing out") await signOut(accepting, first, day + 2)
      else await endByName(after, await after.signIn(user, { seconds: day + 2 }), day + 3)
      for (const copy of [cookie, first, second]) expect(await after.isOpen(copy, day + 4)).toBe(false)
    }
  })
})

describe("a session from before that goes on", { tags: ["threat:SF-08", "threat:SF-19"] }, () => {
  it("keeps its record where a new secret was put in front: it is listed once, and ends as one", async () => {
    const { before, after, user } = await instances(both)
    const cookie = await before.signIn(user, {}, null)
    const extended = await read(before, cookie, day + 1)
    const again = await read(after, cookie, day + 2)
    expect(await after.idOf(again)).toBe(await before.idOf(extended))
    const own = await after.signIn(user, { seconds: day + 3 })
    expect(await listEntries(after.at(own, day + 4))).toHaveLength(2)
    await endByName(after, own, day + 5)
    for (const copy of [cookie, extended, again]) expect(await after.isOpen(copy, day + 6)).toBe(false)
  })

  it("gets no new token by a copy of the one from before, also with another secret in front", {
    tags: ["threat:RC-12"],
  }, async () => {
    const { before, after, user } = await instances(both)
    const cookie = await before.signIn(user, {}, null)
    const renewed = await before.rotate(cookie, 10)
    expect(await after.rotate(cookie, 20)).toBeNull()
    expect(await read(after, cookie, day + 1)).toEqual(cookie)
    expect(await after.isOpen(renewed ?? {}, day + 2)).toBe(true)
  })

  it("keeps the cookie in a browser that may have the newer one, after all others were ended with it", async () => {
    const { before, after, user } = await instances(both)
    const cookie = await before.signIn(user, {}, null)
    const context = before.at(cookie, 10)
    const own = cookiesAfter(context, (await endOthers(context)).cookies)
    expect(await after.isOpen(own, 20)).toBe(true)
    expect(await after.isOpen(cookie, 20)).toBe(false)
    expect(await read(after, cookie, 20)).toEqual(cookie)
  })

  it("leaves the names of the session before it where an account is added", async () => {
    const overallMaxAge = 90 * day
    const { after, user } = await instances(both, { config: { session: { strategy: "jwt", overallMaxAge } } })
    const plain = await instances(both)
    const cookie = await plain.after.signIn(user, {}, null)
    const added = await after.signIn(user, { cookies: cookie, seconds: 10, login: { addsAccount: true } }, null)
    await signOut(after, cookie, 20)
    expect(await after.isOpen(added, 30)).toBe(true)
  })
})
