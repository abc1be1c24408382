/** Databases that took earlier steps of the migrations, as those were then: people in them stay signed in. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { DuplicateError, printMigrations, type SqlAdapter } from "@latchkey/sql-adapter"
import { expect, it } from "vitest"

/** New databases, and the statements that made the tables once. */
export interface EarlierGround {
  readonly dialect: "sqlite" | "postgresql" | "mysql"
  /** A file of `earlier/`. @default that of the dialect */
  readonly statements?: string
  make(): Promise<{ adapter(): SqlAdapter; run(...statements: readonly string[]): Promise<void> }>
}

const split = (text: string): string[] => text.split(";\n").filter((statement) => statement.trim() !== "")

/** The statements of the steps up to this one. */
function upTo(step: number, { dialect, statements = dialect }: EarlierGround): readonly string[] {
  if (step === 3) return split(printMigrations({ dialect }))
  const [tables = "", keys = ""] = readFileSync(new URL(`earlier/${statements}.sql`, import.meta.url), "utf8").split(
    "-- 2 keys",
  )
  return [...split(tables), ...(step === 2 ? split(keys) : [])]
}

const hashed = `sha256:${createHash("sha256").update("hashed").digest("hex")}`

function rows(q: (name: string) => string): readonly string[] {
  const end = "'2037-01-02 03:04:05.678'"
  const [userId, token, paid] = [q("userId"), q("sessionToken"), q("providerAccountId")]
  const passkey = ["credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp"].map(q).join(", ")
  return [
    `insert into users (id, name, email) values ('1', 'Ada', 'ada@example.test'), ('2', 'Bob', ''), ('3', 'Eve', null)`,
    `insert into accounts (id, ${userId}, type, provider, ${paid}) values ('a', '1', 'oauth', 'example', '7')`,
    `insert into sessions (id, ${userId}, expires, ${token}) values ('s', '1', ${end}, '${hashed}'), ('p', '2', ${end}, 'plain')`,
    `insert into verification_token (identifier, token, expires) values ('ada@example.test', 'link', ${end})`,
    `insert into authenticators (${q("credentialID")}, ${userId}, ${paid}, ${passkey})
      values ('key', '1', 'key', 'public', 3, 'singleDevice', '1')`,
  ]
}

async function isAllThere(adapter: SqlAdapter): Promise<void> {
  expect((await adapter.getSessionAndUser("hashed"))?.user).toMatchObject({ id: "1", name: "Ada" })
  expect((await adapter.getSessionAndUser("plain"))?.user).toMatchObject({ id: "2", email: "" })
  expect(await adapter.getUserByAccount({ provider: "example", providerAccountId: "7" })).toMatchObject({ id: "1" })
  expect(await adapter.getAuthenticator("key")).toMatchObject({ userId: "1", counter: 3 })
}

export function earlierSteps(ground: EarlierGround): void {
  it.each([
    [1, ["2 keys", "3 definitions", "1 records"]],
    [2, ["3 definitions", "1 records"]],
    [3, []],
  ] as const)(
    "after step %i people are signed in, before what is left of the migration and after it",
    async (step, left) => {
      const { adapter: open, run } = await ground.make()
      const q = (name: string): string => (ground.dialect === "mysql" ? `\`${name}\`` : `"${name}"`)
      await run(...upTo(step, ground), ...rows(q))
      await isAllThere(open())
      const adapter = open()
      const taken = await adapter.migrate()
      expect(taken.filter((name) => !name.startsWith("repaired"))).toEqual(left)
      expect(await adapter.check()).toMatchObject({ pending: [], problems: [] })
      expect(await adapter.migrate()).toEqual([])
      await isAllThere(adapter)
      const link = { identifier: "ada@example.test", token: "link" }
      expect(await adapter.useVerificationToken(link)).toMatchObject(link)
      const twin = { id: "4", email: "ADA@example.test", emailVerified: null }
      await expect(adapter.createUser(twin)).rejects.toThrow(DuplicateError)
      await adapter.deleteUser("1")
      expect(await adapter.getAuthenticator("key")).toBeNull()
    },
  )
}
