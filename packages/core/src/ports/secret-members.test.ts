import { describe, expect, it, vi } from "vitest"
import { quickest } from "../../test/support/quickest.js"
import { secretsIn } from "./secret-members.js"

describe("secrets in what somebody was given", { tags: ["threat:A-012"] }, () => {
  it.each([
    ["at the first level", [{ access_token: "one", userId: "1" }], ["one"]],
    ["below a member", [{ provider: { answer: { refresh_token: "one" } } }], ["one"]],
    [
      "in lists, maps and sets",
      [[[{ password: "one" }], new Map([["apiKey", "two"]]), new Set([{ otp: "3" }])]],
      "two one 3",
    ],
    [
      "as all strings below such a name",
      [{ credentials: { user: "ada", keys: ["one", { any: "two" }] } }],
      "ada one two",
    ],
    ["those further up first", [{ deep: { token: "two" } }, { token: "one" }], ["one", "two"]],
    ["nowhere", ["text", 1, null, undefined, { email: "ada@app.test", token: null, nested: { name: "Ada" } }], []],
  ])("finds them %s", (_, given, secrets) => {
    expect(secretsIn(given)).toEqual(typeof secrets === "string" ? secrets.split(" ") : secrets)
  })

  it("ends where a value holds itself, and reads a value again that has the name of a secret elsewhere", () => {
    const circle: Record<string, unknown> = { token: "one", of: { name: "two" } }
    circle["self"] = { circle }
    circle["secrets"] = circle["of"]
    expect(secretsIn([circle])).toEqual(["one", "two"])
  })

  it("calls no getter, and goes on behind what cannot be read", () => {
    const get = vi.fn(() => "one")
    const unreadable = new Proxy({}, { ownKeys: () => ["password"], getOwnPropertyDescriptor: () => fail("no") })
    const given = [
      Object.defineProperty({}, "token", { get, enumerable: true }),
      unreadable,
      { nested: { token: "two" } },
    ]
    expect(secretsIn(given)).toEqual(["two"])
    expect(get).not.toHaveBeenCalled()
  })

  it("looks at a bounded number of levels, members and secrets", () => {
    let deep: object = { token: "deep" }
    for (let level = 0; level < 50; level += 1) deep = { deep }
    const many = Array.from({ length: 20_000 }, () => ({ name: "Ada" }))
    const tokens = Array.from({ length: 2_000 }, (_, at) => ({ token: `secret ${at}` }))
    expect(secretsIn([deep, { token: "one" }])).toEqual(["one"])
    expect(secretsIn([{ many, token: "one" }, { nested: { token: "not reached" } }])).toEqual(["one"])
    expect(secretsIn(tokens)).toHaveLength(1_000)
  })

  it.each([
    ["wide", () => Array.from({ length: 1_000 }, () => new Array(1_000).fill({ token: "one" }))],
    ["sparse", () => Array.from({ length: 1_000 }, () => Object.assign([], { length: 4_000_000_000 }))],
    ["of bytes", () => [new Uint8Array(50_000_000)]],
  ])("takes no longer for a value that is %s", async (_, make) => {
    const given = make()
    expect(await quickest(() => secretsIn(given))).toBeLessThan(1000)
  })
})

function fail(message: string): never {
  throw new Error(message)
}
