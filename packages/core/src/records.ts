/** The interface of stores of records, for those who write one. */
export {
  type CountAddition,
  type Counted,
  type DeleteCondition,
  type PutCondition,
  type RecordKey,
  type RecordStore,
  recordVerbs,
  type ScanPage,
  type StoredRecord,
} from "./types/records.js"
