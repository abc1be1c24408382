/** The contract of adapters, run on a store that somebody has named for it: the cases write rows. */
import { extname } from "node:path"
import type * as Contract from "@latchkey/adapter-contract"
import type { Adapter } from "@latchkey/core"
import { UsageError } from "../command.js"
import { isUrl, refuseUnreadable, sourceOf, unreachable } from "../database.js"
import { importFrom } from "../installed.js"
import { loadModule } from "../load-module.js"
import { messageOf } from "../thrown.js"
import type { World } from "../world.js"
import { type Finding, found, type Part } from "./finding.js"

const error = found("error", "docs/guides/write-an-adapter.md")

interface Store {
  readonly adapter: Adapter
  close(): unknown
}

interface SqlPackage {
  sqlAdapter(source: { filename: string } | { url: string }): Adapter & { close(): Promise<void> }
}

const isModule = (name: string): boolean => /^\.[cm]?[jt]s$/.test(extname(name))

async function ofModule(name: string, world: World): Promise<Store> {
  const module = await loadModule(name, world)
  const adapter = module.adapter ?? module.default
  if (typeof adapter === "object" && adapter !== null) return { adapter: adapter as Adapter, close: () => undefined }
  throw new UsageError(`--test-store: "${name}" exports no adapter as "adapter" or "default".`)
}

/** A SQL database, or a module that exports an adapter on a store for tests. */
async function open(name: string, world: World): Promise<Store> {
  if (!isUrl(name) && isModule(name)) return ofModule(name, world)
  refuseUnreadable(name)
  const { sqlAdapter } = (await importFrom(world.cwd, "@latchkey/sql-adapter")) as unknown as SqlPackage
  const adapter = sqlAdapter(sourceOf(name, world.cwd))
  return { adapter, close: () => adapter.close() }
}

/** A case that the store does not pass. */
export const broken = (expected: string, thrown: unknown): Finding =>
  error(
    "adapter-contract",
    `Adapter: expected that ${expected}, received ${messageOf(thrown).split("\n")[0]}`,
    "Correct the adapter or its tables, or use another adapter.",
  )

/** Every case that the store does not pass, as a finding, and how many it passes. */
export async function contract(name: string, world: World): Promise<Part> {
  const { runContract } = (await world.importTool("@latchkey/adapter-contract")) as unknown as typeof Contract
  const { adapter, close } = await open(name, world)
  try {
    const { outcomes } = await runContract(() => adapter)
    const failed = outcomes.filter(({ status }) => status === "failed")
    const count = (wanted: string): number => outcomes.filter(({ status }) => status === wanted).length
    const left = count("not offered")
    return {
      findings: failed.map(({ name: expected, error: thrown }) => broken(expected, thrown)),
      notes: [
        `${count("passed")} cases of the contract of adapters hold on ${isUrl(name) ? "the store of --test-store" : name}.` +
          (left === 0 ? "" : ` ${left} need operations that the adapter does not have.`),
      ],
    }
  } catch (thrown) {
    throw unreachable(name, thrown)
  } finally {
    await close()
  }
}
