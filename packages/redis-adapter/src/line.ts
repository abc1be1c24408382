/** One client and its health: whether it is ready, its last error, and whether it receives answers. */
import { isCluster, type RedisClient, sendTo } from "./clients.js"
import { asRedisError, RedisError, unreachable } from "./faults.js"

/** One command. */
export interface Command {
  /** The key that decides which node of a cluster serves. */
  readonly key: string | undefined
  readonly args: string[]
  /** Changes nothing, so that it may be sent again when the connection broke. */
  readonly isReading?: boolean
}

/** A monitored client. */
export interface Line {
  readonly isSpread: boolean
  isReady(): boolean
  /** Was any answer received so far? */
  hasAnswered(): boolean
  /** Resolves with the next event: connected, or failed. @throws RedisError within `patience` milliseconds */
  whenReady(patience: number): Promise<void>
  /** @throws RedisError within `patience` milliseconds */
  ask(command: Command, patience: number): Promise<unknown>
}

export interface LineParts {
  readonly client: RedisClient
  /** For the client's own commands; empty where we made the client and do the waiting ourselves. */
  readonly options: object
  /** How long an operation may take as a whole, for what is said when it took longer. */
  readonly timeout: number
  /** Called with every error of the connection. */
  readonly onError: (error: Error) => void
  /** Called when nothing comes back any more, or the server is not the one that is wanted. */
  readonly onUseless: () => void
}

/** What changes over time. */
interface State {
  heard: number
  /** What the client said last, until it works again. */
  trouble: Error | undefined
  isConnected: boolean
  isConnecting: boolean
  /** Closed by the owner of the client. */
  isEnded: boolean
  news: News | undefined
}

interface News {
  readonly promise: Promise<void>
  readonly settle: (error?: unknown) => void
}

export function createLine(parts: LineParts): Line {
  const { client } = parts
  const state: State = {
    heard: 0,
    trouble: undefined,
    isConnected: false,
    isConnecting: false,
    isEnded: false,
    news: undefined,
  }
  // Without a listener, an emitter that reports an error ends the process.
  client.on("error", (error) => {
    state.trouble = error
    state.news?.settle(error)
    parts.onError(error)
  })
  client.on("ready", () => works(state))
  client.on("end", () => {
    state.isEnded = true
  })
  const isReady = (): boolean => isClientReady(client, state)
  return {
    isSpread: isCluster(client),
    isReady,
    hasAnswered: () => state.heard > 0,
    async whenReady(patience) {
      // An application that has closed its client is about to end: opening it again would keep the process.
      if (!client.isOpen && state.isEnded) throw new RedisError("closed", "The Redis client was closed.")
      if (!client.isOpen) connect(client, state)
      // Opened by the application: whether it is connected by now, only a single client says.
      else if (!state.isConnecting) state.isConnected = true
      if (isReady()) return
      state.news ??= newsOf(state, { patience, timeout: parts.timeout })
      await state.news.promise.catch((error: unknown) => {
        // The operating system has accepted the connection, but the server does not answer: connecting may never end.
        if (error instanceof RedisError && error.fault === "timeout") parts.onUseless()
        throw error
      })
    },
    ask: (command, patience) => ask(parts, state, { command, patience }),
  }
}

/** A single client says whether it is ready; a pool and a cluster are once they were connected. */
function isClientReady(client: RedisClient, { isConnected }: State): boolean {
  if (!isCluster(client) && client.isReady !== undefined) return client.isReady
  return isConnected && client.isOpen
}

function works(state: State): void {
  state.heard += 1
  state.trouble = undefined
  state.news?.settle()
}

function connect(client: RedisClient, state: State): void {
  if (state.isConnecting) return
  state.isConnecting = true
  client
    .connect()
    .then(
      () => {
        state.isConnected = true
        works(state)
      },
      (error: unknown) => state.news?.settle(error),
    )
    .finally(() => {
      state.isConnecting = false
    })
}

function newsOf(state: State, { patience, timeout }: { readonly patience: number; readonly timeout: number }): News {
  let settle: News["settle"] = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => settle(lateness(state, timeout)), patience)
    settle = (error) => {
      clearTimeout(timer)
      state.news = undefined
      if (error === undefined) resolve()
      else reject(connectionFault(error))
    }
  })
  return { promise, settle: (error) => settle(error) }
}

/** What the server says to a connection (a wrong password) is passed on; everything else means: unreachable. */
function connectionFault(thrown: unknown): RedisError {
  const error = asRedisError(thrown)
  return error.fault === "other" || error.fault === "closed" ? unreachable(thrown) : error
}

function lateness({ trouble }: State, timeout: number): RedisError {
  return trouble ? unreachable(trouble) : new RedisError("timeout", `Redis did not answer within ${timeout} ms.`)
}

function ask(
  { client, options, timeout, onUseless }: LineParts,
  state: State,
  { command, patience }: { readonly command: Command; readonly patience: number },
): Promise<unknown> {
  const { heard } = state
  return new Promise((resolve, reject) => {
    let isSettled = false
    const timer = setTimeout(() => {
      // An event loop that was held up reads answers that have come meanwhile before it comes to this.
      setImmediate(() => {
        if (isSettled) return
        reject(lateness(state, timeout))
        if (state.heard === heard) onUseless()
      })
    }, patience)
    const settle = (): void => {
      isSettled = true
      clearTimeout(timer)
    }
    sendTo(client, command, options).then(
      (value) => {
        settle()
        works(state)
        resolve(value)
      },
      (thrown: unknown) => {
        settle()
        const error = asRedisError(thrown)
        // The server of this address may be another one by now.
        if (error.fault === "read-only") onUseless()
        reject(error)
      },
    )
  })
}
