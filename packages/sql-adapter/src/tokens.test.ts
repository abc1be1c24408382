import { describe, expect, it } from "vitest"
import { createTokenForms } from "./tokens.js"

const hash = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

describe("session tokens at rest", () => {
  it.each([
    ["hashed", hash],
    ["plain", "abc"],
  ] as const)("%s writes %s", { tags: ["threat:TL-08"] }, (mode, expected) => {
    expect(createTokenForms(mode).written("abc")).toBe(expected)
  })

  it.each(["hashed", "plain"] as const)("%s looks for both forms, the one it writes first", (mode) => {
    expect(createTokenForms(mode).presented("abc")).toEqual(mode === "hashed" ? [hash, "abc"] : ["abc", hash])
  })

  it.each(["hashed", "plain"] as const)("%s never looks for a hash as it is", { tags: ["threat:TL-08"] }, (mode) => {
    expect(createTokenForms(mode).presented(hash)).not.toContain(hash)
  })

  it("refuses a token whose hash another token would share", () => {
    expect(() => createTokenForms("hashed").written("half \ud800")).toThrow(TypeError)
  })
})
