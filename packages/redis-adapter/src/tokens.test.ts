import { describe, expect, it } from "vitest"
import { endedHashes, presentedHash, shownForm, writtenHash } from "./tokens.js"

const hashOfToken = "3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0"

describe("session tokens", () => {
  it("are stored as the hash other tables of ours hold, which finds no session", { tags: ["threat:TL-08"] }, () => {
    expect(writtenHash("token")).toBe(hashOfToken)
    expect(presentedHash("token")).toBe(hashOfToken)
    expect(shownForm(hashOfToken)).toBe(`sha256:${hashOfToken}`)
    for (const stolen of [hashOfToken, `sha256:${hashOfToken}`]) expect(presentedHash(stolen)).not.toBe(hashOfToken)
  })

  it("are ended by themselves, or by the form a list shows", () => {
    expect(endedHashes("token")).toEqual([hashOfToken])
    expect(endedHashes(`sha256:${hashOfToken}`)).toEqual([presentedHash(`sha256:${hashOfToken}`), hashOfToken])
    expect(endedHashes("sha256:short")).toHaveLength(1)
  })

  it("with half a surrogate pair are refused, and find nothing", () => {
    expect(() => writtenHash("half\ud800")).toThrow("surrogate")
    expect(presentedHash("half\ud800")).toBeUndefined()
    expect(endedHashes("half\ud800")).toEqual([])
    expect(presentedHash(undefined)).toBeUndefined()
  })
})
