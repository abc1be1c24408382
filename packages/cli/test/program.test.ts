/** The program as a whole: help, version, and calls that are wrong. */
import { describe, expect, it } from "vitest"
import { commands } from "../src/program.js"
import { useProject } from "./support/project.js"

const project = useProject()

describe("latchkey", () => {
  it.each([[["--help"]], [["-h"]], [["help"]]])("%j shows the commands", async (args) => {
    const { code, out } = await project.run(args)
    expect(code).toBe(0)
    for (const name of ["secret", "dev", "doctor", "migrate", "cleanup"]) {
      expect(out).toMatch(new RegExp(`^  ${name} .*[a-z]`, "m"))
    }
  })

  it("without a command shows the commands and fails", async () => {
    const { code, out, err } = await project.run([])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain("Usage: latchkey [options] [command]")
  })

  it.each(commands.map(({ name }) => name))(
    "%s --help breaks lines where the width ends, nowhere else",
    async (name) => {
      const { out } = await project.run([name, "--help"])
      const [, description = ""] = out.split("\n\n")
      const lines = description.split("\n")
      for (const [index, line] of lines.slice(0, -1).entries()) {
        const [word = ""] = lines[index + 1]?.split(" ") ?? []
        expect(`${line} ${word}`.length).toBeGreaterThan(100)
      }
    },
  )

  it.each(["secret", "migrate", "doctor"])("%s --help shows usage, options and exit codes", async (name) => {
    const [byOption, byWord] = [await project.run([name, "--help"]), await project.run(["help", name])]
    expect(byOption.code).toBe(0)
    expect(byOption.out).toMatch(new RegExp(`^Usage: latchkey ${name}`))
    expect(byOption.out).toContain("Options:")
    expect(byOption.out).toContain("Exit codes:")
    expect(byWord).toEqual(byOption)
  })

  it.each(commands)("$name can print JSON", async ({ name, options }) => {
    expect(options).toHaveProperty("json", { text: expect.stringMatching(/JSON/) })
    expect((await project.run([name, "--help"])).out).toMatch(/^ {2}--json /m)
  })

  it("--version shows the version", async () => {
    expect(await project.run(["--version"])).toEqual({ code: 0, out: "1.2.3\n", err: "" })
  })

  it.each([
    [["frobnicate"], "Unknown command 'frobnicate'"],
    [["docter"], "(Did you mean doctor?)"],
    [["doctor", "--jsn"], "(Did you mean --json?)"],
    [["secret", "--frobnicate"], "--frobnicate"],
    [["secret", "surplus"], "Too many arguments for 'secret'. Expected 0 arguments but got 1."],
    [["migrate", "a.db", "b.db"], "Too many arguments for 'migrate'. Expected 1 argument but got 2."],
    [["migrate"], "Which database?"],
    [["doctor"], "Which configuration?"],
  ])("%j is a wrong call", async (args, message) => {
    const { code, out, err } = await project.run(args)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(message)
    expect(err).toContain("See: npx @latchkey/cli ")
    expect(err).toContain("--help")
  })

  it("colours what it says at a terminal, and nothing in a file", async () => {
    const red = "\u001b[31m"
    expect((await project.run(["doctor"], { isColoured: true })).err).toContain(`${red}Which configuration?`)
    expect((await project.run(["doctor"])).err).not.toContain("\u001b")
  })

  it("runs as a process of its own", async () => {
    expect(await project.spawn(["--version"])).toEqual({ code: 0, out: "1.2.3\n", err: "" })
    expect(await project.spawn(["secret", "--frobnicate"])).toMatchObject({ code: 2, out: "" })
  })
})
