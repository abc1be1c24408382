import { describe, expect, it, vi } from "vitest"
import { bodyLimit, readForm } from "./body.js"

const form = "application/x-www-form-urlencoded"

type Source = UnderlyingDefaultSource<Uint8Array<ArrayBuffer>>
type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>

/** The status of the answer to a body without a declared length. */
async function statusOf(source: Source, type: string): Promise<number> {
  const init = { method: "POST", headers: { "content-type": type }, body: new ReadableStream(source), duplex: "half" }
  const request = new Request("https://app.test/auth/signin", init)
  const error: { status: number } = await readForm(request).then(
    () => ({ status: 200 }),
    (thrown) => thrown,
  )
  return error.status
}

describe("a body that is refused", () => {
  it.each([
    [413, form],
    [415, "text/plain"],
  ])("answers %i after the rest has come, so that no server cuts the connection before", async (status, type) => {
    const cancel = vi.fn()
    let left = 40
    const pull = vi.fn((controller: Controller) => {
      if (left-- > 0) controller.enqueue(new Uint8Array(16_384).fill(97))
      else controller.close()
    })
    expect(await statusOf({ pull, cancel }, type)).toBe(status)
    expect([left, cancel.mock.calls.length]).toEqual([-1, 0])
  })

  it.each([
    [413, form],
    [415, "text/plain"],
  ])("answers %i to a body without an end after some of it", { tags: ["threat:CT-02"] }, async (status, type) => {
    const cancel = vi.fn()
    let read = 0
    const pull = (controller: Controller): void => {
      read += 16_384
      controller.enqueue(new Uint8Array(16_384).fill(97))
    }
    expect(await statusOf({ pull, cancel }, type)).toBe(status)
    expect(read).toBeLessThan(18 * bodyLimit)
    expect(cancel).not.toHaveBeenCalled()
  })

  it("waits three seconds for the rest of a refused body", { tags: ["threat:CT-10"] }, async () => {
    vi.useFakeTimers()
    try {
      let isAsked = false
      const stalled: Source = {
        pull(controller: Controller) {
          if (isAsked) return new Promise(() => undefined)
          isAsked = true
          return controller.enqueue(new Uint8Array(bodyLimit + 1).fill(97))
        },
      }
      const status = vi.fn()
      const answer = statusOf(stalled, form).then(status)
      await vi.advanceTimersByTimeAsync(2900)
      expect(status).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(200)
      await answer
      expect([status.mock.calls, vi.getTimerCount()]).toEqual([[[413]], 0])
    } finally {
      vi.useRealTimers()
    }
  })

  it("refuses a body that breaks behind the limit like any that is too large", async () => {
    let isAsked = false
    const breaking: Source = {
      pull(controller: Controller) {
        if (isAsked) controller.error(new Error("gone"))
        else controller.enqueue(new Uint8Array(bodyLimit + 1).fill(97))
        isAsked = true
      },
    }
    expect(await statusOf(breaking, form)).toBe(413)
  })
})
