import { memoryAdapter } from "@latchkey/core/memory"
import { managedSessions } from "@latchkey/core/sessions"
import { Hono } from "hono"
import { describe, expect, it } from "vitest"
import { switchedRecords } from "../../core/test/support/records-away.js"
import { AuthError, HonoAuth } from "../src/index.js"
import { browse, config } from "./support/app.js"

/** An application whose routes manage sessions; everybody is Ada. */
function open() {
  const adapter = memoryAdapter()
  const store = switchedRecords(adapter)
  const auth = HonoAuth(
    config({ adapter, records: store.records, features: [managedSessions()], session: { strategy: "jwt" } }),
  )
  const app = new Hono()
  app.onError((error, c) => {
    const { status = 500 } = error as { status?: 503 }
    return c.json({ error: error instanceof AuthError ? error.type : error.message }, status)
  })
  app.use("/auth/*", auth)
  app.post("/in", async (c) => auth.signIn(c, { provider: "credentials", fields: await c.req.json() }))
  app.get("/list", async (c) => c.json(await auth.sessions.list(c)))
  app.get("/update", async (c) => c.json(await auth.update(c, {}, { trusted: true })))
  app.get("/shared", async (c) => {
    const list = await auth.sessions.list(c)
    return c.json(list.length, 200, { "Cache-Control": "public, max-age=60" })
  })
  app.get("/own", auth.load(), async (c) => Response.json(await auth.sessions.list(c)))
  app.post("/:what", auth.load(), async (c) => {
    const fields = await c.req.json<Record<string, string>>()
    const { id = "" } = fields
    const work = {
      end: () => auth.sessions.end(c, id, { fields }),
      others: () => auth.sessions.endOthers(c, { fields }),
      all: () => auth.sessions.endAll(c, id),
      rotate: () => auth.sessions.rotate(c),
      act: () => auth.sessions.actAs(c, id),
    }[c.req.param("what") as "end"]
    return c.json({ done: await work(), shown: c.var.session?.user?.name ?? null })
  })
  const enter = async () => {
    const browser = browse(app)
    await browser.post("/in", { name: "Ada", password: "right" }, quiet)
    return browser
  }
  return { app, auth, enter, store }
}

const quiet = { csrf: false, json: true } as const

describe("auth.sessions", () => {
  it.each([
    ["list", [], "expected list(c), received nothing"],
    ["end", ["an id"], "expected end(c, id), received a string"],
    ["endOthers", [{ trusted: true }], "expected endOthers(c), received an object"],
    ["endAll", ["u1"], "expected endAll(c, userId), received a string"],
    ["rotate", [null], "expected rotate(c), received null"],
    ["actAs", [7], "expected actAs(c, userId), received a number"],
  ] as const)("says how %s is called, with %j", async (method, given, message) => {
    const { auth } = open()
    const call = auth.sessions[method] as unknown as (...given: unknown[]) => Promise<unknown>
    await expect(call(...given)).rejects.toMatchObject({
      type: "InvalidConfiguration",
      message: expect.stringContaining(message) as string,
    })
  })

  it("lists sessions, ends one and the others, and sets the new token of this one", async () => {
    const { enter } = open()
    const [here, other, third] = [await enter(), await enter(), await enter()]
    const list = JSON.parse((await here.get("/list")).text) as { id: string; current: boolean }[]
    expect(list.map(({ current }) => current).toSorted()).toEqual([false, false, true])
    const id = list.find(({ current }) => !current)?.id ?? ""
    expect(JSON.parse((await here.post("/end", { id }, quiet)).text)).toEqual({ done: true, shown: "Ada" })
    const answer = await here.post("/others", {}, quiet)
    expect(JSON.parse(answer.text)).toEqual({ done: true, shown: "Ada" })
    expect([answer.setCookies.length, answer.headers.get("cache-control")]).toEqual([1, "private, no-store"])
    expect(await here.session()).toMatchObject({ user: { name: "Ada" } })
    expect([await other.session(), await third.session()]).toEqual([null, null])
  })

  it("keeps the list and an update out of shared caches, also where no cookie is set, unless the handler says otherwise", {
    tags: ["threat:HD-03"],
  }, async () => {
    const { app, enter } = open()
    const [here, visitor] = [await enter(), browse(app)]
    const kept = async (path: string, browser = here) => {
      const { headers, setCookies } = await browser.get(path)
      return [headers.get("cache-control"), setCookies]
    }
    for (const path of ["/list", "/update", "/own"]) expect(await kept(path), path).toEqual(["private, no-store", []])
    expect(await kept("/shared")).toEqual(["public, max-age=60", []])
    for (const path of ["/list", "/own"]) expect(await kept(path, visitor), path).toEqual(["private, no-store", []])
    expect(await kept("/update", visitor)).toEqual([null, []])
  })

  it("ends the current one, gives it a new token, and ends all of a user", async () => {
    const { enter } = open()
    const [here, other] = [await enter(), await enter()]
    expect(JSON.parse((await other.post("/rotate", {}, quiet)).text)).toEqual({ done: true, shown: "Ada" })
    expect(await other.session()).toMatchObject({ user: { name: "Ada" } })
    const [own] = (JSON.parse((await here.get("/list")).text) as { id: string; current: boolean }[]).filter(
      ({ current }) => current,
    )
    expect(JSON.parse((await here.post("/end", { id: own?.id ?? "" }, quiet)).text)).toEqual({
      done: true,
      shown: null,
    })
    expect(JSON.parse((await other.post("/all", { id: "1" }, quiet)).text)).toMatchObject({ done: 1 })
    expect([await here.session(), await other.session()]).toEqual([null, null])
  })

  it("changes nothing for a visitor, and refuses what another site sends", async () => {
    const { app, enter } = open()
    for (const path of ["/end", "/others", "/rotate", "/act"]) {
      const visit = await browse(app).post(path, { id: "1" }, quiet)
      expect([JSON.parse(visit.text), visit.setCookies], path).toEqual([{ done: false, shown: null }, []])
    }
    const here = await enter()
    for (const path of ["/end", "/others", "/all", "/rotate", "/act"]) {
      const visit = await here.post(path, { id: "1" }, { ...quiet, headers: { origin: "https://evil.test" } })
      expect([JSON.parse(visit.text), visit.setCookies], path).toEqual([{ error: "MissingCSRF" }, []])
    }
    expect(await here.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("throws an error with status 503 and touches no cookie while the records are away", async () => {
    const { enter, store } = open()
    const here = await enter()
    store.isAway = true
    for (const path of ["/others", "/rotate"]) {
      const visit = await here.post(path, {}, quiet)
      expect([visit.status, visit.setCookies], path).toEqual([503, []])
    }
    store.isAway = false
    expect(await here.session()).toMatchObject({ user: { name: "Ada" } })
  })
})
