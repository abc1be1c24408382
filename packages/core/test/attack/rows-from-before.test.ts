/** A session in a row from before sessions were managed, which a request reads while all others are ended: its own browser keeps it, and a thief does not. */
import { describe, expect, it, vi } from "vitest"
import { listSessions } from "../../src/ledger/session.js"
import { memoryRecords } from "../../src/memory.js"
import { endOthers, listEntries } from "../../src/sessions/control.js"
import { ledgerOf } from "../../src/sessions/managed.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { Adapter } from "../../src/types/adapter.js"
import { cookiesAfter } from "../support/context.js"
import { type Cookies, type ManagedGiven, managedStage, tokenIn } from "../support/managed-stage.js"

/** A promise that the test keeps. */
function gate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** A user with a session from before. `updateAge: 0`: each read is due. */
async function earlier({ over, updateAge = 0 }: Pick<ManagedGiven, "over"> & { readonly updateAge?: number } = {}) {
  const records = memoryRecords()
  const config = { session: { updateAge } }
  const stage = managedStage({ strategy: "database", records, config, ...(over && { over }) })
  const user = await stage.newUser("ada@app.test")
  const before = await stage.signIn(user, {}, null)
  const read = async (cookies: Cookies) => {
    const context = stage.at(cookies, 60)
    const { session, cookies: changes } = await selectStrategy(context.settings).check(context)
    return [session !== null, changes.length]
  }
  const othersEnd = async (cookies: Cookies): Promise<Cookies> => {
    const context = stage.at(cookies, 60)
    return cookiesAfter(context, (await endOthers(context)).cookies)
  }
  /** What happens around the first record that a request writes. */
  const aroundRecord = (step: (write: () => Promise<boolean>) => Promise<boolean>): void => {
    const { putRecord } = records
    vi.spyOn(records, "putRecord").mockImplementationOnce((...given) => step(async () => putRecord(...given)))
  }
  return { ...stage, records, user, before, read, othersEnd, aroundRecord }
}

describe("a browser that ends all others beside a due read of its own", {
  tags: ["threat:SF-08", "threat:RC-12"],
}, () => {
  it.each(["once that read has made the record", "while that read makes the record"])(
    "keeps its session, and the read leaves its cookie alone: %s",
    async (when) => {
      const { before, read, othersEnd, aroundRecord, isOpen } = await earlier()
      let after: Cookies = {}
      aroundRecord(async (write) => {
        const isFirst = when.startsWith("once") && (await write())
        after = await othersEnd(before)
        return isFirst || write()
      })
      expect(await read(before)).toEqual([true, 0])
      expect(tokenIn(after)).not.toBe(tokenIn(before))
      expect([await isOpen(after, 100), await isOpen(before, 89), await isOpen(before, 91)]).toEqual([
        true,
        true,
        false,
      ])
    },
  )

  it("keeps its session where that read looks only afterwards whether all were ended", async () => {
    const { before, records, read, othersEnd, isOpen } = await earlier()
    const { getRecord } = records
    let after: Cookies | undefined
    vi.spyOn(records, "getRecord").mockImplementation(async (key) => {
      if (key.kind === "epoch" && after === undefined) {
        after = {}
        after = await othersEnd(before)
      }
      return getRecord(key)
    })
    expect(await read(before)).toEqual([true, 0])
    expect([await isOpen(after ?? {}, 100), await isOpen(before, 91)]).toEqual([true, false])
  })

  it("keeps its session where that read comes to its end before there is a new token", async () => {
    const { before, records, read, othersEnd, isOpen } = await earlier()
    const [isMarked, isRead] = [gate(), gate()]
    const { putRecord } = records
    let pending: Promise<Cookies> | undefined
    vi.spyOn(records, "putRecord").mockImplementation(async (...given) => {
      const isPut = await putRecord(...given)
      if (given[0].kind === "epoch") {
        isMarked.open()
        await isRead.opened
      } else if (!pending) {
        pending = othersEnd(before)
        await isMarked.opened
      }
      return isPut
    })
    const [isShown] = await read(before)
    isRead.open()
    const after = (await pending) ?? {}
    expect([isShown, await isOpen(after, 100), await isOpen(before, 91)]).toEqual([true, true, false])
  })
})

