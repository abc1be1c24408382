import { describe, expect, it } from "vitest"
import type { EventCallbacks } from "../types/hooks.js"
import { createEventSink } from "./events.js"

const user = { id: "1", name: "Ada" }

describe("the event sink", () => {
  it("calls the application and waits for it", async () => {
    const received: unknown[] = []
    const createUser: EventCallbacks["createUser"] = async (message) => {
      await Promise.resolve()
      received.push(message)
    }
    expect(await createEventSink({ createUser }).announce({ kind: "createUser", message: { user } })).toBeUndefined()
    expect(received).toEqual([{ user }])
  })

  it.each([
    ["throws", () => Promise.reject(new Error("broken"))],
    [
      "throws at once",
      () => {
        throw new Error("broken")
      },
    ],
    ["throws no error", () => Promise.reject(null)],
  ])("returns what a handler that %s threw", { tags: ["threat:CF2-17"] }, async (_, createUser) => {
    const failure = await createEventSink({ createUser }).announce({ kind: "createUser", message: { user } })
    expect(failure).toBeInstanceOf(Error)
  })

  it("is silent without handlers", async () => {
    for (const events of [undefined, {}, { createUser: "no function" as never }]) {
      expect(await createEventSink(events).announce({ kind: "createUser", message: { user } })).toBeUndefined()
    }
  })

  it("calls a handler on its own object and finds it at each event", async () => {
    class Audit {
      #log: string[] = []
      createUser({ user: created }: { user: { name?: string | null } }) {
        this.#log.push(created.name ?? "")
      }
      get entries() {
        return this.#log
      }
    }
    const audit = new Audit()
    await createEventSink(audit as never).announce({ kind: "createUser", message: { user } })
    expect(audit.entries).toEqual(["Ada"])
  })

  it("keeps its message to itself when a handler changes it", { tags: ["threat:CF2-12"] }, async () => {
    const message = Object.freeze({ user })
    const createUser = (message: { user?: unknown }) => {
      delete message.user
    }
    expect(
      await createEventSink({ createUser: createUser as never }).announce({ kind: "createUser", message }),
    ).toBeUndefined()
    expect(message.user).toBe(user)
  })
})
