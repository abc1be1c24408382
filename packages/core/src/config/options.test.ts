import { describe, expect, it } from "vitest"
import { resolveWith } from "../../test/support/resolve-config.js"
import { optionRows } from "./options.js"

/** The messages about a configuration in which one option has this value. */
function messagesFor(name: string, value: unknown): string[] {
  const [first = "", second] = name.split(".")
  const config = { [first]: second === undefined ? value : { [second]: value } }
  return resolveWith(config).problems.map(({ message }) => message)
}

describe.each(optionRows.filter(([, kind]) => kind.is !== "own"))("the option %s", (name, kind) => {
  it("is refused by its name where it is of another kind", () => {
    const [message] = messagesFor(name, kind.is === "function" || kind.is === "group" ? "x" : Symbol("x"))
    expect(message).toMatch(new RegExp(`^"${name.replace(".", "\\.")}": expected `))
  })

  it("may be left open", () => {
    for (const nothing of [undefined, null]) expect(messagesFor(name, nothing)).toEqual([])
  })
})
