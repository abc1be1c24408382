/** What `latchkey schema` prints compiles, makes tables, and keeps the contract behind the published adapters. */
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Excuse, formatContract, runContract } from "@latchkey/adapter-contract"
import type { Adapter } from "@latchkey/core/adapters"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { drizzleSchema } from "../../packages/cli/src/schema/drizzle.js"
import { kyselySchema } from "../../packages/cli/src/schema/kysely.js"
import { prismaSchema } from "../../packages/cli/src/schema/prisma.js"
import { grounds } from "./grounds.js"
import { published } from "./published.data.js"
import type { Place } from "./shared-tables.data.js"

interface Opened {
  readonly adapter: Adapter
  close(): unknown
}

interface Printed {
  readonly tool: "Drizzle" | "Kysely" | "Prisma"
  readonly adapter: string
  readonly place: Place
  readonly text: string
  /** Cases that our tables keep, though those that the adapter documents do not. */
  readonly kept: readonly string[]
}

const withoutAddress = ["users without an address do not collide", "an empty value finds nobody"]
const linkedOnce = [
  "linkAccount refuses an account that another user has",
  "linkAccount refuses an account that the same user has",
  "of many who link an account at once, one gets it",
]

const printed: readonly Printed[] = [
  {
    tool: "Drizzle",
    adapter: "@auth/drizzle-adapter",
    place: "postgresql",
    text: drizzleSchema("postgresql"),
    kept: [],
  },
  {
    tool: "Kysely",
    adapter: "@auth/kysely-adapter",
    place: "postgresql",
    text: kyselySchema("postgresql"),
    kept: [...withoutAddress, ...linkedOnce],
  },
  {
    tool: "Prisma",
    adapter: "@auth/prisma-adapter",
    place: "postgresql",
    text: prismaSchema("postgresql"),
    kept: withoutAddress,
  },
]

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url))
/** Beside the packages that the modules import. */
const folder = `${fixtures}adapters/.tmp/`

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const dialects = ["postgresql", "mysql", "sqlite"] as const

describe("what latchkey schema prints", () => {
  it("compiles, and is what the types of the adapters want", () => {
    for (const dialect of dialects) {
      writeFileSync(`${folder}drizzle-${dialect}.ts`, drizzleSchema(dialect))
      writeFileSync(`${folder}kysely-${dialect}.ts`, kyselySchema(dialect))
    }
    const uses = `import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { type Database as Tables, KyselyAdapter } from "@auth/kysely-adapter"
import { drizzle as drizzlePostgresql } from "drizzle-orm/node-postgres"
import { drizzle as drizzleMysql } from "drizzle-orm/mysql2"
import { drizzle as drizzleSqlite } from "drizzle-orm/libsql"
import type { Kysely } from "kysely"
import { authTables as postgresql } from "./drizzle-postgresql.js"
import { authTables as mysql } from "./drizzle-mysql.js"
import { authTables as sqlite } from "./drizzle-sqlite.js"
import type { Database } from "./kysely-postgresql.js"
export const one = DrizzleAdapter(drizzlePostgresql("postgres://x"), postgresql)
export const two = DrizzleAdapter(drizzleMysql("mysql://x"), mysql)
export const three = DrizzleAdapter(drizzleSqlite("file:x"), sqlite)
export const four = (db: Kysely<Database>) => KyselyAdapter(db as unknown as Kysely<Tables>)
`
    writeFileSync(`${folder}uses.ts`, uses)
    const options = {
      module: "nodenext",
      target: "es2023",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
    }
    const core = fileURLToPath(new URL("../../packages/core/dist/adapters.d.ts", import.meta.url))
    const paths = { "@latchkey/core/adapters": [core] }
    const typeRoots = [fileURLToPath(new URL("../../node_modules/@types", import.meta.url))]
    const config = { compilerOptions: { ...options, paths, typeRoots }, include: ["*.ts"] }
    writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config))
    const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))
    expect(outputOf(tsc, ["-p", folder])).toBe("")
  })

  it.each(dialects)("is a schema that Prisma accepts for %s, and makes a client of", async (dialect) => {
    const { clientOfPrinted } = await prisma()
    expect(clientOfPrinted(prismaSchema(dialect), dialect)).toBeTypeOf("function")
  })

  // Left out only where `LATCHKEY_WITHOUT` names the server, and counted as skipped then.
  describe.skipIf(inject("postgresql") === "").each(printed)("for $tool", ({ tool, adapter, place, text, kept }) => {
    let opened: Opened
    beforeAll(async () => {
      const { url } = await grounds[place]()
      opened = await openers[tool](text, url)
    })
    afterAll(() => opened?.close())

    it("keeps the contract where the documented tables do, and in more cases", async () => {
      const documented = published.find(({ name }) => name === adapter)?.excluded ?? []
      const excuses = documented.filter(({ case: name }: Excuse) => !kept.includes(name))
      const copy = (value: unknown): unknown => (typeof value === "object" && value !== null ? { ...value } : value)
      const copying = new Proxy(opened.adapter, {
        get(target, name) {
          const method: unknown = Reflect.get(target, name, target)
          return typeof method === "function"
            ? (...args: unknown[]) => Reflect.apply(method, target, args.map(copy))
            : method
        },
      })
      const report = await runContract(() => copying, { excuses })
      expect(report.isKept, formatContract(report)).toBe(true)
    })
  })
})

function outputOf(program: string, args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [program, ...args], { encoding: "utf8" })
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  }
}

interface PrismaFixture {
  clientOfPrinted(schema: string, dialect: string): unknown
  openPrinted(schema: string, url: string): Promise<Opened>
}

async function prisma(): Promise<PrismaFixture> {
  return (await import(/* @vite-ignore */ `file://${fixtures}prisma/printed.mjs`)) as PrismaFixture
}

const openers: Readonly<Record<Printed["tool"], (text: string, url: string) => Promise<Opened>>> = {
  Drizzle: (text, url) => openModule("openDrizzle", text, url),
  Kysely: (text, url) => openModule("openKysely", text, url),
  Prisma: async (text, url) => (await prisma()).openPrinted(text, url),
}

/** The module is translated and left beside the packages it imports. */
async function openModule(name: "openDrizzle" | "openKysely", text: string, url: string): Promise<Opened> {
  const { transform } = await import("esbuild")
  const { code } = await transform(text, { loader: "ts" })
  const path = `${folder}${name}.mjs`
  writeFileSync(path, code)
  const module = (await import(/* @vite-ignore */ `file://${fixtures}adapters/printed.mjs`)) as Record<
    typeof name,
    (path: string, url: string) => Promise<Opened>
  >
  return module[name](path, url)
}
