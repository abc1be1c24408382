/** What the default logger prints as the address of cause and cure is a heading of a page in this repository. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterEach, expect, it, vi } from "vitest"
import { AuthError, type ErrorType, errorTable } from "../packages/core/src/errors.js"
import { createLogger, warningAdvice } from "../packages/core/src/ports/logger.js"
import type { WarningCode } from "../packages/core/src/types/hooks.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const manifest = JSON.parse(readFileSync(`${root}packages/core/package.json`, "utf8"))
const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, "")

afterEach(() => {
  vi.restoreAllMocks()
})

/** What is printed, as one text. */
function printedBy(method: "error" | "warn", write: () => void): string {
  const lines: string[] = []
  vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.join(" ")))
  write()
  return lines.join("\n")
}

/** The heading that an address leads to, as the page of the repository has it; what is wrong otherwise. */
function headingAt(printed: string): string {
  const [, address = "", anchor = ""] = /(https:\S+)#(\S+)/.exec(printed) ?? []
  const prefix = `${repository}/blob/main/`
  if (!address.startsWith(prefix)) return `no address below ${prefix}: ${printed}`
  const lines = readFileSync(root + address.slice(prefix.length), "utf8").split("\n")
  const heading = lines.find((line) => line.toLowerCase() === `### ${anchor}`)
  return heading?.slice("### ".length) ?? `no heading for #${anchor}`
}

it.each(Object.keys(errorTable) as ErrorType[])("%s leads to its section", (type) => {
  const error = Object.assign(new AuthError("x"), { type })
  expect(headingAt(printedBy("error", () => createLogger(undefined, false).error(error)))).toBe(type)
})

it.each(Object.keys(warningAdvice) as WarningCode[])("the warning %s leads to its section", (code) => {
  const printed = printedBy("warn", () => createLogger(undefined, false).warn(code))
  expect(headingAt(printed)).toBe(code)
})
