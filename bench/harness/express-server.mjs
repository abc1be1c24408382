/**
 * One Express application in a process of its own, so that its processor time can be measured separately:
 * `node bench/harness/express-server.mjs <file in targets>`. It answers "cpu" with the microseconds used so far, and
 * ends with its parent.
 */
import { once } from "node:events"
import express from "express"
import { beMeasured } from "./measured.mjs"

const { name, mount } = await import(`../targets/${process.argv[2]}.mjs`)
const app = express()
const server = app.listen(0, "127.0.0.1")
// It is idle while the others are measured.
server.keepAliveTimeout = 0
await once(server, "listening")
const origin = `http://127.0.0.1:${server.address().port}`
const { cookie, signIn, endpoint, isOpen = false } = await mount(app, origin)
beMeasured({ name, origin, endpoint, isOpen, cookie: cookie ?? (await signIn()) })
