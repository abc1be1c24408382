import { describe, expect, it } from "vitest"
import { managedStage } from "../../test/support/managed-stage.js"
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
