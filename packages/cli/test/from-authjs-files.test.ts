/** `latchkey from-authjs`: which files it finds, and what it says of those that it cannot read. */
import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { Failure } from "../src/command.js"
import { systemFiles } from "../src/system-world.js"
import { runIn } from "./support/project.js"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const using = 'import { ExpressAuth } from "@auth/express"\n'
const moved = 'import { ExpressAuth } from "@latchkey/express"\n'
const manifest = JSON.stringify({ name: "shop", dependencies: { "@auth/express": "^0.12.3" } })

/** A project of Express; files with these paths use Auth.js. */
function projectOf(...paths: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "latchkey-authjs-files-")))
  folders.push(folder)
  writeFileSync(join(folder, "package.json"), manifest)
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path.endsWith("package.json") ? "{}" : using)
  }
  return folder
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8")

async function written(folder: string, files = systemFiles): Promise<{ code: number; left: readonly string[] }> {
  const { code, out, err } = await runIn(folder, ["from-authjs", "--write", "--json"], { files })
  expect(err).toBe("")
  return { code, left: (JSON.parse(out) as { left: readonly string[] }).left }
}

describe("files that from-authjs finds", () => {
  it("goes into folders that are named like sources", async () => {
    const paths = ["src/routes/embed.js/+server.ts", "chart.js/index.js"]
    const folder = projectOf(...paths)
    expect(await written(folder)).toEqual({ code: 0, left: [] })
    expect(paths.map((path) => read(folder, path))).toEqual(paths.map(() => moved))
  })

  it("passes over what is made beside a package.json, and nothing of that name further down", async () => {
    const names = ["dist", "build", "out", "coverage"]
    const sources = names.map((name) => `src/${name}/auth.js`)
    const made = names.flatMap((name) => [`${name}/auth.js`, `packages/one/${name}/auth.js`])
    const others = ["src/node_modules/a/auth.js", "src/.kit/auth.js"]
    const folder = projectOf(...sources, ...made, ...others, "packages/one/package.json")
    expect(await written(folder)).toEqual({ code: 0, left: [] })
    expect(sources.map((path) => read(folder, path))).toEqual(sources.map(() => moved))
    const rest = [...made, ...others]
    expect(rest.map((path) => read(folder, path))).toEqual(rest.map(() => using))
  })

  it("does not follow links to folders, and names those that lead out of the project", async () => {
    const folder = projectOf("src/auth.js")
    const other = projectOf("auth.js")
    symlinkSync(".", join(folder, "public"))
    symlinkSync("src", join(folder, "lib"))
    symlinkSync(other, join(folder, "shared"))
    symlinkSync("gone", join(folder, "gone.js"))
    expect(await written(folder)).toEqual({
      code: 1,
      left: [
        `shared: not looked at. It is a symbolic link to the folder ${other}, outside of this one. If it uses Auth.js, change it by hand.`,
      ],
    })
    expect([read(folder, "src/auth.js"), read(other, "auth.js")]).toEqual([moved, using])
  })

  it("names links that lead in a circle, and goes on", async () => {
    const folder = projectOf("src/auth.js")
    symlinkSync("two", join(folder, "one"))
    symlinkSync("one", join(folder, "two"))
    const { code, left } = await written(folder)
    expect({ code, left: left.toSorted() }).toEqual({
      code: 1,
      left: ["one", "two"].map(
        (name) =>
          `${name}: not looked at. Cannot read it: symbolic links lead in a circle. If it uses Auth.js, change it by hand.`,
      ),
    })
    expect(read(folder, "src/auth.js")).toBe(moved)
  })

  it("names folders and files that cannot be read, and goes on", async () => {
    const folder = projectOf("locked/auth.js", "src/auth.js", "src/locked.js")
    const refused = (path: string): never => {
      throw new Failure(`Cannot read ${path}: permission is denied.`)
    }
    const { code, left } = await written(folder, {
      ...systemFiles,
      list: (path) => (path === join(folder, "locked") ? refused(path) : systemFiles.list(path)),
      read: (path) => (path === join(folder, "src/locked.js") ? refused(path) : systemFiles.read(path)),
    })
    expect({ code, left: left.toSorted() }).toEqual({
      code: 1,
      left: ["locked", "src/locked.js"].map(
        (path) =>
          `${path}: not looked at. Cannot read ${join(folder, path)}: permission is denied. If it uses Auth.js, change it by hand.`,
      ),
    })
    expect(read(folder, "src/auth.js")).toBe(moved)
  })

  it("names a pipe in the place of a source, and does not wait for it", async () => {
    const folder = projectOf("src/auth.js")
    const pipe = join(folder, "src/p.js")
    execFileSync("mkfifo", [pipe])
    // Reading it would wait until somebody writes: this one does, so that the test ends.
    const writer = execFile("sh", ["-c", 'sleep 2; : > "$0"', pipe])
    const answer = await written(folder)
    writer.kill()
    expect(answer).toEqual({
      code: 1,
      left: [
        "src/p.js: not looked at. It is a pipe or a device, and a file is expected. If it uses Auth.js, change it by hand.",
      ],
    })
  })

  it("keeps the byte order mark of package.json", async () => {
    const folder = projectOf("auth.js")
    writeFileSync(join(folder, "package.json"), `\uFEFF${JSON.stringify(JSON.parse(manifest), null, "\t")}\n`)
    expect((await written(folder)).code).toBe(0)
    expect(read(folder, "package.json")).toMatch(/^\uFEFF\{\n\t"name": "shop",[\s\S]*"@latchkey\/express"/)
  })
})
