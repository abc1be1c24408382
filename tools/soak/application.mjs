/** The application of the soak test: people in PostgreSQL, sessions and links in Redis, three ways to sign in. One process of several. */
import { createAuth } from "@latchkey/core"
import { managedSessions } from "@latchkey/core/sessions"
import { ExpressAuth } from "@latchkey/express"
import { combine, redisAdapter } from "@latchkey/redis-adapter"
import { sqlAdapter } from "@latchkey/sql-adapter"
import express from "express"

const { SOAK_PORT, SOAK_ORIGIN, SOAK_POSTGRESQL, SOAK_REDIS, SOAK_ISSUER, SOAK_MAILBOX, SOAK_PASSWORD } = process.env

const redis = redisAdapter({ url: SOAK_REDIS })
const people = sqlAdapter(SOAK_POSTGRESQL)
await people.migrate()
const adapter = combine(people, { sessions: redis, verificationTokens: redis })

const credentials = {
  id: "credentials",
  name: "Password",
  type: "credentials",
  credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
  async authorize({ email, password }) {
    if (password !== SOAK_PASSWORD || typeof email !== "string") return null
    return (
      (await adapter.getUserByEmail(email)) ??
      adapter.createUser({ id: crypto.randomUUID(), email, emailVerified: null })
    )
  },
}
const mail = {
  id: "mail",
  name: "Mail",
  type: "email",
  async sendVerificationRequest({ identifier, url }) {
    const { ok } = await fetch(SOAK_MAILBOX, { method: "POST", body: JSON.stringify({ identifier, url }) })
    if (!ok) throw new Error("The mailbox refused the mail.")
  },
}
const op = {
  id: "op",
  name: "Provider",
  type: "oidc",
  issuer: SOAK_ISSUER,
  clientId: "latchkey-test",
  clientSecret: SOAK_PASSWORD,
}

const auth = createAuth(
  {
    secret: "secret-of-the-soak-test-of-more-than-32-characters",
    providers: [credentials, mail, op],
    adapter,
    session: { strategy: "database", updateAge: 1 },
    features: [managedSessions()],
    trustHost: true,
    logger: {
      error: (error) => console.error(error.name, error.cause?.err?.message ?? error.message),
      warn() {},
      debug() {},
    },
  },
  { env: { AUTH_URL: SOAK_ORIGIN } },
)
const service = ExpressAuth(auth)

const app = express()
app.use("/auth", service)
app.get("/me", async (req, res) => {
  try {
    const session = await service.session(req, res)
    res.json({ email: session?.user?.email ?? null })
  } catch (error) {
    res.status(503).json({ error: error.name })
  }
})
/** Asked directly, not through the proxy: what is in use once all rubbish is gone. */
app.get("/heap", (_req, res) => {
  globalThis.gc?.()
  res.json({ heapUsed: process.memoryUsage().heapUsed })
})
const server = app.listen(Number(SOAK_PORT), "127.0.0.1", () => console.log("listening"))
// nginx keeps an idle connection for 60 seconds and Node for 5: a POST on one that Node is about to close is answered with 502.
server.keepAliveTimeout = 65_000
