/** Columns of other tools on MySQL that migrations make compare exactly: nothing else about them changes. */
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newMariadb, opened } from "../support/databases.js"

interface Found {
  readonly name: string
  readonly collation: string
  readonly fallback: string | null
  readonly nullable: string
  readonly comment: string
}

const columns = `select column_name as name, collation_name as collation, column_default as fallback,
    is_nullable as nullable, column_comment as comment
  from information_schema.columns where table_schema = database() and table_name in ('users', 'accounts', 'sessions')
    and column_name in ('email', 'provider', 'sessionToken') order by column_name`

describeServer("mariadb", (server) => {
  it("defaults and comments of a column stay when it is made to compare exactly", async () => {
    const { url, run, rows } = await newMariadb(server)
    await run(
      `create table users (id varchar(40) not null primary key, name varchar(200),
        email varchar(200) not null default '' comment 'what Ada''s owner wrote; a \\\\ in it, too', emailVerified datetime(3),
        image text) collate utf8mb4_general_ci`,
      `create table accounts (id varchar(40) not null primary key default (uuid()), userId varchar(40) not null, type varchar(40),
        provider varchar(100) not null default 'it''s ours', providerAccountId varchar(100) not null, refresh_token text,
        access_token text, expires_at bigint, id_token text, scope text, session_state text, token_type text)
        collate utf8mb4_general_ci`,
      `create table sessions (userId varchar(40) not null, expires datetime(3) not null,
        sessionToken varchar(200) not null default (concat('made-', uuid())) comment 'secret') collate utf8mb4_general_ci`,
    )
    const before = await rows<Found>(columns)
    const adapter = opened(url)
    await adapter.migrate()
    const after = await rows<Found>(columns)
    expect(after.map(({ collation }) => collation)).toEqual(Array(3).fill("utf8mb4_nopad_bin"))
    expect(after.map(({ collation: _, ...rest }) => rest)).toEqual(before.map(({ collation: _, ...rest }) => rest))
    expect(before.map(({ fallback }) => fallback)).toEqual(["''", "'it''s ours'", "concat('made-',uuid())"])
    expect((await adapter.check()).problems).toEqual([])
  })
})
