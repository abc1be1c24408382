/** A Redis of our own for measuring: on a free port, keeping nothing. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"

async function freePort() {
  const server = createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address()
  server.close()
  return port
}

/** @returns {Promise<{ url: string, stop(): Promise<void> }>} */
export async function startRedis() {
  const port = await freePort()
  const child = spawn("redis-server", [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
  ])
  child.on("error", (error) => {
    throw new Error('The program "redis-server" is missing. Install Redis.', { cause: error })
  })
  for await (const chunk of child.stdout) if (String(chunk).includes("Ready to accept connections")) break
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGTERM")
      if (child.exitCode === null) await once(child, "exit")
    },
  }
}
