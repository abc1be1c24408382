/** Rows that features bring, as rows of the route table. */
import type { FeatureRow } from "../types/feature.js"
import type { Action, Row } from "./table.js"

/** What a feature of this package writes: its functions are actions. */
export type ActionRow = FeatureRow<Action>

/** The row as the pipeline takes it: it names no provider, spends no cookie and has no limit. */
export function asRow(row: FeatureRow): Row {
  // A configuration cannot name the type of an action, which is known further up; features write `ActionRow`.
  const { act, ...rest } = row as ActionRow
  return { ...rest, act, kinds: ["none"], spends: [], limit: "nothing" }
}
