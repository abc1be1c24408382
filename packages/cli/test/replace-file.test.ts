/** Files are written as a whole or not at all. */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { systemFilesWith } from "../src/system-world.js"

/** What the operating system answers, in place of what it would do. */
const answers = vi.hoisted(() => ({ isFull: false, isProtected: false, refuses: undefined as string | undefined }))

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof fs>()
  const failed = (code: string): Error => Object.assign(new Error(code), { code })
  return {
    ...real,
    writeFileSync(...[file, content, options]: Parameters<typeof real.writeFileSync>) {
      if (!answers.isFull) return real.writeFileSync(file, content, options)
      real.writeFileSync(file, String(content).slice(0, 3), options)
      throw failed("ENOSPC")
    },
    accessSync(...given: Parameters<typeof real.accessSync>) {
      if (answers.isProtected) throw failed("EACCES")
      real.accessSync(...given)
    },
    renameSync(...given: Parameters<typeof real.renameSync>) {
      if (answers.refuses !== undefined) throw failed(answers.refuses)
      real.renameSync(...given)
    },
  }
})

const folder = fs.mkdtempSync(join(tmpdir(), "latchkey-write-"))
const path = (name: string): string => join(folder, name)
const read = (name: string): string => fs.readFileSync(path(name), "utf8")
const modeOf = (name: string): number => fs.statSync(path(name)).mode & 0o777
afterAll(() => fs.rmSync(folder, { recursive: true }))

const warned: string[] = []
const files = systemFilesWith((text) => void warned.push(text))
const before = "AUTH_SECRET=old\n"
const after = "AUTH_SECRET=old\nAUTH_SECRET_1=new\n"

/** A folder for a test, with a `.env` file in it. */
function begin(name: string, mode = 0o640): string {
  fs.mkdirSync(path(name))
  const file = join(name, ".env")
  fs.writeFileSync(path(file), before)
  fs.chmodSync(path(file), mode)
  return file
}

describe("a file that is written", () => {
  afterEach(() => {
    answers.isFull = false
    answers.isProtected = false
    answers.refuses = undefined
    warned.length = 0
  })

  it("is as it was where the disk is full, and nothing else is left", () => {
    const file = begin("full")
    answers.isFull = true
    expect(() => files.write(path(file), after)).toThrow(/Cannot write .*: the disk is full/)
    expect([read(file), fs.readdirSync(path("full"))]).toEqual([before, [".env"]])
  })

  it("is as it was where it is write-protected", () => {
    const file = begin("protected")
    answers.isProtected = true
    expect(() => files.write(path(file), after)).toThrow(/permission is denied/)
    expect([read(file), warned]).toEqual([before, []])
  })

  it("is another one with the same mode, also where a stricter one is asked for", () => {
    const file = begin("mode")
    const { ino } = fs.statSync(path(file))
    files.write(path(file), after, 0o600)
    expect([read(file), modeOf(file), fs.readdirSync(path("mode"))]).toEqual([after, 0o640, [".env"]])
    expect([fs.statSync(path(file)).ino === ino, warned]).toEqual([false, []])
  })

  // Only root may give a file to somebody else.
  it.runIf(process.getuid?.() === 0)("belongs to whom it belonged", () => {
    const file = begin("owner")
    fs.chownSync(path(file), 1234, 4321)
    files.write(path(file), after)
    expect(fs.statSync(path(file))).toMatchObject({ uid: 1234, gid: 4321 })
  })

  it("has the mode that was asked for where it is new, in folders that are made", () => {
    files.write(path("new/sub/.env"), after, 0o600)
    expect([read("new/sub/.env"), modeOf("new/sub/.env")]).toEqual([after, 0o600])
  })

  it("is what a link leads to, and the link stays, also where its end is not there yet", () => {
    const file = begin("linked")
    fs.symlinkSync(".env", path("linked/one"))
    fs.symlinkSync("../linked/later", path("linked/two"))
    files.write(path("linked/one"), after)
    files.write(path("linked/two"), after)
    expect([read(file), read("linked/later")]).toEqual([after, after])
    expect(["one", "two"].map((name) => fs.lstatSync(path(`linked/${name}`)).isSymbolicLink())).toEqual([true, true])
  })

  it("is refused where links lead in a circle, which is named", () => {
    fs.mkdirSync(path("circle"))
    fs.symlinkSync("one", path("circle/.env"))
    fs.symlinkSync("two", path("circle/one"))
    fs.symlinkSync("../circle/one", path("circle/two"))
    const circle = [".env", "one", "two", "one"].map((name) => path(`circle/${name}`)).join(" -> ")
    expect(() => files.write(path("circle/.env"), after)).toThrow(
      `Cannot write ${path("circle/.env")}: symbolic links lead in a circle: ${circle}.`,
    )
    expect(fs.readdirSync(path("circle"))).toEqual([".env", "one", "two"])
  })

  it.each(["EACCES", "EBUSY"])("is written itself where its folder allows no other (%s), which is said", (code) => {
    const file = begin(code)
    answers.refuses = code
    files.write(path(file), after)
    expect([read(file), modeOf(file), fs.readdirSync(path(code))]).toEqual([after, 0o640, [".env"]])
    expect(warned).toEqual([expect.stringContaining(".env was written in its place")])
  })

  it("is written itself where it has another name, so that both stay one", () => {
    const file = begin("names")
    fs.linkSync(path(file), path("names/other"))
    files.write(path(file), after)
    expect([read("names/other"), warned.length]).toEqual([after, 1])
  })
})
