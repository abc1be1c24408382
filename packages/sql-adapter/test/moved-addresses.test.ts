/** The statements of the pages on moving, word for word: an address that nobody has proven opens nothing afterwards. */
import { readFileSync } from "node:fs"
import { sql } from "kysely"
import { expect, it } from "vitest"
import { makeWorld, type World } from "../../core/test/support/world.js"
import { sqlAdapter } from "../src/index.js"

/** The statements of a page, from the block that names this file. */
function statementsOf(page: string, file: string): readonly string[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), "utf8")
  const all = new RegExp(`-- ${file.replace(".", "[.]")}\\n(?<all>[^\`]*)`).exec(text)?.groups?.["all"] ?? ""
  return all
    .split(";")
    .map((one) => one.trim())
    .filter(Boolean)
}

const byClaim = ({ email_verified }: { readonly email_verified?: boolean }): boolean | undefined => email_verified
const atChat = { id: "chat", emailVerified: byClaim }
const people = {
  eve: { sub: "eve", name: "Eve", email: "ada@op.test", email_verified: false },
  grace: { sub: "grace", name: "Grace", email: "grace@op.test", email_verified: true },
}

/** Who is signed in by an account at a provider. */
async function cameBy(world: World, provider: "chat" | "op", person: keyof typeof people): Promise<object | null> {
  const browser = world.browser()
  world.op.person = people[person]
  await world.signInAtOp(browser, { provider })
  return browser.session() as Promise<object | null>
}

it("keeps a stranger from Better Auth out of the account of whoever comes by mail", {
  tags: ["threat:A-022"],
}, async () => {
  const adapter = sqlAdapter({ filename: ":memory:" })
  await adapter.migrate()
  const before = [
    `create table "user" (id text, name text, email text, "emailVerified" integer, image text, "updatedAt" text)`,
    `create table account (id text, "userId" text, "accountId" text, "providerId" text, "accessToken" text, "refreshToken" text, "idToken" text, scope text)`,
    `insert into "user" values ('1', 'Eve', 'ada@op.test', 0, null, '2026-01-01T00:00:00.000Z'), ('2', 'Grace', 'Grace@op.test', 1, null, '2026-01-01T00:00:00.000Z'), ('3', 'Joan', 'Joan@op.test', 0, null, '2026-01-01T00:00:00.000Z')`,
    `insert into account values ('1', '1', 'eve', 'chat', 'at', null, null, 'email'), ('2', '2', 'grace', 'chat', 'at', null, null, 'email'), ('3', '3', '3', 'credential', null, null, null, null)`,
  ]
  const copying = statementsOf("moving/better-auth.md", "from-better-auth.sql")
  expect(copying).toHaveLength(2)
  for (const statement of [...before, ...copying]) await sql.raw(statement).execute(adapter.kysely)
  const world = await makeWorld({ strategy: "database", adapter, second: atChat })
  await world.signInByMail(world.browser(), "ada@op.test")
  expect(await cameBy(world, "chat", "eve")).toMatchObject({ user: { name: "Eve", email: null } })
  expect((await adapter.getUserByEmail("ada@op.test"))?.id).not.toBe("1")
  // Whoever has proven theirs keeps account and address.
  expect(await cameBy(world, "chat", "grace")).toMatchObject({ user: { email: "grace@op.test" } })
  expect((await adapter.getUserByEmail("grace@op.test"))?.id).toBe("2")
  // Whoever has a password alone is found by a link, and has nothing that a stranger could have added.
  expect(await adapter.getUserByEmail("joan@op.test")).toMatchObject({ id: "3", emailVerified: null })
  expect(await adapter.listAccountsByUserId("3")).toEqual([])
  await adapter.close()
})

it.each(["op", "chat"] as const)(
  "keeps a stranger in rows of Auth.js out, who comes back by %s",
  {
    tags: ["threat:A-022"],
  },
  async (way) => {
    const adapter = sqlAdapter({ filename: ":memory:" })
    await adapter.migrate()
    // Auth.js kept the address that the provider called unverified, and linked a second account, of a provider that verifies.
    const { id } = await adapter.createUser({ id: "1", name: "Eve", email: "ada@op.test", emailVerified: null })
    for (const provider of ["chat", "op"])
      await adapter.linkAccount({ userId: id, type: "oidc", provider, providerAccountId: "eve" })
    const [look = "", empty = ""] = statementsOf("concepts/linking.md", "unproven-addresses.sql")
    expect(await sql.raw(look).execute(adapter.kysely)).toMatchObject({
      rows: [{ provider: "chat" }, { provider: "op" }],
    })
    await sql.raw(empty.replace("acme", "chat")).execute(adapter.kysely)
    const world = await makeWorld({
      strategy: "database",
      adapter,
      provider: { emailVerified: byClaim },
      second: atChat,
    })
    await world.signInByMail(world.browser(), "ada@op.test")
    const owner = await adapter.getUserByEmail("ada@op.test")
    expect(owner?.id).not.toBe(id)
    expect(await cameBy(world, way, "eve")).toMatchObject({ user: { name: "Eve", email: null } })
    expect(await adapter.listAccountsByUserId(owner?.id ?? "")).toMatchObject([{ type: "email" }])
    await adapter.close()
  },
)
