/** The scripts that run inside the server. Each names its keys, and all keys of one script share a hash slot. */
import { createHash } from "node:crypto"
import type { Connection } from "./connection.js"
import { asRedisError } from "./faults.js"

/** A script, known to the server by its SHA-1 once it has run there. */
export interface Script {
  readonly text: string
  readonly sha: string
  readonly isReading: boolean
}

export function script(text: string, isReading = false): Script {
  return { text, sha: createHash("sha1").update(text).digest("hex"), isReading }
}

/**
 * Checks conditions, then makes changes: all of them, or none. ARGV is a list of steps, each a word, the number of a
 * key, and for some a value. Answers 0, or the place of the condition that does not hold.
 */
export const change: Script = script(`
local steps, at, place = ARGV, 1, 0
while at <= #steps do
  local step, key = steps[at], KEYS[tonumber(steps[at + 1])]
  place = place + 1
  if step == 'absent' then
    if redis.call('EXISTS', key) == 1 then return place end
    at = at + 2
  elseif step == 'present' then
    if redis.call('EXISTS', key) == 0 then return place end
    at = at + 2
  elseif step == 'equals' then
    if redis.call('GET', key) ~= steps[at + 2] then return place end
    at = at + 3
  elseif step == 'counts' then
    if redis.call('SCARD', key) ~= tonumber(steps[at + 2]) then return place end
    at = at + 3
  elseif step == 'holds' then
    if redis.call('SISMEMBER', key, steps[at + 2]) == 0 then return place end
    at = at + 3
  else
    break
  end
end
while at <= #steps do
  local step, key = steps[at], KEYS[tonumber(steps[at + 1])]
  if step == 'del' then
    redis.call('DEL', key)
    at = at + 2
  else
    local command = step == 'set' and 'SET' or step == 'add' and 'SADD' or 'SREM'
    redis.call(command, key, steps[at + 2])
    at = at + 3
  end
end
return 0`)

/** Hands a value over to one caller: reads it and removes it. */
export const take: Script = script(`
local value = redis.call('GET', KEYS[1])
if value then redis.call('DEL', KEYS[1]) end
return value`)

/** Begins a session unless there is one. Value and end are written in one step. */
export const beginSession: Script = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
return 1`)

/** Changes a session that is there. One that has ended meanwhile stays ended. */
export const changeSession: Script = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
if #ARGV > 1 then redis.call('HSET', KEYS[1], unpack(ARGV, 2)) end
if ARGV[1] ~= '' then redis.call('PEXPIREAT', KEYS[1], ARGV[1]) end
return redis.call('HMGET', KEYS[1], 'owner', 'expires', 'more')`)

/** Ends a session and answers what it was. */
export const endSession: Script = script(`
local session = redis.call('HMGET', KEYS[1], 'owner', 'expires', 'more')
if not session[1] then return false end
redis.call('DEL', KEYS[1])
return session`)

/** Notes a session of a user. What has ended is swept out, and the list ends with its last session. */
export const noteSession: Script = script(`
local now = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now[1] * 1000)
redis.call('ZADD', KEYS[1], 'GT', ARGV[1], ARGV[2])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', last[2]))
return 1`)

/**
 * A session and its user in one round trip. The key of the user follows from the session, so it cannot be named
 * beforehand: for servers where all keys live together.
 */
export const lookUp: Script = script(
  `
local session = redis.call('HMGET', KEYS[1], 'owner', 'expires', 'more')
if not session[1] then return false end
return { session, redis.call('GET', ARGV[1] .. session[1]) }`,
  true,
)

/** What the node that holds a key says about itself. */
export const tellAbout: Script = script("return redis.call('INFO')", true)

/** Runs a script by its SHA-1; a server that does not know it (restarted, promoted) is given its text. */
export async function run(
  connection: Connection,
  { text, sha, isReading }: Script,
  { keys, args = [] }: { readonly keys: readonly string[]; readonly args?: readonly string[] },
): Promise<unknown> {
  const [key] = keys
  const rest = [String(keys.length), ...keys, ...args]
  try {
    return await connection.send({ key, args: ["EVALSHA", sha, ...rest], isReading })
  } catch (error) {
    if (!/^Redis refused a command: NOSCRIPT/.test(asRedisError(error).message)) throw error
    return connection.send({ key, args: ["EVAL", text, ...rest], isReading })
  }
}
