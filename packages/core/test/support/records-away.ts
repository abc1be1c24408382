/** A store of records that can be switched off and on. */
import type { RecordStore } from "../../src/types/records.js"

/** The store, and whether every verb of it throws at present. */
export interface SwitchedRecords {
  readonly records: RecordStore
  isAway: boolean
}

/** Puts a switch before a store of records. */
export function switchedRecords(inner: RecordStore): SwitchedRecords {
  const records = new Proxy(inner, {
    get(target, name) {
      const verb: unknown = Reflect.get(target, name)
      if (typeof verb !== "function") return verb
      return (...given: unknown[]) => {
        if (state.isAway) throw new Error("connection refused")
        return Reflect.apply(verb, target, given) as unknown
      }
    },
  })
  const state: SwitchedRecords = { records, isAway: false }
  return state
}
