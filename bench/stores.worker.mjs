/** One process that looks sessions up for a while: `node bench/stores.worker.mjs <url> <sessions> <milliseconds>`. */
import { sqlAdapter } from "@latchkey/sql-adapter"

const [url, sessions, milliseconds] = process.argv.slice(2)
const adapter = sqlAdapter(url, { connections: 8 })

let done = 0
let end = Number.POSITIVE_INFINITY

async function look(lane) {
  for (let turn = lane; performance.now() < end; turn += 8) {
    const found = await adapter.getSessionAndUser(`token-${(turn * 7919) % Number(sessions)}`)
    if (!found) throw new Error("a session was not found")
    done += 1
  }
}

await adapter.getSessionAndUser("token-0")
process.send("ready")
process.once("message", async () => {
  const begun = performance.now()
  end = begun + Number(milliseconds)
  await Promise.all(Array.from({ length: 8 }, (_, lane) => look(lane)))
  process.send({ done, seconds: (performance.now() - begun) / 1000 })
  await adapter.close()
  process.disconnect()
})
