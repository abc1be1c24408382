/**
 * The pages of `bench/sveltekit-app` in a process of their own, as adapter-node has built them:
 * `node bench/harness/sveltekit-server.mjs <name>`. Which hook they stand behind is chosen by the variable `TARGET`.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { open } from "../targets/limit.mjs"
import { beMeasured } from "./measured.mjs"

const { handler } = await import("../sveltekit-app/build/handler.js")
const server = createServer(handler).listen(0, "127.0.0.1")
// It is idle while the others are measured.
server.keepAliveTimeout = 0
await once(server, "listening")
const [cookie] = open().cookies(1)
const isOpen = process.env.TARGET === "none"
beMeasured({ name: process.argv[2], origin: `http://127.0.0.1:${server.address().port}`, isOpen, cookie })
