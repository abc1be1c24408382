/** Starts the application: `AUTH_SECRET=... PORT=3000 node server.js`. */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { createApp } from "./app.js"

const folder = new URL(".data/", import.meta.url)
mkdirSync(folder, { recursive: true, mode: 0o700 })
const filename = process.env["DATABASE"] ?? fileURLToPath(new URL("app.db", folder))
const port = Number(process.env["PORT"] ?? 3000)

const { app, close } = await createApp({ filename, trustProxy: process.env["TRUST_PROXY"] ?? false })
const server = app.listen(port, (error) => {
  if (error) throw error
  console.log(`http://localhost:${port}`)
})

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close(close)
    server.closeAllConnections()
  })
}
