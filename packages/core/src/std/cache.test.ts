import { describe, expect, it } from "vitest"
import { createBoundedCache } from "./cache.js"

describe("a bounded cache", () => {
  it("keeps values by key and sub key", () => {
    const cache = createBoundedCache<number>(10)
    const key = {}
    cache.set(key, "a", 1)
    cache.set(key, "b", 2)
    cache.set({}, "a", 3)
    cache.set("key", "a", 4)
    expect([cache.get(key, "a"), cache.get(key, "b"), cache.get("key", "a")]).toEqual([1, 2, 4])
    expect(cache.get({}, "a")).toBeUndefined()
    expect(cache.get("a", "key")).toBeUndefined()
  })

  it("does not confuse text keys that look alike when joined", () => {
    const cache = createBoundedCache<number>(10)
    cache.set("a|b", "c", 1)
    cache.set("a", "b|c", 2)
    cache.set("1", "x", 3)
    cache.set({}, "x", 4)
    expect([cache.get("a|b", "c"), cache.get("a", "b|c"), cache.get("1", "x")]).toEqual([1, 2, 3])
  })

  it("drops the least recently used entry", { tags: ["threat:AL-16"] }, () => {
    const cache = createBoundedCache<number>(2)
    cache.set("k", "a", 1)
    cache.set("k", "b", 2)
    cache.get("k", "a")
    cache.set("k", "c", 3)
    expect([cache.get("k", "a"), cache.get("k", "b"), cache.get("k", "c")]).toEqual([1, undefined, 3])
  })

  it("counts a value that is set again as used, and once", () => {
    const cache = createBoundedCache<number>(2)
    cache.set("k", "a", 1)
    cache.set("k", "b", 2)
    cache.set("k", "a", 10)
    cache.set("k", "c", 3)
    expect([cache.get("k", "a"), cache.get("k", "b"), cache.get("k", "c")]).toEqual([10, undefined, 3])
  })

  it("deletes", () => {
    const cache = createBoundedCache<number>(2)
    const key = () => undefined
    cache.set(key, "a", 1)
    cache.delete(key, "a")
    cache.delete(key, "a")
    cache.delete({}, "a")
    expect(cache.get(key, "a")).toBeUndefined()
    cache.set(key, "a", 2)
    expect(cache.get(key, "a")).toBe(2)
  })

  it("keeps the other entries of a key when one goes", () => {
    const cache = createBoundedCache<number>(2)
    const key = {}
    cache.set(key, "a", 1)
    cache.set(key, "b", 2)
    cache.delete(key, "a")
    expect(cache.get(key, "b")).toBe(2)
    cache.set(key, "c", 3)
    cache.set("other", "d", 4)
    expect([cache.get(key, "b"), cache.get(key, "c")]).toEqual([undefined, 3])
  })

  it("deletes all that are meant, under whichever key", () => {
    const cache = createBoundedCache<number>(5)
    const key = {}
    for (const [index, sub] of ["a", "b", "c"].entries()) cache.set(key, sub, index)
    cache.set("other", "d", 3)
    cache.sweep((value) => value % 2 === 1)
    expect([cache.get(key, "a"), cache.get(key, "b"), cache.get(key, "c")]).toEqual([0, undefined, 2])
    expect(cache.get("other", "d")).toBeUndefined()
  })

  it("stays bounded with an object key for every request", () => {
    const cache = createBoundedCache<number>(5)
    for (let count = 0; count < 1000; count += 1) cache.set({}, "a", count)
    const last = {}
    cache.set(last, "a", -1)
    expect(cache.get(last, "a")).toBe(-1)
  })
})
