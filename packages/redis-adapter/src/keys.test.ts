import { describe, expect, it } from "vitest"
import { createKeys } from "./keys.js"

/** The part of a key that decides the slot (Redis Cluster specification, "Hash tags"). */
function tagOf(key: string): string {
  const tag = /\{([^}]+)\}/.exec(key.slice(key.indexOf("{")))
  return key.includes("{") && tag ? (tag[1] ?? "") : key
}

describe("createKeys", () => {
  const keys = createKeys()

  it("gives everything about people one hash tag, whatever their ids hold", () => {
    for (const id of ["ada", "{other}", "a}b{c", ""]) {
      const people = [
        keys.user(id),
        keys.email(id),
        keys.account(id, id),
        keys.authenticator(id),
        keys.accountsOf(id),
        keys.authenticatorsOf(id),
      ]
      expect(new Set(people.map(tagOf))).toEqual(new Set(["latchkey"]))
      expect(new Set(people).size).toBe(people.length)
    }
  })

  it("gives sessions and links no tag, so that they spread", () => {
    for (const key of [keys.session("abc"), keys.verificationToken("a", "b")]) expect(tagOf(key)).toBe(key)
  })

  it("tells two texts from one glued text", () => {
    expect(keys.account("a:b", "c")).not.toBe(keys.account("a", "b:c"))
    expect(keys.account('a","b', "c")).not.toBe(keys.account("a", 'b","c'))
    expect(keys.verificationToken("a", "")).not.toBe(keys.verificationToken("", "a"))
  })

  it("distinguishes broken Unicode from its replacement", () => {
    expect(keys.account("a", "half\ud800")).not.toBe(keys.account("a", "half\ufffd"))
    expect(() => keys.user("half\ud800")).toThrow("surrogate")
  })

  it("knows one address in all its cases, and no other", () => {
    expect(keys.email("Ada@Example.Test")).toBe(keys.email("ada@example.test"))
    expect(keys.email("ada@example.test ")).not.toBe(keys.email("ada@example.test"))
  })

  it.each(["", "{a}", "a b", "a\n", "*", "x".repeat(65)])("refuses the prefix %j", (prefix) => {
    expect(() => createKeys(prefix)).toThrow("prefix")
  })

  it("keeps two prefixes apart, in keys and in tags", () => {
    const [one, two] = [createKeys("app:one"), createKeys("app:two")]
    expect(one.session("a")).not.toBe(two.session("a"))
    expect(tagOf(one.user("a"))).not.toBe(tagOf(two.user("a")))
  })
})
