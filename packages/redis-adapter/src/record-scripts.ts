/**
 * The scripts on records. All keys of records share a hash slot, so each operation is one step. A full Redis refuses a script
 * at its first write, and no later one: what is new must not be preceded by a removal.
 */
import { type Script, script } from "./scripts.js"

/**
 * Puts a record where the version is the expected one. KEYS: record, keys of the kind, their ends, records of the user
 * (or the record again). ARGV: expected version (0: none, or ended), the clock of the service, when Redis removes it, key,
 * member of the list of the user (or empty), then fields and values. What has ended is swept from the lists.
 */
export const putRecord: Script = script(`
local found = redis.call('HMGET', KEYS[1], 'version', 'expires')
local current = '0'
if found[1] and tonumber(found[2]) > tonumber(ARGV[2]) then current = found[1] end
if current ~= ARGV[1] then return 0 end
if found[1] then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000
redis.call('ZADD', KEYS[2], 0, ARGV[4])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[4])
local ended = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, 100)
if #ended > 0 then
  redis.call('ZREM', KEYS[2], unpack(ended))
  redis.call('ZREM', KEYS[3], unpack(ended))
end
local lists = { KEYS[3] }
if ARGV[5] ~= '' then
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
  redis.call('ZADD', KEYS[4], ARGV[3], ARGV[5])
  lists[2] = KEYS[4]
end
for _, list in ipairs(lists) do
  local last = redis.call('ZRANGE', list, -1, -1, 'WITHSCORES')
  if last[2] then
    local finish = string.format('%.0f', last[2])
    redis.call('PEXPIREAT', list, finish)
    if list == KEYS[3] then redis.call('PEXPIREAT', KEYS[2], finish) end
  end
end
return 1`)

/** Hands a record over to one caller. KEYS: record, keys of the kind, their ends. ARGV: key. */
export const takeRecord: Script = script(`
local found = redis.call('HMGET', KEYS[1], 'user', 'value', 'version', 'expires')
if not found[3] then return false end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return found`)

/**
 * Adds to a counter, and answers its sum and its end. KEYS: record. ARGV: what is added, the end, the clock of the service,
 * when Redis removes it.
 */
export const countRecord: Script = script(`
local add, finish = tonumber(ARGV[1]), redis.call('HGET', KEYS[1], 'expires')
if not finish or tonumber(finish) <= tonumber(ARGV[3]) then
  if add <= 0 then return { '0', ARGV[2] } end
  if finish then redis.call('DEL', KEYS[1]) end
  redis.call('HSET', KEYS[1], 'value', '', 'version', '1', 'expires', ARGV[2], 'sum', ARGV[1])
  redis.call('PEXPIREAT', KEYS[1], ARGV[4])
  return { ARGV[1], ARGV[2] }
end
if add > 0 or (add < 0 and finish == ARGV[2]) then redis.call('HINCRBY', KEYS[1], 'sum', ARGV[1]) end
return { redis.call('HGET', KEYS[1], 'sum') or '0', finish }`)

/** Reads records, and the list of their user at the same moment. KEYS: the list, then the records. */
export const readRecords: Script = script(
  `
local found = {}
for at = 2, #KEYS do
  found[at - 1] = redis.call('HMGET', KEYS[at], 'user', 'value', 'version', 'expires')
end
return { redis.call('ZRANGE', KEYS[1], 0, -1), found }`,
  true,
)

/**
 * Removes those of the given records that a user still has, and says how many. KEYS: the list of the user, then for each
 * record the record, the keys of its kind and their ends. ARGV: the user, then for each its member and its key.
 */
export const dropRecords: Script = script(`
local removed = 0
for at = 1, (#KEYS - 1) / 3 do
  local first = 3 * at - 1
  if redis.call('HGET', KEYS[first], 'user') == ARGV[1] then
    redis.call('DEL', KEYS[first])
    redis.call('ZREM', KEYS[first + 1], ARGV[2 * at + 1])
    redis.call('ZREM', KEYS[first + 2], ARGV[2 * at + 1])
    removed = removed + 1
  end
  redis.call('ZREM', KEYS[1], ARGV[2 * at])
end
return removed`)
