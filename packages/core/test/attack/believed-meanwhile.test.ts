/** Processes that believe in a record for a while (`staleness`), while another request gives the session a new token or ends it. */
import { describe, expect, it, vi } from "vitest"
import type { Settings } from "../../src/config/settings.js"
import { memoryRecords } from "../../src/memory.js"
import { endAll, endOne, rotate } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { RecordStore } from "../../src/types/records.js"
import { cookiesAfter, type TestContext } from "../support/context.js"
import { type Cookies, managedStage } from "../support/managed-stage.js"

async function stageOfProcesses() {
  const records = memoryRecords()
  const stage = managedStage({ strategy: "jwt", records, options: { staleness: 60 } })
  const user = await stage.newUser("ada@app.test")
  /** A process keeps its settings, and with them the records that it believes in. */
  const newProcess = (): Settings => stage.at().settings
  const at = (settings: Settings, cookies: Cookies, seconds: number): TestContext => ({
    ...stage.at(cookies, seconds),
    settings,
  })
  const read = async (process: Settings, cookies: Cookies, seconds: number) => {
    const context = at(process, cookies, seconds)
    const { session, cookies: changes } = await selectStrategy(context.settings).check(context)
    return { isOpen: session !== null, changes }
  }
  return { ...stage, newProcess, at, read, records, user }
}

function newSignal() {
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: (): void => give() }
}

/** The next answer of the store for one record, which it knows at once and gives when it is asked to. */
function nextAnswer(records: RecordStore) {
  const get = records.getRecord.bind(records)
  const [known, due] = [newSignal(), newSignal()]
  vi.spyOn(records, "getRecord").mockImplementationOnce(async (...given) => {
    const row = await get(...given)
    known.give()
    await due.given
    return row
  })
  return { isKnown: known.given, arrive: due.give }
}

const waysToEnd = ["signing out", "by its name", "all of the user"] as const

async function endBy(
  what: (typeof waysToEnd)[number],
  context: Parameters<typeof endAll>[0],
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<void> {
  if (what === "signing out") await selectStrategy(context.settings).end(context)
  else if (what === "by its name") await endOne(context, id)
  else await endAll(context, userId)
}

describe("where records are believed for a while", { tags: ["threat:SF-08", "threat:RC-12"] }, () => {
  it("a session that got a new token at one process goes on at another, which had read it before", async () => {
    const { newProcess, at, read, signIn, user } = await stageOfProcesses()
    const [here, there] = [newProcess(), newProcess()]
    const cookies = await signIn(user)
    expect(await read(there, cookies, 1)).toMatchObject({ isOpen: true })
    const context = at(here, cookies, 2)
    const renewed = cookiesAfter(context, await rotate(context).then((result) => result.cookies))
    expect(await read(there, renewed, 3)).toEqual({ isOpen: true, changes: [] })
  })

  it.each(waysToEnd)(
    "a session that ends (%s) is over at that process at once, also where a request reads it meanwhile",
    async (what) => {
      const { newProcess, at, read, records, signIn, user, idOf } = await stageOfProcesses()
      const process = newProcess()
      const [own, other] = [await signIn(user), await signIn(user)]
      const ended = what === "by its name" ? other : own
      const id = await idOf(other)
      for (const name of ["takeRecord", "deleteRecords"] as const) {
        const remove = records[name].bind(records) as (...given: unknown[]) => Promise<never>
        vi.spyOn(records, name).mockImplementation(async (...given: unknown[]) => {
          await read(process, ended, 2)
          return remove(...given)
        })
      }
      await endBy(what, at(process, own, 2), { id, userId: user.id })
      expect((await read(process, ended, 30)).isOpen).toBe(false)
    },
  )

  it.each(waysToEnd)(
    "a session that ends (%s) stays over at that process, where the store answers a request late that read it before",
    async (what) => {
      const { newProcess, at, read, records, signIn, user, idOf } = await stageOfProcesses()
      const process = newProcess()
      const [own, other] = [await signIn(user), await signIn(user)]
      const ended = what === "by its name" ? other : own
      const id = await idOf(other)
      const late = nextAnswer(records)
      const pending = read(process, ended, 1)
      await late.isKnown
      await endBy(what, at(process, own, 1), { id, userId: user.id })
      late.arrive()
      await pending
      expect((await read(process, ended, 30)).isOpen).toBe(false)
    },
  )

  it("a token that was replaced is believed for half a minute, also where a request reads its session meanwhile", async () => {
    const { newProcess, at, read, records, signIn, user } = await stageOfProcesses()
    const process = newProcess()
    const cookies = await signIn(user)
    const put = records.putRecord.bind(records)
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      await read(process, cookies, 1)
      return put(...given)
    })
    const context = at(process, cookies, 1)
    const renewed = cookiesAfter(context, await rotate(context).then((result) => result.cookies))
    expect(renewed).not.toEqual(cookies)
    expect((await read(process, cookies, 30)).isOpen).toBe(true)
    expect((await read(process, cookies, 31)).isOpen).toBe(false)
    expect((await read(process, renewed, 32)).isOpen).toBe(true)
  })

  it.each(["has ended", "has a newer token"])(
    "a process that learned by a newer token that its session %s believes the one before it no more",
    async (what) => {
      const { newProcess, at, read, signIn, user } = await stageOfProcesses()
      const [here, there] = [newProcess(), newProcess()]
      const cookies = await signIn(user)
      await read(there, cookies, 0)
      const context = at(here, cookies, 1)
      const renewed = cookiesAfter(context, await rotate(context).then((result) => result.cookies))
      const last = at(here, renewed, 2)
      if (what === "has ended") await selectStrategy(here).end(last)
      expect((await read(there, renewed, 3)).isOpen).toBe(what !== "has ended")
      expect((await read(there, cookies, 59)).isOpen).toBe(false)
    },
  )
})

