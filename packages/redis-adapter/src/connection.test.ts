import { EventEmitter } from "node:events"
import { describe, expect, it, vi } from "vitest"
import type { PlainClient } from "./clients.js"
import { type Connection, createConnection } from "./connection.js"

/** A client whose every step the test decides. */
class FakeClient extends EventEmitter implements PlainClient {
  isOpen = false
  isReady = false
  readonly connect: () => Promise<unknown> = vi.fn(() => {
    this.isOpen = true
    return new Promise(() => {})
  })
  readonly sendCommand: (args: string[]) => Promise<unknown> = vi.fn(async ([name]: string[]) => `did ${name}`)
  readonly destroy: () => void = vi.fn(() => {
    this.isOpen = false
  })
  ready(): void {
    this.isReady = true
    this.emit("ready")
  }
  fails(code: string): void {
    this.isReady = false
    this.emit("error", Object.assign(new Error(code), { code }))
  }
}

function connectionOf(
  clients: readonly FakeClient[],
  options: { isOurs?: boolean; timeout?: number } = {},
): Connection {
  const left = [...clients]
  const make = async (): Promise<PlainClient> => left.shift() ?? Promise.reject(new Error("no more clients"))
  const { isOurs = true, timeout = 5000 } = options
  return createConnection({ opening: { isOurs, make }, timeout, onError: () => {} })
}

const get = { key: "a", args: ["GET", "a"], isReading: true }
const set = { key: "a", args: ["SET", "a", "1"] }

describe("a connection", () => {
  it("opens once for all who ask, and not before", async () => {
    const client = new FakeClient()
    const connection = connectionOf([client])
    expect(client.connect).not.toHaveBeenCalled()
    const answers = Promise.all([connection.send(get), connection.send(set)])
    await vi.waitFor(() => expect(client.isOpen).toBe(true))
    client.ready()
    expect(await answers).toEqual(["did GET", "did SET"])
    expect(client.connect).toHaveBeenCalledTimes(1)
  })

  it("tells everybody who waits of the failure, and lets the next one wait for the next news", async () => {
    const client = new FakeClient()
    const connection = connectionOf([client])
    const works = [connection.send(get), connection.send(set)]
    await vi.waitFor(() => expect(client.isOpen).toBe(true))
    client.fails("ECONNREFUSED")
    for (const work of works) await expect(work).rejects.toMatchObject({ fault: "unreachable" })
    const next = connection.send(get)
    await new Promise(setImmediate)
    client.ready()
    expect(await next).toBe("did GET")
  })

  it("sends a reading command again when the connection broke, and a writing one never", async () => {
    const client = new FakeClient()
    const connection = connectionOf([client])
    const first = connection.send(get)
    await vi.waitFor(() => expect(client.isOpen).toBe(true))
    client.ready()
    await first
    const broken = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
    vi.mocked(client.sendCommand).mockRejectedValueOnce(broken)
    expect(await connection.send(get)).toBe("did GET")
    vi.mocked(client.sendCommand).mockRejectedValueOnce(broken)
    await expect(connection.send(set)).rejects.toMatchObject({ fault: "unreachable", cause: broken })
  })

  it("throws a deaf client of its own away, and makes another one", async () => {
    const [deaf, well] = [new FakeClient(), new FakeClient()]
    const connection = connectionOf([deaf, well], { timeout: 20 })
    deaf.isReady = true
    deaf.isOpen = true
    vi.mocked(deaf.sendCommand).mockReturnValue(new Promise(() => {}))
    await expect(connection.send(get)).rejects.toMatchObject({ fault: "timeout" })
    expect(deaf.destroy).toHaveBeenCalledTimes(1)
    well.isReady = true
    well.isOpen = true
    expect(await connection.send(get)).toBe("did GET")
  })

  it("never throws a client of the application away", async () => {
    const deaf = new FakeClient()
    const connection = connectionOf([deaf], { timeout: 20, isOurs: false })
    deaf.isReady = true
    deaf.isOpen = true
    vi.mocked(deaf.sendCommand).mockReturnValueOnce(new Promise(() => {}))
    await expect(connection.send(get)).rejects.toMatchObject({ fault: "timeout" })
    expect(await connection.send(get)).toBe("did GET")
    await connection.close()
    expect(deaf.destroy).not.toHaveBeenCalled()
  })

  it("reads an answer that came while the event loop was held up", { tags: ["threat:FP-12"] }, async () => {
    const client = new FakeClient()
    client.isReady = true
    client.isOpen = true
    const connection = connectionOf([client], { timeout: 20 })
    vi.mocked(client.sendCommand).mockImplementation(async () => {
      const end = performance.now() + 60
      while (performance.now() < end);
      return new Promise((resolve) => setImmediate(() => resolve("late but there")))
    })
    expect(await connection.send(get)).toBe("late but there")
  })

  it("is closed for good", async () => {
    const client = new FakeClient()
    client.isReady = true
    client.isOpen = true
    const connection = connectionOf([client])
    await connection.send(get)
    await connection.close()
    expect(client.destroy).toHaveBeenCalled()
    await expect(connection.send(get)).rejects.toMatchObject({ fault: "closed" })
  })

  it("tries again after its client could not be made", async () => {
    const client = new FakeClient()
    const make = vi.fn().mockRejectedValueOnce(new Error("no library")).mockResolvedValue(client)
    client.isReady = true
    client.isOpen = true
    const connection = createConnection({ opening: { isOurs: true, make }, timeout: 100, onError: () => {} })
    await expect(connection.send(get)).rejects.toThrow("no library")
    expect(await connection.send(get)).toBe("did GET")
  })
})
