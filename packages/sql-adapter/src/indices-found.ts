/** Reading what a database says of its indices, whatever words it has for it. */
import type { IndexFound, Row } from "./dialects/dialect.js"

/** Columns and expressions in one spelling: without quotes, casts and doubled brackets. */
function spelled(text: unknown): string {
  return String(text ?? "")
    .replaceAll(/::[a-z ]+(\(\d+\))?/g, "")
    .replaceAll(/["`[\]\s]/g, "")
    .replaceAll(/\(\((\w+)\)\)/g, "($1)")
    .replace(/^\(([^()]+)\)/, "$1")
    .replace(/^\((.*)\)$/, "$1")
}

/** What `create index` says: the columns, and the rows that the index is for. */
function definitionOf(text: string): { readonly parts: string; readonly condition: string } {
  const [head = "", condition = ""] = text.split(/\bwhere\b/i)
  return { parts: head.slice(head.indexOf("(") + 1, head.lastIndexOf(")")), condition }
}

/**
 * One index from its row: `name`, `is_unique`, `is_valid`, and either `parts` with `only_where` or its whole
 * `definition`.
 */
export function indexOf(row: Row): IndexFound {
  const whole = typeof row.definition === "string" ? definitionOf(row.definition) : undefined
  const isSo = (value: unknown): boolean => value === true || Number(value) === 1
  return {
    name: String(row.name),
    isUnique: isSo(row.is_unique),
    isValid: isSo(row.is_valid),
    parts: String(whole?.parts ?? row.parts ?? "")
      .split(",")
      .map(spelled),
    condition: spelled(whole?.condition ?? row.only_where),
  }
}
