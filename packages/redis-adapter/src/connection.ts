/** The connection to the server: opened at the first use, reopened by itself, and every wait has a time limit. */
import type { RedisClient } from "./clients.js"
import { RedisError } from "./faults.js"
import { type Command, createLine, type Line } from "./line.js"
import type { Opening } from "./source.js"

/** A connection to the server, which opens by itself. */
export interface Connection {
  /** @throws RedisError within the timeout */
  send(command: Command): Promise<unknown>
  /** Do keys live on several nodes? */
  isSpread(): Promise<boolean>
  close(): Promise<void>
}

export interface ConnectionParts {
  readonly opening: Opening
  /** Milliseconds from the beginning of an operation to its answer. */
  readonly timeout: number
  /** Called with every error of the connection. */
  readonly onError: (error: Error) => void
}

/** Opens lines, one at a time. */
interface Lines {
  /** The line that is open. */
  current(): Line | undefined
  open(): Promise<Line>
  close(): Promise<void>
}

export function createConnection(parts: ConnectionParts): Connection {
  const { timeout } = parts
  const lines = createLines(parts)
  let isClosed = false
  const sendSlowly = async (command: Command, end: number): Promise<unknown> => {
    if (isClosed) throw new RedisError("closed", "The adapter is closed.")
    const begun = performance.now()
    const line = await lines.open()
    // Loading the library takes time once, which does not count as a delay of the server.
    const limit = end + (performance.now() - begun)
    await line.whenReady(Math.max(limit - performance.now(), 1))
    return line.ask(command, Math.max(limit - performance.now(), 1))
  }
  const sendOnce = (command: Command, end: number): Promise<unknown> => {
    const line = lines.current()
    return line?.isReady() && !isClosed ? line.ask(command, end - performance.now()) : sendSlowly(command, end)
  }
  return {
    send(command) {
      const end = performance.now() + timeout
      const sent = sendOnce(command, end)
      if (command.isReading !== true) return sent
      return sent.catch((error: unknown) => {
        const isBroken = error instanceof RedisError && error.fault === "unreachable" && lines.current()?.hasAnswered()
        if (!isBroken || isClosed || performance.now() >= end) throw error
        return sendOnce(command, end)
      })
    },
    isSpread: async () => (await lines.open()).isSpread,
    async close() {
      isClosed = true
      await lines.close()
    },
  }
}

function createLines({ opening, timeout, onError }: ConnectionParts): Lines {
  let opened: Promise<Line> | undefined
  let current: { readonly line: Line; readonly client: RedisClient } | undefined
  // Whatever the application set for its own commands, ours are answered with plain values.
  const options = { typeMapping: {}, timeout: opening.isOurs ? undefined : timeout }
  /** An own client that does not answer is dropped: the next operation makes another one. */
  const end = (client: RedisClient): void => {
    if (!opening.isOurs) return
    if (current?.client === client) {
      current = undefined
      opened = undefined
    }
    destroy(client)
  }
  const make = async (): Promise<Line> => {
    const client = await opening.make()
    const line = createLine({ client, options, timeout, onError, onUseless: () => end(client) })
    current = { line, client }
    return line
  }
  return {
    current: () => current?.line,
    open() {
      opened ??= make().catch((error: unknown) => {
        opened = undefined
        throw error
      })
      return opened
    },
    async close() {
      await opened?.catch(() => {})
      if (current) end(current.client)
    },
  }
}

function destroy(client: RedisClient): void {
  try {
    ;(client as RedisClient & { destroy(): void }).destroy()
  } catch {
    // It was not open.
  }
}
