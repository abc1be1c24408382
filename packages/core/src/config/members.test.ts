import { describe, expect, it } from "vitest"
import { isPlain, membersOf, merge } from "./members.js"

describe("reading members", () => {
  it("takes own members and reads undefined as absent", () => {
    const members = membersOf(Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } }))
    expect({ ...members }).toEqual({ own: 2 })
    expect(Object.keys(membersOf({ a: undefined, b: null }))).toEqual(["b"])
    for (const other of [undefined, null, "text", 1, () => 1]) expect(Object.keys(membersOf(other))).toEqual([])
  })

  it("has nothing of Object.prototype", { tags: ["threat:PP-16"] }, () => {
    expect("toString" in membersOf({ a: 1 })).toBe(false)
  })

  it("knows data from instances", () => {
    class Key {}
    for (const plain of [{}, Object.create(null), { a: 1 }]) expect(isPlain(plain)).toBe(true)
    for (const other of [[], new Key(), new Date(), new URL("https://a.test"), new Map(), null, () => 1, "x"]) {
      expect(isPlain(other)).toBe(false)
    }
  })
})

describe("merging", () => {
  it("lays plain objects over each other, member by member", () => {
    expect(merge({ a: { x: 1, y: 2 }, b: 1 }, { a: { y: 3 }, c: 4 })).toEqual({ a: { x: 1, y: 3 }, b: 1, c: 4 })
  })

  it("replaces lists instead of mixing them by index", () => {
    expect(merge({ checks: ["pkce", "state"] }, { checks: ["none"] })).toEqual({ checks: ["none"] })
  })

  it("leaves instances and functions whole", () => {
    class Key {
      #secret = 1
      read() {
        return this.#secret
      }
    }
    const key = new Key()
    const url = new URL("https://a.test")
    const work = () => 1
    const merged = merge({ token: { key: {}, url: "x", work: 1 } }, { token: { key, url, work } }) as {
      token: { key: Key }
    }
    expect(merged.token.key).toBe(key)
    expect(merged.token.key.read()).toBe(1)
    expect(merged.token).toMatchObject({ url, work })
  })

  it("skips undefined and lets null replace", () => {
    expect(merge({ a: 1, b: { x: 1 }, c: 2 }, { a: undefined, b: null, c: undefined })).toEqual({ a: 1, b: null, c: 2 })
  })

  it("keeps symbols, so that markers survive", () => {
    const marker = Symbol("custom-fetch")
    expect(merge({ [marker]: 1 }, {})[marker]).toBe(1)
    expect(merge({ a: 1 }, { [marker]: 2 })[marker]).toBe(2)
  })

  it("shares nothing with what was given and writes to none of it", () => {
    const base = Object.freeze({ a: Object.freeze({ list: Object.freeze([Object.freeze({ x: 1 })]) }) })
    const over = Object.freeze({ a: Object.freeze({ more: Object.freeze({ y: 1 }) }) })
    const merged = merge(base, over) as { a: { list: { x: number }[]; more: { y: number } } }
    const [first] = merged.a.list
    if (first) first.x = 2
    merged.a.more.y = 2
    expect([base.a.list[0]?.x, over.a.more.y]).toEqual([1, 1])
  })

  it("treats members named __proto__ and constructor as data", { tags: ["threat:PP-05"] }, () => {
    const hostile = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}',
    )
    const merged = merge({ a: {} }, hostile) as { polluted?: number; a: { polluted?: number } }
    expect([merged.polluted, merged.a.polluted, ({} as { polluted?: number }).polluted]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(Object.hasOwn(merged, "__proto__")).toBe(false)
  })

  it("ends cycles", () => {
    const circle: Record<string, unknown> = { x: 1 }
    circle["self"] = circle
    circle["list"] = [circle]
    expect((merge({ circle }, { circle }) as { circle: { x: number } }).circle.x).toBe(1)
  })
})
