/** Adapters on the Redis of the run, each with keys of its own. */
import { randomUUID } from "node:crypto"
import { type RedisAdapter, type RedisAdapterOptions, redisAdapter } from "@latchkey/redis-adapter"
import { createClient } from "redis"
import { inject } from "vitest"

/** A prefix nobody else uses. */
export const freshPrefix = (): string => `test-${randomUUID().slice(0, 8)}`

/** An adapter on the Redis of the run, or of another address. */
export function freshAdapter(options: RedisAdapterOptions & { url?: string } = {}): RedisAdapter {
  const { url = inject("redis"), ...rest } = options
  return redisAdapter({ url }, { prefix: freshPrefix(), ...rest })
}

/** Speaks with a server beside the adapter. */
export async function withClient<T>(
  url: string,
  work: (send: (...args: string[]) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const client = await createClient({ url }).connect()
  try {
    return await work((...args) => client.sendCommand(args))
  } finally {
    await client.close()
  }
}

/** All keys of a prefix. */
export function keysOf(prefix: string, url: string = inject("redis")): Promise<string[]> {
  return withClient(url, async (send) => {
    const names = (await send("KEYS", `*${prefix}*`)) as string[]
    return names.sort()
  })
}
