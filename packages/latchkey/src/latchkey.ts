#!/usr/bin/env node
/** The command line: `latchkey COMMAND`. */
import { readFileSync } from "node:fs"
import { runProgram } from "./program.js"

/** Resolves when the string has been written. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()))
}

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
const written: Promise<void>[] = []
const code = await runProgram(process.argv.slice(2), {
  version,
  world: {
    cwd: process.cwd(),
    env: process.env,
    out: (text) => void written.push(write(process.stdout, text)),
    err: (text) => void written.push(write(process.stderr, text)),
  },
})
await Promise.all(written)
// A module that was looked at may hold connections open; the answer has been given.
process.exit(code)
