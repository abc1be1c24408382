/** The program as a whole: help, version, and calls that are wrong. */
import { describe, expect, it } from "vitest"
import { useProject } from "./support.js"

const project = useProject()

describe("latchkey", () => {
  it.each([[["--help"]], [["-h"]], [["help"]]])("%j shows the commands", async (args) => {
    const { code, out } = await project.run(args)
    expect(code).toBe(0)
    expect(out).toMatch(/secret .*\n.*migrate .*\n.*cleanup .*\n.*doctor /)
  })

  it("without a command shows the commands and fails", async () => {
    const { code, out, err } = await project.run([])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain("Usage: latchkey COMMAND")
  })

  it.each(["secret", "migrate", "doctor"])("%s --help shows usage, options and exit codes", async (name) => {
    const [byOption, byWord] = [await project.run([name, "--help"]), await project.run(["help", name])]
    expect(byOption.code).toBe(0)
    expect(byOption.out).toMatch(new RegExp(`^Usage: latchkey ${name}`))
    expect(byOption.out).toContain("Options:")
    expect(byOption.out).toContain("Exit codes:")
    expect(byWord).toEqual(byOption)
  })

  it("--version shows the version", async () => {
    expect(await project.run(["--version"])).toEqual({ code: 0, out: "1.2.3\n", err: "" })
  })

  it.each([
    [["frobnicate"], 'There is no command "frobnicate"'],
    [["secret", "--frobnicate"], "--frobnicate"],
    [["secret", "surplus"], 'Nobody knows what to do with "surplus".'],
    [["migrate", "a.db", "b.db"], 'Nobody knows what to do with "b.db".'],
    [["migrate"], "Which database?"],
    [["doctor"], "Which configuration?"],
  ])("%j is a wrong call", async (args, message) => {
    const { code, out, err } = await project.run(args)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(message)
  })
})
