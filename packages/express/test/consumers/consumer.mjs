/** An ESM application that imports what was built. Its parent process passes the provider, and receives the port. */
import { createServer } from "node:http"
import "@latchkey/express/augment"
import "@latchkey/express/augment-request"
import * as latchkey from "@latchkey/express"
import { Credentials } from "@latchkey/express/providers/credentials"
import express5 from "express"
import express4 from "express4"
import { createMatrix } from "./application.mjs"

process.on("message", (op) => {
  const server = createServer(createMatrix({ express4, express5, latchkey, Credentials }, op))
  server.keepAliveTimeout = 0
  server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }))
})
process.on("disconnect", () => process.exit())
