/** A session that was ended at one process, at another one that believes its record for a while (`staleness`): it may be read there, and changes nothing. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it, vi } from "vitest"
import type { Settings } from "../../src/config/settings.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import { actAs, type ControlResult, endOne, endOthers, listEntries, rotate } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import { managedSessions } from "../../src/sessions.js"
import type { TestBrowser, Visit } from "../support/browser.js"
import type { TestContext } from "../support/context.js"
import { sessionCookie } from "../support/journeys.js"
import { type Cookies, managedStage } from "../support/managed-stage.js"
import { optionsOf, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"

const ada = "ada@app.test"
/** The accounts of the owner. */
const own = ["mail", "passkey"]

/** Two processes on one store. A thief has a copy of the owner's cookies, and has read the session at the other process. */
async function stolen() {
  const adapter = memoryAdapter()
  const records = memoryRecords()
  const open = (): Promise<World> =>
    makeWorld({
      strategy: "jwt",
      adapter,
      more: [Passkey()],
      config: {
        records,
        features: [managedSessions({ staleness: 60 }), passkeys()],
        experimental: { enableWebAuthn: true },
      },
    })
  const [here, there] = [await open(), await open()]
  const key = softwarePasskey()
  const before = here.browser()
  await here.signInByMail(before, ada)
  await registerPasskey(before, key)
  const thief = there.browser()
  for (const [name, cookie] of before.jar) thief.jar.set(name, cookie)
  await thief.session()
  /** The owner signs in again, and ends all other sessions. */
  const end = async (): Promise<TestBrowser> => {
    const owner = here.browser()
    await signInByPasskey(owner, key)
    expect((await owner.post("/auth/sessions", { end: "others" })).status).toBe(200)
    return owner
  }
  const user = await adapter.getUserByEmail(ada)
  const accounts = async (): Promise<readonly string[]> =>
    (await adapter.listAccountsByUserId(user?.id ?? "")).map(({ provider }) => provider).toSorted()
  const names = async (owner: TestBrowser): Promise<readonly { id: string; name?: string }[]> =>
    JSON.parse((await owner.get("/auth/passkeys")).text)
  return { here, there, thief, records, end, accounts, names }
}

describe("an ended session that another process still believes", { tags: ["threat:SF-08"] }, () => {
  it("is read there for a while, and adds no passkey", { tags: ["threat:V7-15"] }, async () => {
    const { thief, end, accounts, names } = await stolen()
    const owner = await end()
    expect(await thief.session()).toMatchObject({ user: { email: ada } })
    expect((await registerPasskey(thief, softwarePasskey())).status).not.toBe(200)
    expect(await accounts()).toEqual(own)
    expect(await names(owner)).toHaveLength(1)
    // By what it asked for, this process knows that the session has ended.
    expect(await thief.session()).toBeNull()
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  })

  it("adds no passkey whose options it asked for before", { tags: ["threat:V7-15"] }, async () => {
    const { thief, end, accounts } = await stolen()
    const { options } = await optionsOf(thief, { action: "register" })
    const data = JSON.stringify(await softwarePasskey().create(options))
    await end()
    await thief.post("/auth/callback/passkey", { action: "register", data }, { csrf: false, json: true })
    expect(await accounts()).toEqual(own)
  })

  it.each(["after it has ended", "before"])(
    "adds no account at a provider, where it begins %s",
    { tags: ["threat:V7-15"] },
    async (when) => {
      const { there, thief, end, accounts } = await stolen()
      const begin = async (): Promise<Visit> => thief.post("/auth/signin/op")
      const early = when === "before" ? await begin() : undefined
      await end()
      const begun = early ?? (await begin())
      const { pathname, search } = there.op.authorize(begun.location ?? "")
      await thief.get(pathname + search)
      expect(await accounts()).toEqual(own)
    },
  )

  it("removes and renames no passkey, and throws nobody out", async () => {
    const { thief, end, names } = await stolen()
    const [{ id = "" } = {}] = await names(thief)
    const owner = await end()
    const before = await names(owner)
    for (const fields of [
      { remove: id, last: "true" },
      { rename: id, name: "theirs" },
    ])
      expect((await thief.post("/auth/passkeys", fields)).status).toBe(401)
    expect((await thief.post("/auth/sessions", { end: "others" })).status).toBe(401)
    expect(await names(owner)).toEqual(before)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  })

  it("is neither over nor there while the store does not answer: nothing is done, and the cookie stays", async () => {
    const { thief, records, end, accounts } = await stolen()
    const carried = thief.cookie(sessionCookie)
    await end()
    const get = vi.spyOn(records, "getRecord").mockRejectedValue(new Error("away"))
    expect((await registerPasskey(thief, softwarePasskey())).status).toBe(503)
    expect((await thief.post("/auth/sessions", { end: "others" })).status).toBe(503)
    get.mockRestore()
    expect(thief.cookie(sessionCookie)).toBe(carried)
    expect(await accounts()).toEqual(own)
  })
})