describe("where records are believed for a while, and the clock is put back", {
  tags: ["threat:SF-08", "threat:SF-23"],
}, () => {
  it("a session that was refused stays over once the clock is where it was", async () => {
    const { newProcess, at, read, signIn, user } = await stageOfProcesses()
    const [here, there] = [newProcess(), newProcess()]
    const cookies = await signIn(user)
    expect((await read(there, cookies, 100)).isOpen).toBe(true)
    await selectStrategy(here).end(at(here, cookies, 76))
    for (const seconds of [80, 101, 159]) expect((await read(there, cookies, seconds)).isOpen).toBe(false)
  })
})

describe("where records are believed for a while, and the store answers slowly", () => {
  /** Answers of the store that come when they are asked for, in the order of the questions. */
  function heldAnswers(records: RecordStore) {
    const get = records.getRecord.bind(records)
    const due: (() => void)[] = []
    const mode = { isHeld: true }
    const spy = vi.spyOn(records, "getRecord").mockImplementation(async (...given) => {
      const row = await get(...given)
      if (!mode.isHeld) return row
      const { given: arrived, give } = newSignal()
      due.push(give)
      await arrived
      return row
    })
    const until = (count: number): Promise<void> => vi.waitFor(() => expect(due).toHaveLength(count), { interval: 1 })
    return { due, until, mode, spy }
  }

  it("requests that overlap ask no more often than one after the other: each answer is believed", async () => {
    const { newProcess, read, records, signIn, user } = await stageOfProcesses()
    const process = newProcess()
    const cookies = await signIn(user)
    const { due, until, spy } = heldAnswers(records)
    const first = read(process, cookies, 1)
    await until(1)
    const second = read(process, cookies, 1)
    await until(2)
    due[0]?.()
    expect(await first).toMatchObject({ isOpen: true })
    expect(await read(process, cookies, 2)).toMatchObject({ isOpen: true })
    due[1]?.()
    await second
    expect(spy).toHaveBeenCalledTimes(2)
  })

  it("a request that asks in any case makes none of the others ask, also where it gets no answer", async () => {
    const { newProcess, at, read, records, signIn, user } = await stageOfProcesses()
    const process = newProcess()
    const cookies = await signIn(user)
    await read(process, cookies, 1)
    const { due, until, spy } = heldAnswers(records)
    const asking = Promise.resolve(selectStrategy(process).peek(at(process, cookies, 2)))
    await until(1)
    expect(await read(process, cookies, 2)).toMatchObject({ isOpen: true })
    due[0]?.()
    await asking
    spy.mockRejectedValueOnce(new Error("away"))
    await expect(selectStrategy(process).peek(at(process, cookies, 3))).rejects.toMatchObject({ type: "AdapterError" })
    expect(await read(process, cookies, 4)).toMatchObject({ isOpen: true })
    expect(spy).toHaveBeenCalledTimes(2)
  })

  it.each(["the first question is answered last", "the first question is answered first"])(
    "a token that was replaced at another process is not believed for long, where %s",
    { tags: ["threat:SF-08", "threat:RC-12"] },
    async (order) => {
      const { newProcess, at, read, records, signIn, user } = await stageOfProcesses()
      const [here, there] = [newProcess(), newProcess()]
      const cookies = await signIn(user)
      const { due, until, mode } = heldAnswers(records)
      const before = read(there, cookies, 1)
      await until(1)
      mode.isHeld = false
      const context = at(here, cookies, 1)
      const renewed = cookiesAfter(context, await rotate(context).then((result) => result.cookies))
      mode.isHeld = true
      const reads = [before, read(there, renewed, 2)]
      await until(2)
      for (const index of order.endsWith("last") ? [1, 0] : [0, 1]) {
        due[index]?.()
        await reads[index]
      }
      mode.isHeld = false
      expect((await read(there, cookies, 32)).isOpen).toBe(false)
    },
  )

  it("a session whose end is known by any answer is over, also where a later question was answered before", {
    tags: ["threat:SF-08"],
  }, async () => {
    const { newProcess, read, records, signIn, user } = await stageOfProcesses()
    const process = newProcess()
    const cookies = await signIn(user)
    const missing = newSignal()
    vi.spyOn(records, "getRecord").mockImplementationOnce(async () => {
      await missing.given
      return null
    })
    const first = read(process, cookies, 1)
    expect((await read(process, cookies, 1)).isOpen).toBe(true)
    await records.deleteRecords(user.id, { kind: "session" })
    missing.give()
    expect((await first).isOpen).toBe(false)
    expect((await read(process, cookies, 3)).isOpen).toBe(false)
  })
})

it("a session that begins while all of its user end is over with them at that process", {
  tags: ["threat:SF-08"],
}, async () => {
  const { newProcess, at, read, records, signIn, newUser, user } = await stageOfProcesses()
  const process = newProcess()
  const [cookies, other] = [await signIn(user), await signIn(await newUser("grace@app.test"))]
  await read(process, other, 1)
  const remove = records.deleteRecords.bind(records)
  let late: Cookies = {}
  vi.spyOn(records, "deleteRecords").mockImplementationOnce(async (...given) => {
    late = await signIn(user, { seconds: 2 })
    expect((await read(process, late, 2)).isOpen).toBe(true)
    return remove(...given)
  })
  await endAll(at(process, cookies, 2), user.id)
  expect((await read(process, late, 3)).isOpen).toBe(false)
  // Nothing changes for anybody else.
  const get = vi.spyOn(records, "getRecord")
  expect((await read(process, other, 4)).isOpen).toBe(true)
  expect(get).not.toHaveBeenCalled()
})
