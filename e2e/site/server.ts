/** Serves the built site as a host of static files does, with addresses that do not end in `.html`. */
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"

/** Folder of the built site. */
export const built: string = fileURLToPath(new URL("../../docs/.vitepress/dist", import.meta.url))

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
}

/** A running site. */
export interface Site {
  readonly origin: string
  close(): void
}

/** Serves on a free port of loopback. */
export async function serveSite(): Promise<Site> {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname))
    const file = path.endsWith("/") ? `${path}index.html` : extname(path) === "" ? `${path}.html` : path
    const content = await readFile(join(built, file)).catch(() => undefined)
    response.writeHead(content ? 200 : 404, { "content-type": types[extname(file)] ?? "application/octet-stream" })
    response.end(content ?? "Not found")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}
