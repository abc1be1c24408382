/** Adapters that others published for Auth.js: what each does not meet of the contract, and which cannot run here. */
import type { Excuse } from "@latchkey/adapter-contract"
import { published as withoutServer } from "../../packages/core/test/interop/published-adapters.data.js"

/** An adapter that runs in the tests. */
export interface Published {
  readonly name: string
  /** Cases it does not keep, each with its reason. The run fails when one of them passes. */
  readonly excluded: readonly Excuse[]
}

/** An adapter that does not run in the tests. */
export interface LeftOut {
  readonly name: string
  readonly reason: string
}

/** One reason for several cases. */
function because(reason: string, ...cases: readonly string[]): readonly Excuse[] {
  return cases.map((name) => ({ case: name, reason }))
}

const taken = "the adapter writes and leaves it to the table to refuse what is taken, and the documented table does not"
const width = "the documented columns hold 255 characters; the server refuses what is longer"
const readThenRemove = "a token is read, then removed"

const linkedTwice = because(
  taken,
  "linkAccount refuses an account that another user has",
  "linkAccount refuses an account that the same user has",
  "of many who link an account at once, one gets it",
)
/** The driver turns every half of a surrogate pair into U+FFFD, so that two account ids become one. */
const halves = because(
  "broken Unicode reaches the database as U+FFFD, whichever half it was",
  "what cannot be stored is refused, never mistaken",
)

const lists = because(
  "a list of one text is taken for the text",
  "a list or an object in place of a string finds nothing and removes nothing",
)

const pg = [
  ...linkedTwice,
  ...because(
    taken,
    "createUser refuses an address that another user has",
    "updateUser refuses an address that another user has",
    "createSession refuses a token that is there already",
    "of many who create a user with one address at once, one does",
    "of many who begin a session with one token at once, one does",
  ),
  ...because("ids are numbers, and a string that is none is an error", "deleteUser of an unknown id is no error"),
  ...because(width, "names and images hold any text", "addresses hold any text", "session tokens hold any text"),
  ...halves,
]

const drizzle = [
  ...because(
    "a value that is no string goes to a text column as JSON, and comes back as that string",
    "session_state of any JSON value comes back as it went in",
  ),
  ...halves,
  ...because(
    "times and counters beyond 2147483647 do not fit the documented integer columns",
    "getAccount answers an account with its tokens",
    "updateAuthenticatorCounter changes that counter and no other",
    "long values are kept whole",
  ),
]

const kysely = [
  ...lists,
  ...linkedTwice,
  ...halves,
  ...because("a missing row is an error", "updateSession of an ended session answers null"),
  ...because(
    "the documented table demands an address of everybody: a user without one is refused",
    "users without an address do not collide",
    "an empty value finds nobody",
  ),
]

const prisma = [
  ...because(
    "the documented schema demands an address of everybody: a user without one is refused",
    "users without an address do not collide",
    "an empty value finds nobody",
  ),
  ...because(
    "times and counters beyond 2147483647 do not fit the documented integer columns",
    "getAccount answers an account with its tokens",
    "updateAuthenticatorCounter changes that counter and no other",
    "long values are kept whole",
  ),
  ...because("the documented column holds texts only", "session_state of any JSON value comes back as it went in"),
  ...because(
    "a missing row is an error",
    "updateSession of an ended session answers null",
    "deleteSession of an unknown token is no error",
    "deleteUser of an unknown id is no error",
    "deleteSession compares exactly",
    "unlinkAccount compares exactly",
    "many end one session at once without an error",
  ),
  ...halves.filter(({ case: name }) => name === "what cannot be stored is refused, never mistaken"),
]

const sequelize = [
  ...lists,
  ...linkedTwice,
  ...halves,
  ...because(
    "answers are model instances, whose members are no properties of their own; the engine reads them all the same",
    "createUser answers the user as stored, and getUser finds it",
    "updateUser changes what is given, keeps the rest and answers the whole user",
    "createSession answers the session",
    "updateSession moves the end of that session and no other",
  ),
  ...because("an unknown user is answered with null", "updateUser of an unknown id is refused"),
  ...because(
    "a look for one token removes every token of the address",
    "a wrong token is refused and the right one still works",
    "tokens do not cross between addresses",
    "two tokens of one address both work",
    "useVerificationToken compares tokens exactly",
  ),
  ...because(
    width,
    "names and images hold any text",
    "addresses hold any text",
    "session tokens hold any text",
    "verification tokens hold any text",
  ),
  ...because(readThenRemove, "of many who use a verification token at once, one gets it"),
]

const typeorm = [
  ...linkedTwice,
  ...halves,
  ...because(
    "an update answers what it was given, and nothing in place of the rest",
    "updateUser changes what is given, keeps the rest and answers the whole user",
  ),
  ...because(
    "an update writes the row whether it was there or not",
    "updateUser of an unknown id is refused",
    "updateUser of an unknown id makes no user",
  ),
  ...because(readThenRemove, "of many who use a verification token at once, one gets it"),
]

const unstorage = withoutServer.find(({ name }) => name === "@auth/unstorage-adapter")?.excuses ?? []

export const published: readonly Published[] = [
  { name: "@auth/pg-adapter", excluded: pg },
  { name: "@auth/drizzle-adapter", excluded: drizzle },
  { name: "@auth/kysely-adapter", excluded: kysely },
  { name: "@auth/prisma-adapter", excluded: prisma },
  { name: "@auth/sequelize-adapter", excluded: sequelize },
  { name: "@auth/typeorm-adapter", excluded: typeorm },
  { name: "@auth/unstorage-adapter", excluded: unstorage },
]

/** The run fails when the fixture has an adapter of this list, because it can be run then. */
export const leftOut: readonly LeftOut[] = [
  { name: "@auth/mongodb-adapter", reason: "needs a MongoDB server, which Debian does not have" },
  { name: "@auth/dynamodb-adapter", reason: "needs DynamoDB, a service" },
  { name: "@auth/firebase-adapter", reason: "needs Firestore, a service" },
  { name: "@auth/supabase-adapter", reason: "needs Supabase, a service" },
  { name: "@auth/upstash-redis-adapter", reason: "needs Upstash, a service" },
  { name: "@auth/neo4j-adapter", reason: "needs a Neo4j server, which Debian does not have" },
]
