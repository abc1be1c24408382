import { memoryAdapter } from "@latchkey/core/memory"
import { managedSessions } from "@latchkey/core/sessions"
import { describe, expect, it } from "vitest"
import { switchedRecords } from "../../core/test/support/records-away.js"
import { NextAuth } from "../src/index.js"
import { adaOf, arrive, config, sent } from "./support/application.js"

/** A configuration in which sessions are managed, and what is done with the cookie of somebody. */
function open() {
  const adapter = memoryAdapter()
  const store = switchedRecords(adapter)
  const given = config({ adapter, records: store.records, features: [managedSessions()], session: { strategy: "jwt" } })
  const { auth, sessions } = NextAuth(given)
  const as = ({ cookie }: { readonly cookie: string }) => arrive(sent({ cookie }))
  const nameOf = async (one: { readonly cookie: string }) => {
    as(one)
    return (await auth())?.user?.name
  }
  return { as, given, nameOf, sessions, store }
}

const cookieOf = (cookies: readonly { readonly name: string; readonly value: string }[]) => ({
  cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
})

describe("sessions", () => {
  it("are listed and ended, one and all others, and this one gets a new token", async () => {
    const { as, given, nameOf, sessions } = open()
    const [here, other, third] = [await adaOf(given), await adaOf(given), await adaOf(given)]
    as(here)
    const list = await sessions.list()
    expect(list.map(({ current }) => current).toSorted()).toEqual([false, false, true])
    expect(await sessions.end(list.find(({ current }) => !current)?.id ?? "")).toBe(true)
    const { cookies } = as(here)
    expect(await sessions.endOthers()).toBe(true)
    expect(cookies).toMatchObject([{ options: { httpOnly: true, secure: true, path: "/" } }])
    const renewed = cookieOf(cookies)
    expect([await nameOf(renewed), await nameOf(other), await nameOf(third)]).toEqual(["Ada", undefined, undefined])
  })

  it("are given a new token, and end all at once", async () => {
    const { as, given, nameOf, sessions } = open()
    const { cookies } = as(await adaOf(given))
    expect(await sessions.rotate()).toBe(true)
    const renewed = cookieOf(cookies)
    expect(await sessions.endAll("1")).toBe(1)
    expect(await nameOf(renewed)).toBeUndefined()
  })

  it("stay as they are for a visitor", async () => {
    const { as, sessions } = open()
    const { cookies } = as({ cookie: "" })
    expect([await sessions.list(), await sessions.end("x"), await sessions.endOthers()]).toEqual([[], false, false])
    expect([await sessions.rotate(), await sessions.actAs("1"), cookies]).toEqual([false, false, []])
  })

  it("throw an error with status 503 and touch no cookie while the records are away", async () => {
    const { as, given, nameOf, sessions, store } = open()
    const here = await adaOf(given)
    store.isAway = true
    const { cookies } = as(here)
    for (const work of [sessions.list, sessions.endOthers, sessions.rotate])
      await expect(work()).rejects.toMatchObject({ status: 503 })
    expect(cookies).toEqual([])
    store.isAway = false
    expect(await nameOf(here)).toBe("Ada")
  })
})
