/** The three kinds of clients the `redis` library makes, as far as the adapter uses them. */

/** What every client of the `redis` library can do. */
interface AnyClient {
  readonly isOpen: boolean
  connect(): Promise<unknown>
  on(event: string, listener: (error: Error) => void): unknown
}

/** What `createClient` and `createClientPool` make. */
export interface PlainClient extends AnyClient {
  /** A pool does not say. */
  readonly isReady?: boolean
  sendCommand(args: string[], options?: object): Promise<unknown>
}

/** What `createCluster` makes. */
export interface ClusterClient extends AnyClient {
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
    options?: object,
  ): Promise<unknown>
  getSlotMaster(slot: number): unknown
}

/** Any client of the `redis` library: `createClient`, `createClientPool`, `createCluster`. Version 5 or later. */
export type RedisClient = PlainClient | ClusterClient

/** Does it know several nodes? */
export function isCluster(client: RedisClient): client is ClusterClient {
  return "getSlotMaster" in client && typeof client.getSlotMaster === "function"
}

/** @throws TypeError when it is no client of the `redis` library. */
export function judgedClient(client: unknown): RedisClient {
  const methods = (typeof client === "object" && client !== null ? client : {}) as Record<string, unknown>
  for (const method of ["sendCommand", "connect", "on"]) {
    if (typeof methods[method] !== "function") {
      throw new TypeError(
        'redisAdapter needs a client of the "redis" package (createClient, createClientPool or createCluster), version 5 or later.',
      )
    }
  }
  return client as RedisClient
}
