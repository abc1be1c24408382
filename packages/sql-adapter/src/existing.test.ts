import { describe, expect, it } from "vitest"
import { mysql } from "./dialects/mysql.js"
import { refuseObstacles } from "./existing.js"
import { resolveNames } from "./names.js"
import type { Runner } from "./runner.js"
import type { Existing } from "./statements.js"

/** A database in which every value is longer than anything. */
const runner = {
  read: async ({ sql }: { sql: string }) => [{ count: sql.includes("char_length(`providerAccountId`) > 448") ? 2 : 0 }],
} as unknown as Runner

function withIds(declared: string): Existing {
  const column = { name: "providerAccountId", kind: "text" as const, declared }
  return {
    tables: new Set(["accounts"]),
    columns: new Map([["accounts", new Map([[column.name, column]])]]),
    indices: new Map(),
    hasAddressColumn: false,
    owned: new Set(),
  }
}

describe("a column that is to compare exactly", { tags: ["threat:FD-22"] }, () => {
  const plan = { dialect: mysql, names: resolveNames({}) }

  it.each(["text collate utf8mb4_general_ci", "longtext collate utf8mb4_bin", "char(200) collate latin1_bin"])(
    "is not changed where values are longer than it may be: %s",
    async (declared) => {
      await expect(refuseObstacles(plan, runner, withIds(declared))).rejects.toThrow(
        'Keys cannot be added. "accounts": 2 value(s) of "providerAccountId" are longer than 448 characters.',
      )
    },
  )

  it.each(["varchar(1000) collate utf8mb4_general_ci", "longtext collate utf8mb4_nopad_bin", "bigint(20)"])(
    "keeps its length, or is not changed: %s",
    async (declared) => {
      await refuseObstacles(plan, runner, withIds(declared))
    },
  )
})
