/**
 * One Express application in a process of its own, so that the time its processor took can be told apart:
 * `node bench/express.server.mjs bare|latchkey|peer`. It says its address and a signed-in cookie, answers "cpu" with
 * the microseconds used so far, and ends with its parent.
 */
import { once } from "node:events"
import { encode } from "@auth/core/jwt"
import { authSession, ExpressAuth, requireSession } from "@latchkey/express"
import express from "express"
import { peerPackage } from "./express.peer.mjs"
import { configuration, secret } from "./peer.mjs"

const cookieName = "authjs.session-token"
const person = (_request, response) => response.json({ name: response.locals.session?.user?.name ?? "Ada" })

/** The same protected route three times: without any protection, protected here, protected as the peer documents it. */
const applications = {
  bare: (app) => app.get("/me", person),
  latchkey(app) {
    const config = configuration()
    app.use("/auth", ExpressAuth(config))
    app.get("/me", authSession(config), requireSession({ status: 401 }), person)
  },
  async peer(app) {
    const { ExpressAuth: PeerAuth, getSession } = await peerPackage()
    const config = configuration()
    app.use("/auth", PeerAuth(config))
    app.get(
      "/me",
      async (request, response, next) => {
        response.locals.session = await getSession(request, config)
        if (response.locals.session?.user) next()
        else response.sendStatus(401)
      },
      person,
    )
  },
}

const app = express()
await applications[process.argv[2]](app)
const server = app.listen(0, "127.0.0.1")
// It is idle while the others are measured.
server.keepAliveTimeout = 0
await once(server, "listening")
const token = { name: "Ada", email: "ada@app.test", picture: null, sub: "1" }
process.send({
  origin: `http://127.0.0.1:${server.address().port}`,
  cookie: `${cookieName}=${await encode({ token, secret, salt: cookieName })}`,
})
process.on("message", () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system })
})
process.on("disconnect", () => process.exit())
