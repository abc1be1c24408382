/** A CommonJS application that requires what was built. Its parent process passes the provider, and receives the port. */
"use strict"
const { createServer } = require("node:http")
const latchkey = require("@latchkey/express")
const { Credentials } = require("@latchkey/express/providers/credentials")
require("@latchkey/express/augment")
require("@latchkey/express/augment-request")
const express4 = require("express4")
const express5 = require("express")

async function start(op) {
  const { createMatrix } = await import("./application.mjs")
  const server = createServer(createMatrix({ express4, express5, latchkey, Credentials }, op))
  server.keepAliveTimeout = 0
  server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }))
}

process.on("message", start)
process.on("disconnect", () => process.exit())
