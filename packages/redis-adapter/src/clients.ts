/** The kinds of clients the `redis` library makes, as far as the adapter uses them. */

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
  /** Sends a command. */
  sendCommand(args: string[], options?: object): Promise<unknown>
}

/** What `createCluster` makes. */
export interface ClusterClient extends AnyClient {
  /** Sends a command to the node that has the key. */
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
    options?: object,
  ): Promise<unknown>
  /** The node that has a hash slot. */
  getSlotMaster(slot: number): unknown
}

/** What `createSentinel` makes. */
export interface SentinelClient extends AnyClient {
  readonly isReady: boolean
  sendCommand(isReadonly: boolean | undefined, args: string[], options?: object): Promise<unknown>
  getMasterNode(): unknown
}

/**
 * Any client of the `redis` library: `createClient`, `createClientPool`, `createSentinel`, `createCluster`. Version 5 or
 * later.
 */
export type RedisClient = PlainClient | SentinelClient | ClusterClient

/** Does it know several nodes? */
export function isCluster(client: RedisClient): client is ClusterClient {
  return "getSlotMaster" in client && typeof client.getSlotMaster === "function"
}

function isSentinel(client: RedisClient): client is SentinelClient {
  return "getMasterNode" in client && typeof client.getMasterNode === "function"
}

/** Sends a command the way this kind of client takes it. Never to a replica: it may not know yet what was just written. */
export function sendTo(
  client: RedisClient,
  { key, args }: { readonly key: string | undefined; readonly args: string[] },
  options: object,
): Promise<unknown> {
  if (isCluster(client)) return client.sendCommand(key, false, args, options)
  if (isSentinel(client)) return client.sendCommand(false, args, options)
  return client.sendCommand(args, options)
}

const wanted =
  'redisAdapter needs a client of the "redis" package (createClient, createClientPool, createSentinel or createCluster), version 5 or later.'

/** @throws TypeError when it is no client of the `redis` library. */
export function checkedClient(client: unknown): RedisClient {
  const members = (typeof client === "object" && client !== null ? client : {}) as Record<string, unknown>
  const isClient = ["sendCommand", "connect", "on"].every((method) => typeof members[method] === "function")
  if (isClient && typeof members["isOpen"] === "boolean") return client as RedisClient
  throw new TypeError([wanted, ...receivedFrom(members, isClient)].join(" "))
}

/** Who made a client that does not fit, where it shows, and what to do. */
function receivedFrom(members: Readonly<Record<string, unknown>>, hasMethods: boolean): string[] {
  // Its clients have the same methods with other arguments.
  if (hasMethods && typeof members["status"] === "string") {
    return ['Received a client of "ioredis" or "iovalkey", whose methods take other arguments.']
  }
  // Every command is a method there, and `createScript` stands in no other library.
  if (typeof members["createScript"] === "function" && typeof members["pipeline"] === "function") {
    return [
      'Received a client of "@upstash/redis", which sends each command over HTTP. Give the adapter the other address of the same database: redisAdapter({ url: "rediss://..." }).',
    ]
  }
  return []
}
