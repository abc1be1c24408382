/** Latchkey's adapter for SQL databases: SQLite, embedded by default. */
export { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "./adapter.js"
export { type SqliteOptions, sqliteDialect } from "./dialects/libsql.js"
export { SchemaError } from "./layout.js"
export { type PrintOptions, printMigrations } from "./migrations.js"
export type { Member, Names, TableKey } from "./names.js"
export type { Source } from "./source.js"
export type { SessionTokens } from "./tokens.js"
