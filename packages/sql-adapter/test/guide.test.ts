/** The names that the guide prints for tables of others are those that the tests use. */
import { readFileSync } from "node:fs"
import { transpile } from "typescript"
import { expect, it } from "vitest"
import { members, resolveNames, type TableKey } from "../src/names.js"
import { onMysql, onPostgresql, onSqlite } from "./support/published/all.js"

const guide = readFileSync(new URL("../../../docs/guides/databases.md", import.meta.url), "utf8")

it("names of the tables of each tool", async () => {
  const [, code = ""] = /```ts\n\/\/ names\.ts\n([\s\S]+?)```/.exec(guide) ?? []
  const text = transpile(code, { module: 99, target: 99 })
  const { names } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    names: Readonly<Record<string, unknown>>
  }
  const tested = [...onPostgresql, ...onMysql, ...onSqlite]
  for (const published of tested) {
    const [tool = ""] = published.tool.split(",")
    expect(names[tool], tool).toEqual(published.names)
  }
  expect(new Set(tested.map(({ tool }) => tool.split(",")[0]))).toEqual(new Set(Object.keys(names)))
})

it("another name for every table of an application beside another one", { tags: ["threat:A-022"] }, () => {
  const page = readFileSync(new URL("../../../docs/guides/several-applications.md", import.meta.url), "utf8")
  const [, code = ""] = /\/\/ admin-names\.ts\n[\s\S]*?names: \{([\s\S]*?)\}/.exec(page) ?? []
  const given = Object.fromEntries([...code.matchAll(/(\w+): "(\w+)"/g)].map(([, key = "", name = ""]) => [key, name]))
  expect(Object.keys(given).sort()).toEqual([...Object.keys(members), "records"].sort())
  const [here, there] = [resolveNames(given), resolveNames()]
  const tables = Object.keys(members) as TableKey[]
  for (const key of tables) expect(here.table(key)).not.toBe(there.table(key))
  expect(here.records).not.toBe(there.records)
})
