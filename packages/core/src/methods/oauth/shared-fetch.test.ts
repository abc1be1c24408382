import { describe, expect, it } from "vitest"
import { createBoundedCache } from "../../std/cache.js"
import { getShared, refresh, type SharedFetch } from "./shared-fetch.js"

const start = Date.parse("2026-03-01T12:00:00Z")
const fetch: SharedFetch<string>["fetch"] = async () => new Response(null)

/** A memory, and what is wanted of it some seconds after the start. */
function memory(): (seconds: number, load: () => Promise<string>) => SharedFetch<string> {
  const cache = createBoundedCache<unknown>(4)
  return (seconds, load) => ({
    cache,
    fetch,
    name: "document",
    now: new Date(start + seconds * 1000),
    maxAge: 3600,
    cooldown: 60,
    load,
  })
}

const never = (): Promise<string> => new Promise(() => {})
const unasked = (): Promise<string> => Promise.reject(new Error("should not have been asked"))

/** A call of a request that has ended since: waiting for it fails, and the call itself says nothing. */
function ended(wanted: SharedFetch<string>): void {
  const pending = Promise.reject(new Error("can never settle"))
  pending.catch(() => {})
  wanted.cache.set(fetch, "document", { at: wanted.now.getTime(), pending, pendingSince: wanted.now.getTime() })
}

describe("a value that many requests need", () => {
  it("is fetched by one of them while the others wait, and not again while it is young", async () => {
    const at = memory()
    let answer = (_: string): void => {}
    const first = getShared(at(0, () => new Promise((resolve) => (answer = resolve))))
    const second = getShared(at(1, unasked))
    answer("document")
    expect(await Promise.all([first, second])).toEqual(["document", "document"])
    expect(await getShared(at(3599, unasked))).toBe("document")
    expect(await getShared(at(3600, async () => "newer"))).toBe("newer")
  })

  it("is fetched again after a failure, which every waiting request gets", async () => {
    const at = memory()
    const first = getShared(at(0, () => Promise.reject(new Error("down"))))
    const second = getShared(at(0, unasked))
    await expect(first).rejects.toThrow("down")
    await expect(second).rejects.toThrow("down")
    expect(await getShared(at(1, async () => "document"))).toBe("document")
  })

  it("is fetched again, once, when the runtime cancelled the request that fetched it", async () => {
    const at = memory()
    ended(at(0, never))
    const calls: string[] = []
    const load = async (): Promise<string> => `document ${calls.push("call")}`
    expect(await Promise.all([1, 1, 2].map((seconds) => getShared(at(seconds, load))))).toEqual(
      Array(3).fill("document 1"),
    )
    expect(await getShared(at(3, unasked))).toBe("document 1")
  })

  it("is fetched again when the call has been pending for a minute", async () => {
    const at = memory()
    void getShared(at(0, never))
    const waiting = getShared(at(59, unasked))
    expect(await getShared(at(60, async () => "document"))).toBe("document")
    expect(await Promise.race([waiting, Promise.resolve("still waiting")])).toBe("still waiting")
  })

  it("survives a replacement that was cancelled, and one that failed after it", async () => {
    const at = memory()
    await getShared(at(0, async () => "document"))
    void refresh(at(1, never), "document")
    await expect(
      refresh(
        at(62, () => Promise.reject(new Error("down"))),
        "document",
      ),
    ).rejects.toThrow("down")
    expect(await getShared(at(63, unasked))).toBe("document")
    expect(await refresh(at(64, unasked), "document")).toBe("document")
  })
})
