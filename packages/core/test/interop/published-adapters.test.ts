/** Adapters published for the peer work here: they run through the contract kit, with their known gaps written down. */
import { KyselyAdapter } from "@auth/kysely-adapter"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import type { Adapter } from "@latchkey/core/adapters"
import { contractCases, formatContract, runContract } from "@latchkey/core/testing"
import { sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { createStorage } from "unstorage"
import { describe, expect, it } from "vitest"
import { published } from "./published-adapters.data.js"

/** The tables that the documentation of the adapter tells people to make, with the unique keys it shows. */
const tables = [
  `create table "User" (id text primary key not null, name text, email text unique, "emailVerified" text, image text)`,
  `create table "Account" (id text, "userId" text not null references "User" (id) on delete cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
    expires_at integer, token_type text, scope text, id_token text, session_state text)`,
  `create unique index "Account_key" on "Account" (provider, "providerAccountId")`,
  `create table "Session" (id text, "sessionToken" text not null unique,
    "userId" text not null references "User" (id) on delete cascade, expires text not null)`,
  `create table "VerificationToken" (identifier text not null, token text not null unique, expires text not null)`,
]

const databases = new Map<Adapter, Kysely<never>>()

const factories: Readonly<Record<string, () => Promise<Adapter>>> = {
  "@auth/unstorage-adapter": async () => UnstorageAdapter(createStorage()) as Adapter,
  async "@auth/kysely-adapter"() {
    const kysely = new Kysely<never>({ dialect: sqliteDialect({ filename: ":memory:" }) })
    for (const statement of tables) await sql.raw(statement).execute(kysely)
    const adapter = KyselyAdapter(kysely as unknown as Parameters<typeof KyselyAdapter>[0]) as Adapter
    databases.set(adapter, kysely)
    return adapter
  },
}

describe.each(published)("$name", ({ name, excuses }) => {
  it("keeps the contract but for the cases written down, and those are still true", async () => {
    const report = await runContract(factories[name] as () => Promise<Adapter>, {
      excuses,
      dispose: (adapter) => databases.get(adapter)?.destroy(),
    })
    expect(report.isKept, formatContract(report)).toBe(true)
  })

  it("is excused with a reason and evidence, case by case", () => {
    const known = new Set(contractCases.map((contractCase) => contractCase.name))
    for (const excuse of excuses) {
      expect(known).toContain(excuse.case)
      expect(excuse.reason).toMatch(/\w{3}/)
      expect(excuse.evidence).toMatch(/\w{3}/)
    }
  })
})
