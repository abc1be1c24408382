/** A store of records that can be switched off and on. */
import type { RecordStore } from "../../src/types/records.js"

/** The store, and whether its verbs throw at present. */
export interface SwitchedRecords<Store extends RecordStore = RecordStore> {
  readonly records: Store
  isAway: boolean
}

/** Puts a switch before a store of records, or before one verb of it. */
export function switchedRecords<Store extends RecordStore>(
  inner: Store,
  only?: keyof RecordStore,
): SwitchedRecords<Store> {
  const records = new Proxy(inner, {
    get(target, name) {
      const verb: unknown = Reflect.get(target, name)
      if (typeof verb !== "function" || (only !== undefined && name !== only)) return verb
      return (...given: unknown[]) => {
        if (state.isAway) throw new Error("connection refused")
        return Reflect.apply(verb, target, given) as unknown
      }
    },
  })
  const state: SwitchedRecords<Store> = { records, isAway: false }
  return state
}
