/** `latchkey schema`: prints the tables in the language of a tool whose adapter the application uses. */
import { resolve } from "node:path"
import { type Command, defineCommand, exitCodes, Failure, UsageError } from "../command.js"
import { type Dialect, dialects } from "../schema/dialect.js"
import { drizzleSchema } from "../schema/drizzle.js"
import { kyselySchema } from "../schema/kysely.js"
import { prismaSchema } from "../schema/prisma.js"

const tools = { drizzle: drizzleSchema, prisma: prismaSchema, kysely: kyselySchema } as const

export const schema: Command = defineCommand({
  name: "schema",
  summary: "print the tables for Drizzle, Prisma or Kysely",
  details: `Prints the tables that @auth/drizzle-adapter, @auth/prisma-adapter or @auth/kysely-adapter work on, in the language
of the tool, whose own migrations make them. Users need no address, an account belongs to one user, and what is looked
up has an index. @latchkey/sql-adapter needs none of this: see migrate.`,
  options: {
    drizzle: { text: "a module with the tables, and what DrizzleAdapter takes" },
    prisma: { text: "models for schema.prisma" },
    kysely: { text: "a migration, and the types of the tables" },
    dialect: { value: "NAME", choices: dialects, text: "the database (default: postgresql)" },
    write: { value: "FILE", text: "write FILE instead of printing; one that is there is never changed" },
    json: { text: "print the text, or what was written, as JSON" },
  },
  exits: { fine: "printed or written", failed: "FILE is there already or cannot be written" },
  async run({ options }, { cwd, files, terminal }) {
    const named = (["drizzle", "prisma", "kysely"] as const).filter((tool) => options[tool])
    const [tool] = named
    if (tool === undefined || named.length > 1) throw new UsageError("Name one tool: --drizzle, --prisma or --kysely.")
    const dialect = (options.dialect ?? "postgresql") as Dialect
    const text = tools[tool](dialect)
    if (options.write === undefined) {
      terminal.out(options.json ? `${JSON.stringify({ tool, dialect, text })}\n` : text)
      return exitCodes.fine
    }
    const file = resolve(cwd, options.write)
    if (files.exists(file)) throw new Failure(`${options.write} is there already; nothing was written.`)
    files.write(file, text)
    terminal.out(
      options.json ? `${JSON.stringify({ tool, dialect, file: options.write })}\n` : `Wrote ${options.write}.\n`,
    )
    return exitCodes.fine
  },
})
