/** What guides tell readers to type is what the program takes: commands, options, values and the number of arguments. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { commands } from "../src/program.js"
import { runIn } from "./support/project.js"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const isLeft = (path: string): boolean => /(?:^|\/)(?:node_modules|dist|decisions|spec|CHANGELOG\.md)/.test(path)

const guides = [
  "README.md",
  ...["docs", "examples", "packages"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  ),
].filter((path) => path.endsWith(".md") && !isLeft(path))

/** The words of a call in a shell, without comment, redirection and what follows in a pipe. */
function wordsOf(call: string): readonly string[] {
  const [first = ""] = call.split(/\s#|&&|\||>|;|\)/)
  return [...first.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  )
}

/** Calls of the program: lines of shell blocks, and code in sentences. A name in angle brackets stands for one word. */
function callsIn(path: string): readonly string[] {
  const text = readFileSync(`${root}${path}`, "utf8")
  const blocks = [...text.matchAll(/```(?:sh|bash|shell|console)[^\n]*\n([\s\S]*?)```/g)].flatMap(([, code = ""]) =>
    code.split("\n"),
  )
  const sentences = [...text.matchAll(/`(npx (?:@latchkey\/cli|latchkey) [^`]+)`/g)].map(([, code = ""]) => code)
  return [...blocks, ...sentences].flatMap((line) => {
    const [, call] = /\bnpx (?:@latchkey\/cli|latchkey)(?= |$)(.*)$/.exec(line.replaceAll(/<\w+>/g, "word")) ?? []
    return call === undefined ? [] : [call.trim()]
  })
}

const calls = [...new Map(guides.flatMap((path) => callsIn(path).map((call) => [`${path}: ${call}`, call])))]

/** The same commands; none of them does anything. */
const idle = commands.map((command) => ({ ...command, run: async () => 0 }))

describe("a call in a guide", () => {
  it("is found in more than one guide, and for nearly every command", () => {
    const used = new Set(calls.map(([, call]) => call.split(" ")[0]))
    expect(new Set(calls.map(([name]) => name.split(":")[0])).size).toBeGreaterThan(10)
    expect(commands.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([])
  })

  it.each(calls)("fits the program: %s", async (_name, call) => {
    const { code, err } = await runIn(root, wordsOf(call), { commands: idle })
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it.each(["secrets", "secret --wrote .env", "migrate a.db b.db", "schema --dialect oracle"])(
    "is refused where the program would refuse it: %s",
    async (call) => expect(await runIn(root, wordsOf(call), { commands: idle })).toMatchObject({ code: 2 }),
  )
})
