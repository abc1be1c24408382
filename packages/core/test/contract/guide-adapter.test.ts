/** The adapter at the start of the guide passes the contract for all its operations. */
import { readFileSync } from "node:fs"
import { formatContract, runContract } from "@latchkey/adapter-contract"
import { memoryAdapter } from "@latchkey/core/memory"
import ts from "typescript"
import { expect, it } from "vitest"
import type { Adapter } from "../../src/types/adapter.js"

const guide = readFileSync(new URL("../../../../docs/guides/write-an-adapter.md", import.meta.url), "utf8")

async function exampleOf(page: string): Promise<() => Adapter> {
  const [, code = ""] = /```ts\n([\s\S]+?)```/.exec(page) ?? []
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(code, { compilerOptions: options })
  const module = (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Record<
    string,
    () => Adapter
  >
  const [make] = Object.values(module)
  if (!make) throw new Error("the guide shows no adapter")
  return make
}

it("the adapter of the guide keeps the contract", async () => {
  const report = await runContract(await exampleOf(guide))
  expect(report.outcomes.filter(({ status }) => status === "failed")).toEqual([])
  expect(report.outcomes.filter(({ status }) => status === "passed").length).toBeGreaterThan(5)
})

it("an adapter that assigns its own ids passes the contract as well", async () => {
  const report = await runContract(() => {
    const good = memoryAdapter()
    let last = 0
    const owned = (adapter: Adapter): Adapter => ({
      ...adapter,
      createUser: (user) => (adapter as typeof good).createUser({ ...user, id: String(++last) }),
      createUserWithAccount: (user, ...rest) =>
        (adapter as typeof good).createUserWithAccount({ ...user, id: String(++last) }, ...rest),
      transaction: (work) => good.transaction((open) => work(owned(open))),
    })
    return owned(good)
  })
  expect(formatContract(report)).not.toMatch(/failed \|[^|]*[1-9]/)
  expect(report.outcomes.filter(({ status }) => status === "failed")).toEqual([])
}, 120_000)
