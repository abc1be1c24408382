/** Errors of the server and of the connection to it, with messages that say what to do. No message contains a value or a password. */

/** The kind of a fault. */
export type RedisFault =
  /** No connection, or it broke before the answer came. */
  | "unreachable"
  /** Connected, and no answer in time. Whether a write took effect is unknown. */
  | "timeout"
  /** The server refuses writes: a replica, or one that cannot save to disk. */
  | "read-only"
  /** The server has no memory left. */
  | "out of memory"
  /** The server is reading its data, or a script holds it up. */
  | "busy"
  /** User or password are wrong, or may not run the commands. */
  | "refused"
  /** The adapter or its client was closed. */
  | "closed"
  | "other"

/** A fault of the server or of the connection to it. `cause` is the error of the client. */
export class RedisError extends Error {
  override name = "RedisError"
  /** The kind of the fault. */
  readonly fault: RedisFault
  constructor(fault: RedisFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.fault = fault
  }
}

/** First words of an answer, the fault, and what to say. */
const answers: readonly (readonly [start: RegExp, fault: RedisFault, message: string])[] = [
  [/^READONLY/, "read-only", "This Redis is a replica and accepts no writes. Connect to the primary."],
  [/^MISCONF/, "read-only", "Redis accepts no writes because it cannot save its data. Check its log and its disk."],
  [/^NOREPLICAS/, "read-only", "Redis accepts no writes because too few replicas are connected."],
  [/^OOM/, "out of memory", "Redis is out of memory (maxmemory). Give it more memory, or store fewer keys."],
  [/^LOADING/, "busy", "Redis is loading its data. Try again when it has finished."],
  [/^(BUSY|TRYAGAIN)/, "busy", "Redis is busy with a script. Try again, or end it with SCRIPT KILL."],
  [
    /^(MASTERDOWN|CLUSTERDOWN)/,
    "unreachable",
    "The part of the Redis cluster that has the key is down. Check its nodes.",
  ],
  [
    /^(NOAUTH|WRONGPASS)/,
    "refused",
    "Redis requires a user or password, or refused those of the connection. Correct them in its URL or client.",
  ],
  [
    /^NOPERM|The user executing the script can't/,
    "refused",
    "The user of the connection may not run a command, or not on these keys. Widen its ACL.",
  ],
]

/** The text of an answer without the arguments some servers repeat in it. */
function textOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return text.replace(/,? with args beginning with:.*$/s, "")
}

const connectionErrors: ReadonlySet<string> = new Set([
  "SocketClosedUnexpectedlyError",
  "ConnectionTimeoutError",
  "SocketTimeoutError",
  "ClientOfflineError",
  "DisconnectsClientError",
  "RootNodesUnavailableError",
  "AggregateError",
])

/** Is it about the connection, rather than an answer of the server? */
function isOfConnection(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = (thrown as NodeJS.ErrnoException).code
  const isSystem = typeof code === "string" && /^(E[A-Z]+|ERR_(TLS|SSL|SOCKET)\w*|\w*CERT\w*)$/.test(code)
  return isSystem || connectionErrors.has(thrown.constructor.name)
}

/** Makes one kind of error of everything a client can throw. */
export function asRedisError(thrown: unknown): RedisError {
  if (thrown instanceof RedisError) return thrown
  const text = textOf(thrown)
  for (const [start, fault, message] of answers)
    if (start.test(text)) return new RedisError(fault, message, withoutValues(thrown, text))
  const name = thrown instanceof Error ? thrown.constructor.name : ""
  if (name === "ClientClosedError") return new RedisError("closed", "The Redis client is closed.", thrown)
  if (isOfConnection(thrown)) return unreachable(thrown)
  if (/Timeout/.test(name)) return new RedisError("timeout", "Redis did not answer in time.", thrown)
  return new RedisError("other", `Redis refused a command: ${text}`, withoutValues(thrown, text))
}

export function unreachable(cause: unknown): RedisError {
  const detail = cause instanceof Error && cause.message !== "" ? ` (${textOf(cause)})` : ""
  return new RedisError(
    "unreachable",
    `Redis cannot be reached${detail}. Check that it is running and that the URL is correct.`,
    cause,
  )
}

/** The error itself, or one without the arguments the server repeated. */
function withoutValues(thrown: unknown, text: string): unknown {
  return thrown instanceof Error && thrown.message !== text ? new Error(text) : thrown
}
