/** `latchkey from-authjs` on sources that want to keep it busy: many beginnings, and no end. */
import { describe, expect, it } from "vitest"
import { spansOf } from "../src/from-authjs/source-text.js"
import { useProject } from "./support/project.js"

const project = useProject()

/** Milliseconds of the processor that the command takes for a source of this size: other programs do not add to them, as to those of a clock. */
async function timeOf(size: number, { piece, before }: { readonly piece: string; readonly before: string }) {
  project.write("auth.ts", `import NextAuth from "next-auth"\n${before}${piece.repeat(size / piece.length)}`)
  const start = process.cpuUsage()
  const { out } = await project.run(["from-authjs", "--json"])
  const { user, system } = process.cpuUsage(start)
  expect(JSON.parse(out).way).toBe("packages")
  return (user + system) / 1000
}

describe("the time that a move takes", () => {
  it.each([
    ["functions that do not end", "async jwt({ token, session }) {"],
    ["parameters that do not end", "jwt("],
    ["destructured parameters that do not end", "redirect({"],
    ["what is returned, in one line", "return "],
    ["functions beside each other", "signIn: () => { return '' }, "],
    ["a blank behind a spread", " ", "jwt({ token }) { return { ..."],
    ["a blank behind the base path", " ", 'import { signIn } from "next-auth/react"\nbasePath:'],
    ["imports", 'import x from "next-auth"\n'],
  ])(
    "grows with the text alone: %s",
    { tags: ["threat:AL-01"], timeout: 60_000 },
    async (_what, piece, before = "") => {
      project.write("package.json", JSON.stringify({ dependencies: { "next-auth": "5.0.0-beta.30", next: "16.0.0" } }))
      const small = await timeOf(15_000, { piece, before })
      const large = await timeOf(60_000, { piece, before })
      // Four times as much; sixteen times where each beginning is looked for through all of the rest.
      expect(large).toBeLessThan(8 * Math.max(small, 100))
    },
  )

  it.each([
    ["jwt: a, b", [[0, 6]]],
    ["jwt(a, { b: [c; d] }) { e }, f", [[0, 26]]],
    ["jwt(): Promise<{ a } | b> { c } d", [[0, 30]]],
    ["{ jwt(", [[2, 6]]],
    [
      "} jwt: x } jwt: (y), z",
      [
        [2, 9],
        [11, 19],
      ],
    ],
    [
      "jwt: { jwt: 1, x }, y",
      [
        [0, 17],
        [7, 13],
      ],
    ],
    ["jwt: '}', x", [[0, 8]]],
  ])("functions and members of %s", (text, spans) => {
    expect(spansOf(text, /jwt\s*[:(]/).map(({ from, to }) => [from, to])).toEqual(spans)
  })
})
