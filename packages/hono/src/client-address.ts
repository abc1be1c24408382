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
  readonly port?: unknown
  readonly server?: Platform
}

/**
 * How many turns of its loop Bun is given to come to the end of a connection: it takes two, however many are reset at once.
 */
const turns = 16

/**
 * The other end of the connection on Node.js, Deno and Bun, the visitor on Cloudflare Workers; `undefined` elsewhere, and of a copy of
 * a request on Bun. `null` where the other end has reset the connection.
 */
export async function clientAddress(c: Context): Promise<string | null | undefined> {
  const { raw } = c.req
  // Cloudflare puts `cf` on the request, which no client can, and overwrites the field for every request to a Worker.
  if ("cf" in raw && typeof raw.cf === "object" && raw.cf !== null)
    return raw.headers.get("cf-connecting-ip") ?? undefined
  const platform: Platform = typeof c.env === "object" && c.env !== null ? c.env : {}
  const { socket } = platform.incoming ?? {}
  if (isReset(socket)) return null
  const found = socket?.remoteAddress ?? (await addressOf(platform, c))
  return typeof found === "string" || found === null ? found : undefined
}

const addressOf = (platform: Platform, c: Context): unknown =>
  platform.remoteAddr ? askDeno(platform) : askBun(platform, c)

function askDeno({ remoteAddr }: Platform): unknown {
  const address = remoteAddr?.hostname
  // Deno knows the other end of a connection that was reset by this address, which nobody has.
  return address === "0.0.0.0" || address === "::" ? null : address
}

async function askBun(platform: Platform, c: Context): Promise<unknown> {
  const server = platform.server ?? platform
  if (typeof server.requestIP !== "function") return undefined
  const found: unknown = Reflect.apply(server.requestIP, server, [c.req.raw])
  // Nor has Bun an address of a Unix socket, where the server has no port.
  if (found === null && server.port !== undefined) return (await isGone(c)) ? null : undefined
  return typeof found === "object" && found !== null && "address" in found ? found.address : undefined
}

/**
 * Bun has no address of a connection that was reset, nor of a copy of a request, as middleware makes them. But it aborts the request
 * of such a connection, and copies with it, as soon as it comes to the end of what was sent.
 */
async function isGone({ finalized, req: { raw } }: Context): Promise<boolean> {
  // With its answer every request loses its address, and is aborted no more.
  if (finalized) return true
  const { signal } = raw
  for (let turn = 0; turn < turns && !signal.aborted; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0))
  return signal.aborted
}