/** Somebody's session that was ended at one process, and one that lives; `at` is the other process, which has read both. */
async function ended(config = {}) {
  const stage = managedStage({ strategy: "jwt", options: { staleness: 60 }, config })
  const user = await stage.newUser(ada)
  const [here, there]: Settings[] = [stage.at().settings, stage.at().settings]
  const on = (settings: Settings | undefined, cookies: Cookies, seconds: number): TestContext => {
    const context = stage.at(cookies, seconds)
    return { ...context, settings: settings ?? context.settings }
  }
  const [over, other] = [await stage.signIn(user), await stage.signIn(user, { seconds: 1 })]
  const at = (cookies: Cookies, seconds: number): TestContext => on(there, cookies, seconds)
  const read = async (cookies: Cookies, seconds: number): Promise<boolean> => {
    const context = at(cookies, seconds)
    return (await selectStrategy(context.settings).check(context)).session !== null
  }
  await read(over, 2)
  await read(other, 2)
  const context = on(here, over, 3)
  await selectStrategy(context.settings).end(context)
  return { ...stage, over, other, at, read }
}

const nothing: ControlResult = { count: 0, cookies: [] }

describe("an ended session that its process still believes", { tags: ["threat:SF-08"] }, () => {
  it.each([
    ["ends no other", endOthers],
    ["gets no new token", rotate],
    [
      "acts for nobody",
      async (context: TestContext) => {
        const eve = await context.settings.store.createUser({ id: "", email: "eve@app.test", emailVerified: null })
        return actAs(context, eve.id)
      },
    ],
  ] as const)("%s", async (_, act) => {
    const { over, other, at, read } = await ended()
    expect(await read(over, 4)).toBe(true)
    expect(await act(at(over, 5))).toMatchObject(nothing)
    expect([await read(over, 6), await read(other, 6)]).toEqual([false, true])
  })

  it("neither lists sessions nor ends one by its name", async () => {
    const { over, other, at, read, idOf } = await ended()
    const id = await idOf(other)
    expect(await endOne(at(over, 5), id)).toMatchObject(nothing)
    expect(await listEntries(at(over, 6))).toEqual([])
    expect(await read(other, 7)).toBe(true)
  })

  it("is not announced as signed out once more", async () => {
    const { over, at } = await ended()
    const context = at(over, 5)
    expect(await selectStrategy(context.settings).end(context)).toMatchObject({ events: [] })
  })

  it("gives the callbacks nothing that the client sent", async () => {
    const jwt = vi.fn(({ token }) => token)
    const { over, at } = await ended({ callbacks: { jwt } })
    jwt.mockClear()
    const context = at(over, 5)
    expect((await selectStrategy(context.settings).update(context, { name: "Eve" })).session).toBeNull()
    expect(jwt).not.toHaveBeenCalled()
  })
})
