/** Records after the end of a transaction or a process. */
import type { Adapter, RecordStore } from "@latchkey/core/adapters"
import { type ContractCase, group, type Kit } from "./case.js"
import { absent, fail, holds, present, settle } from "./check.js"
import { beginLife, Died, emptyLedger } from "./mortal.js"
import { count, draftRecord, early, newRecord, putNew, reading, recordKey, stands } from "./record-samples.js"
import { later } from "./samples.js"

/** Runs `work` in a transaction that is rolled back. */
async function rollBack({ adapter }: Kit, work: (open: Required<Adapter>) => Promise<unknown>): Promise<void> {
  const reason = new Error("rolled back on purpose")
  const [outcome] = await settle([
    () =>
      adapter.transaction(async (open) => {
        await work(open as Required<Adapter>)
        throw reason
      }),
  ])
  if (outcome?.status !== "rejected" || outcome.reason !== reason) fail("the transaction did not pass the error on")
}

const transactions: readonly ContractCase[] = group("records", {
  "records that are written in a transaction are there afterwards": [
    [...reading, "takeRecord", "transaction"],
    async (kit) => {
      const [made, taken] = [draftRecord(kit), await newRecord(kit)]
      await kit.adapter.transaction(async (open) => {
        await putNew({ ...kit, adapter: open as Required<Adapter> }, made)
        await open.takeRecord?.(recordKey(taken))
      })
      holds(present(await kit.adapter.getRecord(recordKey(made)), "getRecord"), made, "the record")
      absent(await kit.adapter.getRecord(recordKey(taken)), "the record that was taken")
    },
  ],
  "records are as before when the transaction that changed them is rolled back": [
    [...reading, "takeRecord", "transaction"],
    async (kit) => {
      const [made, changed, taken] = [draftRecord(kit), await newRecord(kit), await newRecord(kit)]
      await rollBack(kit, async (open) => {
        await open.putRecord(made, { expected: 0, now: early() })
        await open.putRecord({ ...changed, value: "next", version: 8 }, { expected: 7, now: early() })
        await open.takeRecord(recordKey(taken))
      })
      const left = await kit.adapter.getRecord(recordKey(made))
      if (left && left.expires > early()) fail("the record that was made is still there")
      for (const record of [changed, taken])
        holds(present(await kit.adapter.getRecord(recordKey(record)), "getRecord"), record, "the record")
    },
  ],
})

/** Steps that use each verb that writes, and what is to be seen after each of them. */
function story(kit: Kit, store: RecordStore) {
  const userId = kit.fresh("user")
  const record = draftRecord(kit, { userId })
  const second = { ...record, value: "second", version: 8 }
  const attempts = recordKey(draftRecord(kit))
  const found = async () => await kit.adapter.getRecord(recordKey(record))
  const holdsNow = async (expected: typeof record): Promise<void> =>
    holds(present(await found(), "getRecord"), expected, "the record")
  const counter = async (sum: number): Promise<void> =>
    stands(await count(kit, attempts, { add: 0 }), { sum, expires: later() }, "the counter")
  return [
    { act: () => putNew({ ...kit, adapter: store as Required<Adapter> }, record), see: () => holdsNow(record) },
    { act: () => store.putRecord(second, { expected: 7, now: early() }), see: () => holdsNow(second) },
    { act: () => store.countRecord(attempts, { add: 3, expires: later(), now: early() }), see: () => counter(3) },
    { act: () => store.countRecord(attempts, { add: -1, expires: later(), now: early() }), see: () => counter(2) },
    { act: () => store.takeRecord(attempts), see: () => counter(0) },
    { act: () => store.deleteRecords(userId, {}), see: async () => absent(await found(), "the removed record") },
  ]
}

const crashes: readonly ContractCase[] = group("records", {
  "what a process has done with records before it ends is there, and nothing else, after every verb": [
    [...reading, "countRecord", "takeRecord", "deleteRecords"],
    async (kit) => {
      const total = story(kit, kit.adapter).length
      for (let survived = 1; survived <= total; survived += 1) {
        const life = beginLife(kit.adapter, { hidden: [], ledger: emptyLedger() })
        const steps = story(kit, life.adapter as Required<Adapter>)
        life.dieAfter(survived)
        try {
          for (const { act } of steps) await act()
        } catch (error) {
          if (!(error instanceof Died)) throw error
        }
        await steps[survived - 1]?.see()
      }
    },
  ],
})

export const recordEndingCases: readonly ContractCase[] = [...transactions, ...crashes]
