/** Finds a port that can be promised before anybody listens on it. */
import { once } from "node:events"
import { createServer } from "node:net"

/** Below the range that systems hand out by themselves, so that nobody gets it by chance meanwhile. */
const first = 3700

/** The next port on which nobody listens. Throws when a hundred are taken. */
export async function freePort(): Promise<number> {
  for (let port = first; port < first + 100; port++) {
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false))
      server.listen(port, "127.0.0.1", () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, "close")
    return port
  }
  throw new Error(`Every port from ${first} to ${first + 99} is taken.`)
}
