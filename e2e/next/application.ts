/** A fresh application of Next with our packages in it: installed from its own lockfile, built with types checked. */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Finished, run, type Served, serve } from "../ecosystem/support/process.js"
import { installFixture } from "../support/fixture.js"

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url))
const packages = fileURLToPath(new URL("../../packages/", import.meta.url))

/** The majors that `@latchkey/next` is for. */
export const majors = ["15", "16"] as const

/** One of them. */
export type Major = (typeof majors)[number]

/** Where it is built. Next 15 has the files of the other one, but for what is named differently there. */
const folderOf = (major: Major): string => join(fixtures, major === "16" ? "next" : "next-15/.tmp")
const nextOf = (major: Major): string => join(folderOf(major), "node_modules/.bin/next")

function installed(major: Major): void {
  installFixture(major === "16" ? "next" : "next-15")
  if (major === "16") return
  const [shared, own, folder] = [join(fixtures, "next"), join(fixtures, "next-15"), folderOf(major)]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const part of ["app", "pages", "auth.ts", "tsconfig.json"]) {
    cpSync(join(shared, part), join(folder, part), { recursive: true })
  }
  for (const part of ["package.json", "next.config.ts", "middleware.ts"]) cpSync(join(own, part), join(folder, part))
  // Next 15 sends the head of a page late: a browser may ask for the icon before it reads that there is none.
  mkdirSync(join(folder, "public"))
  writeFileSync(join(folder, "public/favicon.ico"), "")
  cpSync(join(own, "node_modules"), join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true })
}

/** Installs it, puts the packages in as they would be published, and builds it; Next 16 also with a `basePath`. */
export async function build(major: Major, below = ""): Promise<Finished> {
  installed(major)
  const folder = folderOf(major)
  for (const name of ["core", "next", "react"]) layDown(name, folder)
  rmSync(join(folder, ".next"), { recursive: true, force: true })
  // Without a secret: none is there when an application is built.
  return run([nextOf(major), "build"], { folder, env: { NODE_ENV: "production", BELOW: below } })
}

function layDown(name: string, folder: string): void {
  const built = join(packages, name)
  if (!existsSync(join(built, "dist/index.js"))) throw new Error(`${name} is not built yet. Run: npm run build`)
  const place = join(folder, "node_modules/@latchkey", name)
  rmSync(place, { recursive: true, force: true })
  for (const part of ["package.json", "dist"]) cpSync(join(built, part), join(place, part), { recursive: true })
}

/** Starts what was built. */
export function start(major: Major, origin: string, env: Readonly<Record<string, string>>): Promise<Served> {
  const command = [nextOf(major), "start", "-H", "127.0.0.1", "-p", new URL(origin).port]
  return serve(command, { folder: folderOf(major), origin, env })
}
