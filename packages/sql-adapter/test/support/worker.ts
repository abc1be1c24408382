/** One of several processes on one database: signs people in at the same time as the others, and says what came of it. */
import { DuplicateError, sqlAdapter } from "@latchkey/sql-adapter"

const [source = "", name = "", startAt = "0"] = process.argv.slice(2)
const rounds = 20
const adapter = sqlAdapter(source, { busyTimeout: 15_000, connections: 2, migrate: "auto" })

const expires = (step: number): Date => new Date(Date.parse("2099-01-01T00:00:00Z") + step)

/** The first sign-in of a person whom every process signs in at the same time. */
function signIn(person: number): Promise<string> {
  const account = { provider: "example", providerAccountId: `person-${person}`, type: "oauth" as const }
  return adapter.transaction(async (open) => {
    const owner = await open.getUserByAccount?.(account)
    const user =
      owner ??
      (await open.createUserWithAccount?.(
        { id: "", email: `${person}-${name}@example.test`, emailVerified: null },
        account,
      ))
    if (!user) throw new Error("nobody came in")
    const sessionToken = `${name}-${person}`
    await open.createSession?.({ sessionToken, userId: user.id, expires: expires(0) })
    return user.id
  })
}

/** Whoever loses the race finds the winner's rows, as the service does. */
async function signInOrEnter(person: number): Promise<string> {
  try {
    return await signIn(person)
  } catch (error) {
    if (error instanceof DuplicateError) return signIn(person)
    throw error
  }
}

await new Promise((resolve) => setTimeout(resolve, Number(startAt) - Date.now()))
const users: string[] = []
let consumed = 0
for (let round = 0; round < rounds; round += 1) {
  users.push(await signInOrEnter(round))
  if (await adapter.useVerificationToken({ identifier: "ada@example.test", token: `token-${round}` })) consumed += 1
  await adapter.updateSession({ sessionToken: "shared", expires: expires(round) })
  await adapter.updateSession({ sessionToken: `${name}-${round}`, expires: expires(round) })
}
await adapter.close()
process.stdout.write(JSON.stringify({ users, consumed }))