describe("a row from before whose record another request has made, and takes back because the store fails there", {
  tags: ["threat:SF-07", "threat:RC-10"],
}, () => {
  it.each(["before", "after"])(
    "stays where a due read finds the record gone %s it has extended the row",
    async (when) => {
      const over = (adapter: Required<Adapter>) => ({
        async updateSession(patch: Parameters<Required<Adapter>["updateSession"]>[0]) {
          await adapter.updateSession(patch)
          if (when === "after") await takenBack()
          return null
        },
      })
      const { before, read, records, aroundRecord, user, isOpen } = await earlier({ over })
      const takenBack = () => records.deleteRecords(user.id, { kind: "session" })
      aroundRecord(async (write) => {
        const isMade = await write()
        if (when === "after") return isMade
        await takenBack()
        return false
      })
      expect(await read(before)).toEqual([true, 1])
      expect(await isOpen(before, 120)).toBe(true)
    },
  )
})

describe("a thief who has a row from before, and whose request makes its record while the owner ends all others", {
  tags: ["threat:SF-08", "threat:RC-11"],
}, () => {
  const day = 86_400

  /** The record is made after the owner has read the list, and before rows that have no record go. */
  async function overtaken(meanwhile: (stage: Awaited<ReturnType<typeof earlier>>) => Promise<unknown>) {
    const stage = await earlier({ updateAge: day })
    const { records, user, signIn, othersEnd, aroundRecord } = stage
    const own = await signIn(user, { seconds: 1 })
    let after: Cookies = {}
    aroundRecord(async (write) => {
      const { listRecords } = records
      let isMade: boolean | undefined
      const list = vi.spyOn(records, "listRecords").mockImplementation(async (...given) => {
        if (list.mock.calls.length === 2) isMade = await write()
        return listRecords(...given)
      })
      after = await othersEnd(own)
      list.mockRestore()
      await meanwhile(stage)
      return isMade ?? write()
    })
    return { ...stage, own, after: () => after }
  }

  it.each([
    ["for the list", ({ at }: Pick<Awaited<ReturnType<typeof earlier>>, "at">, c: Cookies) => listEntries(at(c, 60))],
    ["for a new token", ({ rotate }: Pick<Awaited<ReturnType<typeof earlier>>, "rotate">, c: Cookies) => rotate(c, 60)],
  ])("has nothing left, having asked %s", async (_, ask) => {
    const stage = await overtaken(async () => undefined)
    await ask(stage, stage.before)
    expect([await stage.isOpen(stage.before, 61), await stage.isOpen(stage.after(), 61)]).toEqual([false, true])
  })

  it("has nothing left, having asked for a new token of that record besides", async () => {
    let next: Cookies | null = null
    const stage = await overtaken(async ({ rotate, before }) => {
      next = await rotate(before, 60)
    })
    await listEntries(stage.at(stage.before, 60))
    expect(next).not.toBeNull()
    expect([await stage.isOpen(next ?? {}, 61), await stage.isOpen(stage.before, 61)]).toEqual([false, false])
    const left = await listSessions(ledgerOf(stage.at({}, 100)), stage.user.id)
    expect(left.map(({ content }) => content.sessionToken)).toEqual([tokenIn(stage.after())])
  })

  it("has no record left where the table keeps the row, because others refer to it", async () => {
    let kept = ""
    const over = (adapter: Required<Adapter>) => ({
      deleteSessionsByUserId: undefined,
      async deleteSession(token: string) {
        if (token === kept) throw new Error("update or delete violates foreign key constraint")
        return adapter.deleteSession(token)
      },
    })
    const { at, before, user, signIn, othersEnd, aroundRecord, isOpen } = await earlier({ over, updateAge: day })
    kept = tokenIn(before)
    const own = await signIn(user, { seconds: 1 })
    let after: Cookies = {}
    aroundRecord(async (write) => {
      after = await othersEnd(own)
      return write()
    })
    expect(await listEntries(at(before, 60))).toEqual([])
    expect(await listEntries(at(after, 100))).toMatchObject([{ current: true }])
    expect(await isOpen(before, day)).toBe(false)
  })
})
