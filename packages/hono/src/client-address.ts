/** The address a request came from, where the platform itself says it. Fields that any client can write are never read. */
import { type Connection, isReset } from "@latchkey/core"
import type { Context } from "hono"

/** As much of what platforms hand to Hono as is used. */
interface Platform {
  /** Node.js, by `@hono/node-server`. */
  readonly incoming?: { readonly socket?: Connection }
  /** Deno, by `Deno.serve(app.fetch)`. */
  readonly remoteAddr?: { readonly hostname?: unknown }
  /** Bun, by `Bun.serve({ fetch: app.fetch })`, or with the server as a member. */
  readonly requestIP?: unknown
  readonly server?: Platform
}

/**
 * The other end of the connection on Node.js, Deno and Bun, the visitor on Cloudflare Workers; `undefined` elsewhere. `null` where
 * the other end has reset the connection.
 */
export function clientAddress(c: Context): string | null | undefined {
  const { raw } = c.req
  // Cloudflare puts `cf` on the request, which no client can, and overwrites the field for every request to a Worker.
  if ("cf" in raw && typeof raw.cf === "object" && raw.cf !== null)
    return raw.headers.get("cf-connecting-ip") ?? undefined
  const platform: Platform = typeof c.env === "object" && c.env !== null ? c.env : {}
  const { socket } = platform.incoming ?? {}
  if (isReset(socket)) return null
  const found = socket?.remoteAddress ?? platform.remoteAddr?.hostname ?? askBun(platform, raw)
  return typeof found === "string" ? found : undefined
}

function askBun(platform: Platform, request: Request): unknown {
  const server = platform.server ?? platform
  if (typeof server.requestIP !== "function") return undefined
  const found: unknown = Reflect.apply(server.requestIP, server, [request])
  return typeof found === "object" && found !== null && "address" in found ? found.address : undefined
}
