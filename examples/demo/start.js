/** Starts the demo: the application, an identity provider and a mail server, all in this process and on this machine only. */
import { fileURLToPath } from "node:url"
import { createApp } from "./app/app.js"
import { createDemoAuth } from "./app/auth.js"
import { databaseOf } from "./app/database.js"
import { openStore } from "./app/store.js"
import { openData } from "./data.js"
import { startIdentityProvider } from "./identity/provider.js"
import { onFreePort, openDoor } from "./listen.js"
import { openMailbox } from "./mail/mailbox.js"
import { Mistake } from "./mistake.js"

try {
  await start()
} catch (error) {
  console.error(error instanceof Mistake ? error.message : error)
  process.exit(1)
}

async function start() {
  const strategy = strategyOf(process.env["DEMO_STRATEGY"])
  const wanted = portOf(process.env["PORT"])
  const { folder, file, secret } = await openData(
    process.env["DEMO_DATA"] || fileURLToPath(new URL(".data", import.meta.url)),
  )
  const database = databaseOf(process.env["DATABASE_URL"], file)
  const store = await openStore(database)
  const mailbox = await openMailbox()
  const appDoor = await openDoor(wanted, ["127.0.0.1", "::1"])

  // The application is `localhost` and the provider `127.0.0.1`: cookies know hosts, not ports.
  const origin = `http://localhost:${appDoor.port}`
  const redirectUri = `${origin}/auth/callback/demo-op`
  const identity = await onFreePort(appDoor.port + 1, (port) => startIdentityProvider({ port, redirectUri }))
  const { clientId, clientSecret, issuer } = identity
  const auth = createDemoAuth({
    origin,
    secret,
    strategy,
    store,
    identity: { issuer, clientId, clientSecret },
    smtpServer: mailbox.server,
  })
  appDoor.handle(createApp({ origin, identityOrigin: issuer, strategy, auth, store, mailbox }))

  stopOnSignal(async () => {
    await Promise.all([appDoor.close(), identity.close(), mailbox.close()])
    await store.close()
  })
  const isMoved = appDoor.port !== wanted
  const kept = database.place === file ? `${folder} · remove it to begin anew` : `${database.title} (${database.place})`
  announce({ origin, issuer, strategy, kept, password: store.demoPassword, taken: isMoved ? wanted : undefined })
}

/** A second Ctrl-C does not wait. @param {() => Promise<void>} close */
function stopOnSignal(close) {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.once(signal, () => {
      console.log("\nStopping.")
      void close()
    })
}

/**
 * @param {{
 *   origin: string,
 *   issuer: string,
 *   strategy: string,
 *   kept: string,
 *   password: { email: string, password: string },
 *   taken: number | undefined,
 * }} facts
 */
function announce({ origin, issuer, strategy, kept, password, taken }) {
  const other = strategy === "database" ? "jwt" : "database"
  console.log(`
Latchkey demo

  Open                ${origin}${taken === undefined ? "" : `  (port ${taken} is taken)`}

  Identity provider   ${issuer} · choose Ada Byron or Grace Hopper
  E-mail link         any address · the mail arrives at ${origin}/mailbox
  Password            ${password.email} · ${password.password}
  Passkey             add one on the account page, then sign in with it

  Sessions            ${strategy} · the other kind: DEMO_STRATEGY=${other} npm start
  Data                ${kept}

  Ctrl-C stops everything.
`)
}

/**
 * @param {string | undefined} text
 * @returns {"database" | "jwt"}
 */
function strategyOf(text) {
  if (!text || text === "database") return "database"
  if (text === "jwt") return "jwt"
  throw new Mistake(`DEMO_STRATEGY is "${text}"; it can be "database" or "jwt".`)
}

/** @param {string | undefined} text */
function portOf(text) {
  const port = Number(text || 3000)
  if (Number.isInteger(port) && port > 0 && port < 65_535) return port
  throw new Mistake(`PORT is "${text}"; it must be a number from 1 to 65534.`)
}
