/** A password reaches the application as it was typed: nothing is trimmed, folded, normalised or cut. */
import { expect, it } from "vitest"
import { credentialsProvider } from "../support/credentials.js"
import { makeWorld } from "../support/world.js"

const typed: readonly (readonly [string, string])[] = [
  ["spaces before it", "  secret"],
  ["spaces behind it", "secret \t "],
  ["spaces alone", "   "],
  ["composed letters (NFC)", "caf\u00e9"],
  ["decomposed letters (NFD)", "cafe\u0301"],
  ["a ligature that compatibility forms would take apart", "o\ufb03ce"],
  ["10 KiB", "x".repeat(10 * 1024)],
  ["a NUL", "before\u0000behind"],
  ["line breaks", "a\r\nb\nc"],
  ["emoji", "\u{1f600}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
  ["characters that forms escape", "a+b&c=d%20%e"],
  ["capitals", "PassWord"],
]

it.each(typed)("with %s, from a form and as JSON", { tags: ["threat:V6-03"] }, async (_, password) => {
  const given: unknown[] = []
  const provider = credentialsProvider((fields) => {
    given.push(fields["password"])
    return { id: "7", name: "Ada" }
  })
  const world = await makeWorld({ more: [provider], strategy: "jwt" })
  for (const json of [false, true]) {
    const browser = world.browser()
    await browser.post("/auth/callback/credentials", { name: "ada", password }, { json })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  }
  expect(given).toEqual([password, password])
})
