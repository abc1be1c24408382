/** An attacker who controls what is logged must not control how long that takes. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { AdapterError, AuthError } from "../../src/errors.js"
import { createLogger } from "../../src/ports/logger.js"
import { countSteps } from "../support/steps.js"

const megabyte = 1024 * 1024
const fill = (part: string): string => part.repeat(Math.ceil(megabyte / part.length)).slice(0, megabyte)

/** Texts that make patterns begin again at each character. */
const worst: readonly (readonly [string, string])[] = [
  ["one word", fill("a")],
  ["beginnings of tokens", fill("eyJ")],
  ["beginnings of tokens with one dot", fill("eyJhbGciOi.")],
  ["dots", fill(".")],
  ["dashes", fill("-")],
  ["names of cookies", fill("authjs.")],
  ["names of cookies with prefixes", fill("__Secure-")],
  ["names of cookies with values", fill("authjs.a=b;")],
  ["schemes", fill("x://")],
  ["schemes with users", fill("x://a:")],
  ["colons", fill(":")],
  ["names in JSON", fill('"code":"')],
  ["names in JSON that lead nowhere", fill('"code" ')],
  ["names in JSON before blanks", fill(`"code"${" ".repeat(1000)}`)],
  ["escapes in JSON", `"code":"${fill("\\")}`],
  ["parameters", fill("code=")],
  ["schemes of credentials", fill("Bearer ")],
  ["blanks", `Bearer${fill(" ")}`],
  ["hex", fill("0123456789abcdef")],
  ["random text of our length", fill(`${"aB1".repeat(14)}x.`)],
  ["line ends", fill("\n    at ")],
  ["control characters", fill("\u001b")],
]

/** Some passes over all that is ever shown of one thing, and less than one pass over the text. */
const bound = 500_000

beforeEach(() => {
  for (const method of ["error", "warn", "log"] as const) vi.spyOn(console, method).mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(worst)("a megabyte of %s", { tags: ["threat:AL-01"] }, (_, text) => {
  const chain = (depth: number): Error =>
    depth === 0 ? new Error(text) : new Error(text, { cause: { err: chain(depth - 1), [text]: text } })

  it.each([
    ["as the message of an error", () => new AuthError(text)],
    ["below an error", () => new AdapterError(new Error(text), { operation: text })],
    ["as a name below an error", () => new AuthError("x", { cause: { [text]: { [text]: text } } })],
    [
      "in a list below an error",
      () => new AuthError("x", { cause: { list: Array.from({ length: 500 }, () => text) } }),
    ],
    ["all along a chain of errors", () => chain(20)],
    ["thrown as it is", () => text as never],
  ])("%s costs a bounded number of steps", (_place, make) => {
    const error = make()
    expect(countSteps(() => createLogger(undefined, true, ["a-secret-that-is-known"]).error(error))).toBeLessThan(bound)
    expect(countSteps(() => createLogger({ error: () => undefined }, false).error(error))).toBeLessThan(bound)
  })

  it("costs a bounded number of steps in a debug message", () => {
    const metadata = { [text]: [text, { text }], error: new Error(text), url: new URLSearchParams({ text }) }
    expect(countSteps(() => createLogger(undefined, true).debug(text, metadata))).toBeLessThan(bound)
  })
})

it("costs a bounded number of steps however wide and deep a value branches", { tags: ["threat:AL-01"] }, () => {
  let tree: unknown = "a text of some length"
  for (let depth = 0; depth < 8; depth++) tree = Array.from({ length: 100 }, () => tree)
  expect(countSteps(() => createLogger(undefined, true).debug("a tree", tree))).toBeLessThan(bound)
})

describe("the name of a provider that does not exist", { tags: ["threat:PA-14"] }, () => {
  it("is quoted in the log, and cut to 64 characters", async () => {
    const errors: Error[] = []
    const auth = createAuth(
      {
        secret: "a-secret-of-at-least-32-characters",
        trustHost: true,
        providers: [],
        logger: { error: (error) => void errors.push(error) },
      },
      { env: {} },
    )
    const name = `${"x".repeat(7000)}%0Aforged`
    const response = await auth.handle(new Request(`https://app.test/auth/callback/${name}`))
    expect(response.status).toBe(404)
    expect(errors[0]?.message).toBe(`There is no provider "${"x".repeat(64)}…". Configured: none.`)
  })
})
