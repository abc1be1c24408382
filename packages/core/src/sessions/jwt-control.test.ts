import { describe, expect, it, vi } from "vitest"
import { managedStage, tokenIn } from "../../test/support/managed-stage.js"
import { listEntries, rotate } from "./control.js"
import { jwtControl } from "./jwt-control.js"

const stage = () => managedStage({ strategy: "jwt" })

describe("a session in a token whose record is gone", () => {
  it("is nobody's, and gets no new token", async () => {
    const { at, records, newUser, signIn } = stage()
    const user = await newUser("ada@app.test")
    const cookies = await signIn(user)
    await records.deleteRecords(user.id, { kind: "session" })
    expect(await listEntries(at(cookies))).toEqual([])
    expect(await rotate(at(cookies))).toEqual({ count: 0, cookies: [] })
  })
})

describe("a session in a token whose user was deleted", { tags: ["threat:SF-08"] }, () => {
  it("lists no sessions, and gets no new token", async () => {
    const { at, memory, newUser, signIn } = stage()
    const user = await newUser("ada@app.test")
    const [here] = [await signIn(user), await signIn(user)]
    await memory.deleteUser(user.id)
    expect(await listEntries(at(here))).toEqual([])
    expect(await rotate(at(here))).toEqual({ count: 0, cookies: [] })
  })
})

describe("a session in a token that names no user", () => {
  it("is nobody's: it lists no sessions", async () => {
    const { at, signIn } = stage()
    const cookies = await signIn({ id: undefined } as never)
    expect(await jwtControl.current(at(cookies))).toBeNull()
    expect(await listEntries(at(cookies))).toEqual([])
  })
})

describe("records that no secret opens", () => {
  it("are removed, and no others", async () => {
    const { at, records, newUser, signIn } = stage()
    const user = await newUser("ada@app.test")
    const [here, there] = [await signIn(user), await signIn(user)]
    const { now } = at()
    const [row] = await records.listRecords("session", user.id)
    if (!row) throw new Error("there is no record")
    await records.putRecord({ ...row, value: "of another secret" }, { expected: row.version, now })
    await jwtControl.endUnknown(at(here), user.id)
    const left = await records.listRecords("session", user.id)
    expect(left).toHaveLength(1)
    expect(await listEntries(at(left[0]?.key === row?.key ? here : there))).toHaveLength(1)
  })
})

describe("a session that began while sessions were kept in rows", () => {
  it.each([
    ["is removed with its record", true, 1],
    ["is not asked to be removed where it has gone", false, 0],
  ])("has a row that %s", async (_, isThere, calls) => {
    const inRows = managedStage({ strategy: "database" })
    const user = await inRows.newUser("ada@app.test")
    const cookies = await inRows.signIn(user)
    const deleteSession = vi.fn(inRows.adapter.deleteSession)
    const { at } = managedStage({
      ...{ strategy: "jwt", records: inRows.records },
      over: () => ({ ...inRows.adapter, deleteSession }),
    })
    if (!isThere) await inRows.memory.deleteSession(tokenIn(cookies))
    const [record] = await jwtControl.list(at(), user.id)
    if (!record) throw new Error("there is no record")
    await jwtControl.end(at(), record)
    expect(deleteSession).toHaveBeenCalledTimes(calls)
    expect(await jwtControl.list(at(), user.id)).toEqual([])
  })
})
