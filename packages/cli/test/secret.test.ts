/** `latchkey secret`. */
import { readFileSync, statSync } from "node:fs"
import { parse } from "dotenv"
import { describe, expect, it } from "vitest"
import { withVariable } from "../src/env-text.js"
import { useProject } from "./support/project.js"

const project = useProject()
const line = /^AUTH_SECRET=[0-9a-f]{64}\n$/

describe("latchkey secret", () => {
  it("prints a new secret each time [spec authentication 1]", async () => {
    const [first, second] = [await project.run(["secret"]), await project.run(["secret"])]
    expect(first).toEqual({ code: 0, out: expect.stringMatching(line), err: "" })
    expect(second.out).not.toBe(first.out)
  })

  it("writes it to a new file for the owner alone, and does not show it", async () => {
    const { code, out, err } = await project.run(["secret", "--write", ".env.new"])
    expect({ code, out }).toEqual({ code: 0, out: "" })
    const content = readFileSync(project.path(".env.new"), "utf8")
    expect(content).toMatch(line)
    expect(err).not.toContain(content.trim().slice(12))
    expect(statSync(project.path(".env.new")).mode & 0o777).toBe(0o600)
  })

  it("keeps what is in the file", async () => {
    const file = project.write(".env.kept", "# mine\nOTHER=1")
    await project.run(["secret", "--write", ".env.kept"])
    expect(readFileSync(file, "utf8")).toMatch(/^# mine\nOTHER=1\nAUTH_SECRET=[0-9a-f]{64}\n$/)
  })

  it("never touches a secret that is there", async () => {
    const file = project.write(".env.taken", "AUTH_SECRET=precious\n")
    const { code, err } = await project.run(["secret", "--write", ".env.taken"])
    expect(code).toBe(1)
    expect(err).toContain("has an AUTH_SECRET already")
    expect(err).not.toContain("precious")
    expect(readFileSync(file, "utf8")).toBe("AUTH_SECRET=precious\n")
  })

  it.each([
    ["behind a byte order mark", "\uFEFFAUTH_SECRET=first\n"],
    ["behind a blank that is not one of ASCII", "\u00A0AUTH_SECRET=first\n"],
    ["in the line below its name", 'AUTH_SECRET=\n"first"\n'],
    ["empty inside of another value", 'KEY="\nAUTH_SECRET=\n"\n'],
    ["beside an empty one inside of another value", 'AUTH_SECRET=first\nKEY="\nAUTH_SECRET_1=\n"\n'],
  ])("never touches a secret that stands %s", async (_, content) => {
    const file = project.write(".env.odd", content)
    expect(await project.run(["secret", "--write", ".env.odd"])).toMatchObject({ code: 1 })
    expect(await project.run(["secret", "--rotate", ".env.odd"])).toMatchObject({ code: 1 })
    expect(readFileSync(file, "utf8")).toBe(content)
  })

  it.each([
    ["behind a byte order mark", "\uFEFFAUTH_SECRET_2=leaked\nAUTH_SECRET=first\nAUTH_SECRET_1=second\n"],
    ["over several lines", 'AUTH_SECRET=first\nAUTH_SECRET_1="one\ntwo"\n'],
    ["in the text of another value", 'AUTH_SECRET=first\nKEY="\nAUTH_SECRET=no\nAUTH_SECRET_1=none\n"\n'],
    ["empty, in backticks", "AUTH_SECRET=first\nAUTH_SECRET_1=``\n"],
  ])("drops, accepts and adds nothing where a secret stands %s", async (_, content) => {
    const file = project.write(".env.odd", content)
    for (const more of [["--drop"], ["--accept"], ["--use"], []]) {
      const { code, err } = await project.run(["secret", "--rotate", ".env.odd", ...more])
      expect([code, err]).toEqual([1, expect.stringContaining("in a form that is not changed here")])
    }
    expect(readFileSync(file, "utf8")).toBe(content)
  })

  it("rotates: adds a secret under the next number, up to three, and drops the old ones when asked", async () => {
    const file = project.write(".env.rotated", "A=1\nAUTH_SECRET=first\nB=2\n")
    const read = (): Record<string, string> => parse(readFileSync(file, "utf8"))
    const one = await project.run(["secret", "--rotate", ".env.rotated"])
    expect(one).toMatchObject({ code: 0, out: "" })
    expect(read()).toEqual({
      A: "1",
      B: "2",
      AUTH_SECRET: "first",
      AUTH_SECRET_1: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(one.err).not.toContain(read()["AUTH_SECRET_1"])
    await project.run(["secret", "--rotate", ".env.rotated"])
    await project.run(["secret", "--rotate", ".env.rotated"])
    const full = read()
    expect(Object.keys(full)).toContain("AUTH_SECRET_3")
    expect(await project.run(["secret", "--rotate", ".env.rotated"])).toMatchObject({ code: 1 })
    expect(read()).toEqual(full)
    expect(await project.run(["secret", "--rotate", ".env.rotated", "--drop"])).toMatchObject({ code: 0 })
    expect(read()).toEqual({ A: "1", B: "2", AUTH_SECRET: full["AUTH_SECRET_3"] })
    expect(readFileSync(file, "utf8")).toMatch(/^A=1\nAUTH_SECRET=[0-9a-f]{64}\nB=2\n$/)
  })

  it("adds a secret that is accepted and not used, and puts it into use when asked", async () => {
    const before = "A=1\nNEXTAUTH_SECRET=first\nexport AUTH_SECRET = first\n# AUTH_SECRET=first\nB=2"
    const file = project.write(".env.two-steps", before)
    const step = (...more: string[]) => project.run(["secret", "--rotate", ".env.two-steps", ...more])
    const read = (): Record<string, string> => parse(readFileSync(file, "utf8"))
    const others = { A: "1", B: "2", NEXTAUTH_SECRET: "first" }
    const accepted = await step("--accept")
    expect(accepted).toMatchObject({ code: 0, out: "" })
    const { AUTH_SECRET: made = "" } = read()
    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(accepted.err).not.toContain(made)
    expect(read()).toEqual({ ...others, AUTH_SECRET: made, AUTH_SECRET_1: "first" })
    // Dropping would keep the one in use, which may be the one that leaked.
    for (const early of [["--accept"], ["--drop"], []]) {
      expect(await step(...early)).toMatchObject({ code: 1, err: expect.stringContaining("with --use first") })
    }
    expect(read()).toEqual({ ...others, AUTH_SECRET: made, AUTH_SECRET_1: "first" })
    expect(await step("--use")).toMatchObject({ code: 0, out: "" })
    expect(read()).toEqual({ ...others, AUTH_SECRET: "first", AUTH_SECRET_1: made })
    expect(await step("--use")).toMatchObject({ code: 1, err: expect.stringContaining("added with --accept") })
    await step("--drop")
    expect(readFileSync(file, "utf8")).toBe(
      `${before.replace("export AUTH_SECRET = first", `export AUTH_SECRET =${made}`)}\n`,
    )
  })

  it.each([
    ["behind two that are there", "AUTH_SECRET_1=newer\r\nAUTH_SECRET=old\r\n", "AUTH_SECRET_1", "AUTH_SECRET_2"],
    ["under a number whose line is empty", "AUTH_SECRET_1=\nAUTH_SECRET=newer\n", "AUTH_SECRET", "AUTH_SECRET_1"],
  ])("accepts one %s", async (_, content, behind, first) => {
    const file = project.write("behind.env", content)
    const read = (): Record<string, string> => parse(readFileSync(file, "utf8"))
    expect(await project.run(["secret", "--rotate", "behind.env", "--accept"])).toMatchObject({ code: 0 })
    const { [behind]: made } = read()
    expect(read()).toMatchObject({ [behind]: expect.stringMatching(/^[0-9a-f]{64}$/), [first]: "newer" })
    expect(await project.run(["secret", "--rotate", "behind.env", "--use"])).toMatchObject({ code: 0 })
    expect(read()).toMatchObject({ [behind]: "newer", [first]: made })
  })

  it.each([
    ["a variable of a longer name", "NEXTAUTH_SECRET=leaked\nAUTH_SECRET=leaked\nAUTH_SECRET_1=new\n"],
    ["a line that is commented out", "# AUTH_SECRET=leaked\nAUTH_SECRET=leaked\nAUTH_SECRET_1=new\n"],
    ["a line that counts less", "AUTH_SECRET=leaked\nAUTH_SECRET=older\nAUTH_SECRET_1=former\nAUTH_SECRET_1=new\n"],
    ["colons", "AUTH_SECRET: leaked\nAUTH_SECRET_1: new\n"],
  ])("leaves no old secret in force beside %s", async (_, content) => {
    const file = project.write("beside.env", content)
    expect(await project.run(["secret", "--rotate", "beside.env", "--drop"])).toMatchObject({ code: 0 })
    const { AUTH_SECRET, AUTH_SECRET_1 } = parse(readFileSync(file, "utf8"))
    expect({ AUTH_SECRET, AUTH_SECRET_1 }).toEqual({ AUTH_SECRET: "new", AUTH_SECRET_1: undefined })
  })

  it.each(["# AUTH_SECRET_1=\nAUTH_SECRET_1=\n", "AUTH_SECRET_1=\nAUTH_SECRET_1=\n"])(
    "adds a secret that is in force to %j",
    async (lines) => {
      const file = project.write("empty-number.env", `AUTH_SECRET=first\n${lines}`)
      expect(await project.run(["secret", "--rotate", "empty-number.env"])).toMatchObject({ code: 0 })
      expect(parse(readFileSync(file, "utf8"))["AUTH_SECRET_1"]).toMatch(/^[0-9a-f]{64}$/)
    },
  )

  it.each([
    [["--rotate", "none.env"], 2, 'There is no file "none.env".'],
    [["--rotate", "empty.env"], 1, "nothing was written"],
    [["--rotate", "empty.env", "--drop"], 1, "has one secret or none"],
    [["--drop"], 2, "--drop needs --rotate"],
    [["--accept", "--write", "x"], 2, "--accept needs --rotate"],
    [["--rotate", "empty.env", "--use"], 1, "added with --accept"],
    [["--rotate", "empty.env", "--accept"], 1, "has no AUTH_SECRET"],
    [["--rotate", "empty.env", "--accept", "--use"], 2, "--accept or --use, not both"],
    [["--rotate", "empty.env", "--write", "x"], 2, "not both"],
  ])("refuses %j", async (args, code, message) => {
    project.write("empty.env", "AUTH_SECRET=\n")
    const outcome = await project.run(["secret", ...args])
    expect(outcome.code).toBe(code)
    expect(outcome.err).toContain(message)
  })

  it("prints JSON for scripts: the secret alone where it is not written", async () => {
    const printed = await project.run(["secret", "--json"])
    expect(printed).toMatchObject({ code: 0, err: "" })
    expect(JSON.parse(printed.out)).toEqual({ AUTH_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const written = await project.run(["secret", "--json", "--write", "json.env"])
    expect(written).toMatchObject({ code: 0, err: "" })
    expect(JSON.parse(written.out)).toEqual({
      file: "json.env",
      isWritten: true,
      message: "Wrote AUTH_SECRET to json.env. Keep that file out of version control.",
    })
    const rotated = await project.run(["secret", "--json", "--rotate", "json.env", "--drop"])
    expect(rotated.code).toBe(1)
    expect(JSON.parse(rotated.out)).toMatchObject({ isWritten: false, message: expect.stringContaining("one secret") })
  })

  it("says why it cannot write", async () => {
    project.write("file.txt", "")
    const { code, err } = await project.run(["secret", "--write", "file.txt/.env"])
    expect(code).toBe(1)
    expect(err).toMatch(/^Cannot write .*: a part of the path is a file, and a folder is expected\.\n$/)
  })
})

describe("a variable in a .env file", () => {
  it.each([
    ["", "AUTH_SECRET=s\n"],
    ["A=1\n", "A=1\nAUTH_SECRET=s\n"],
    ["A=1", "A=1\nAUTH_SECRET=s\n"],
    ["# AUTH_SECRET=old\n", "# AUTH_SECRET=old\nAUTH_SECRET=s\n"],
    ["MY_AUTH_SECRET=x\n", "MY_AUTH_SECRET=x\nAUTH_SECRET=s\n"],
    ["AUTH_SECRET_1=x\n", "AUTH_SECRET_1=x\nAUTH_SECRET=s\n"],
    ["AUTH_SECRET=\nA=1\n", "AUTH_SECRET=s\nA=1\n"],
    ['AUTH_SECRET=""\r\nA=1\r\n', "AUTH_SECRET=s\r\nA=1\r\n"],
    ["AUTH_SECRET= # fill in\n", "AUTH_SECRET=s\n"],
    ["NEXTAUTH_SECRET=\nAUTH_SECRET=\n", "NEXTAUTH_SECRET=\nAUTH_SECRET=s\n"],
    ["AUTH_SECRET=\nAUTH_SECRET=\n", "AUTH_SECRET=\nAUTH_SECRET=s\n"],
    ["AUTH_SECRET=x\nAUTH_SECRET=\n", "AUTH_SECRET=x\nAUTH_SECRET=s\n"],
    ["AUTH_SECRET: x\n", undefined],
    ["AUTH_SECRET=x", undefined],
    ["A=1\nexport AUTH_SECRET = 'x'\n", undefined],
    ["AUTH_SECRET='x'\r\n", undefined],
  ])("%j becomes %j", (content, expected) => {
    expect(withVariable(content, "AUTH_SECRET", "s")).toBe(expected)
  })
})
