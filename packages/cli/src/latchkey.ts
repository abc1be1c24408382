#!/usr/bin/env node
/** The command line: `latchkey COMMAND`. */
import { readFileSync } from "node:fs"
import { runProgram } from "./program.js"
import { systemTerminal, systemWorld } from "./system-world.js"

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
// Modules that a command loads are not started applications: the command says what is wrong.
process.env.AUTH_DEVELOPMENT_CHECKS = "off"
const { terminal, finished } = systemTerminal()
const code = await runProgram(process.argv.slice(2), systemWorld(terminal, version))
await finished()
// A module that was loaded may hold connections open, and the output has been written.
process.exit(code)
