/** Latchkey's adapter for Redis and Valkey: for sessions and links beside another adapter, or for everything. */
export { combine } from "@latchkey/core/adapters"
export {
  type RedisAdapter,
  type RedisAdapterOptions,
  type RedisRecords,
  redisAdapter,
  redisRecords,
} from "./adapter.js"
export type { ClusterClient, PlainClient, RedisClient } from "./clients.js"
export { RedisError, type RedisFault } from "./faults.js"
export type { Source } from "./source.js"
export { DamagedRowError } from "./values.js"
