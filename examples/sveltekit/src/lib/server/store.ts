/** The database: the tables of the service, and one of this application's own for passwords. */
import { randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { dev } from "$app/environment"
import { env } from "$env/dynamic/private"
import { inTurn } from "$lib/server/in-turn"

interface Tables {
  passwords: { user_id: string; salt: string; hash: string }
}

/** Is the application on this machine alone? Anybody can read the password below, so that elsewhere it opens nothing. */
export const isAtHome = (): boolean =>
  dev || (URL.canParse(env.ORIGIN ?? "") && new URL(env.ORIGIN ?? "").hostname === "localhost")

/** A user to try it with. A real application has a form to register instead. */
const ada = { name: "Ada Byron", email: "ada@example.test", password: "analytical-engine-1843" }

// Nothing is opened before the first use.
export const adapter = sqlAdapter<Tables>({ filename: env.DATABASE || "app.db" })

const derive = promisify<string, string, number, Buffer>(scrypt)
/** Characters: normalising much longer text can stop the process for seconds. */
const longest = 1024
const hashOf = async (password: string, salt: string): Promise<Buffer> =>
  inTurn(() => derive(password.slice(0, longest).normalize("NFKC"), salt, 32))

/** The user with this address and password. */
export async function personOf(email: unknown, password: unknown) {
  if (typeof email !== "string" || typeof password !== "string") return null
  await prepare()
  const user = await adapter.getUserByEmail(email.trim().toLowerCase())
  const stored = user && (await passwordOf(user.id))
  // An unknown address takes as long as a known one.
  const given = await hashOf(password, stored?.salt ?? "nobody")
  return stored && timingSafeEqual(given, Buffer.from(stored.hash, "hex")) ? user : null
}

/** Gives a person another name; the session has it at the next request. */
export async function rename(id: string, name: string): Promise<void> {
  await adapter.updateUser({ id, name })
}

const passwordOf = (userId: string) =>
  adapter.kysely.selectFrom("passwords").selectAll().where("user_id", "=", userId).executeTakeFirst()

let prepared: Promise<void> | undefined

/** Makes the table, on this machine with one person in it, at the first sign-in. */
function prepare(): Promise<void> {
  prepared ??= seed().catch((error: unknown) => {
    prepared = undefined
    throw error
  })
  return prepared
}

async function seed(): Promise<void> {
  const { schema } = adapter.kysely
  await schema
    .createTable("passwords")
    .ifNotExists()
    .addColumn("user_id", "text", (column) => column.primaryKey())
    .addColumn("salt", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .execute()
  const { email, name, password } = ada
  if (!isAtHome() || (await adapter.getUserByEmail(email))) return
  const user = await adapter.createUser({ id: randomUUID(), name, email, emailVerified: null })
  const salt = randomBytes(16).toString("hex")
  const hash = (await hashOf(password, salt)).toString("hex")
  await adapter.kysely.insertInto("passwords").values({ user_id: user.id, salt, hash }).execute()
}
