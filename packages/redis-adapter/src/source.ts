/** Where Redis is: an address, for which a client is made at the first need, or a client of the application. */
import { checkedClient, type RedisClient } from "./clients.js"

/** What the adapter can be given. */
export type Source =
  /** `redis://user:password@host:port/database`, `rediss://` for TLS; `valkey://` and `valkeys://` mean the same. */
  | { readonly url: string | URL }
  /** A client of the `redis` package. It stays yours: the adapter opens it if it is not open, and never closes it. */
  | { readonly client: RedisClient }

/** How to come by a client. */
export interface Opening {
  /** Made by us: closed and made anew by us. */
  readonly isOurs: boolean
  /** A client that need not be connected. */
  make(): Promise<RedisClient>
}

/** The longest pause before the next attempt to connect, in milliseconds. */
const longestPause = 500

function addressOf(url: unknown): string {
  const text = String(url).replace(/^valkey(s?):/i, "redis$1:")
  // The address may hold a password: it is never shown.
  if (!/^rediss?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new TypeError("The URL of Redis must look like redis://host:6379, or rediss://host:6379 for TLS.")
  }
  return text
}

async function library(): Promise<typeof import("redis")> {
  try {
    return await import("redis")
  } catch (cause) {
    throw new Error('The package "redis" is missing. Run: npm install redis', { cause })
  }
}

/** Finds out what was given. Opens nothing yet. @throws TypeError when it is neither an address nor a client. */
export function openingOf(source: Source, timeout: number): Opening {
  if (typeof source !== "object" || source === null) throw new TypeError("redisAdapter needs a url or a client.")
  if ("client" in source) {
    const client = checkedClient(source.client)
    return { isOurs: false, make: async () => client }
  }
  if (!("url" in source)) throw new TypeError("redisAdapter needs a url or a client.")
  const url = addressOf(source.url)
  return {
    isOurs: true,
    async make() {
      const { createClient } = await library()
      return createClient({
        url,
        // The adapter waits itself: a command in the queue of the client could take effect after a failure was reported.
        disableOfflineQueue: true,
        socket: {
          connectTimeout: timeout,
          reconnectStrategy: (retries) => Math.min(2 ** retries * 20, longestPause) * (0.5 + Math.random() / 2),
        },
      })
    },
  }
}
