/** A session look-up in each store, beside the driver's own prepared one, at a thousand sessions; `stores` and `redis` go on to a million. */
import { onRedis } from "./redis.bench.mjs"
import { onPostgresql, onSqlite } from "./stores.bench.mjs"

/** @returns {Promise<object[]>} tables */
export async function run({ rounds, milliseconds, begin }) {
  const options = { rounds, milliseconds, begin }
  return [...(await onSqlite([1000], options)), ...(await onPostgresql([1000], options)), await onRedis(1000, options)]
}
