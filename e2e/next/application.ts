/** A fresh application of Next with our packages in it: installed from its own lockfile, built with types checked. */
import { cpSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Finished, run, type Served, serve } from "../ecosystem/support/process.js"
import { installFixture } from "../support/fixture.js"

const folder = fileURLToPath(new URL("../fixtures/next/", import.meta.url))
const packages = fileURLToPath(new URL("../../packages/", import.meta.url))
const next = "node_modules/.bin/next"

/** Installs it, puts the packages in as they would be published, and builds it. */
export async function build(): Promise<Finished> {
  installFixture("next")
  for (const name of ["core", "next", "react"]) layDown(name)
  rmSync(join(folder, ".next"), { recursive: true, force: true })
  // Without a secret: none is there when an application is built.
  return run([next, "build"], { folder, env: { NODE_ENV: "production" } })
}

function layDown(name: string): void {
  const built = join(packages, name)
  if (!existsSync(join(built, "dist/index.js"))) throw new Error(`${name} is not built yet. Run: npm run build`)
  const place = join(folder, "node_modules/@latchkey", name)
  rmSync(place, { recursive: true, force: true })
  for (const part of ["package.json", "dist"]) cpSync(join(built, part), join(place, part), { recursive: true })
}

/** Starts what was built. */
export function start(origin: string, env: Readonly<Record<string, string>>): Promise<Served> {
  const command = [next, "start", "-H", "127.0.0.1", "-p", new URL(origin).port]
  return serve(command, { folder, origin, env })
}
