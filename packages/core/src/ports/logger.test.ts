import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  AccessDenied,
  AdapterError,
  AuthError,
  CredentialsSignin,
  InvalidCheck,
  MissingCSRF,
  UnknownAction,
  Verification,
} from "../errors.js"
import { createLogger } from "./logger.js"

const page = "https://github.com/latchkey-auth/latchkey/blob/main/docs/reference/errors.md"

const lines: string[] = []
const record = (...args: unknown[]): void => {
  lines.push(args.join(" ").replaceAll("\x1b", "<esc>"))
}

beforeEach(() => {
  lines.length = 0
  for (const method of ["error", "warn", "log"] as const) vi.spyOn(console, method).mockImplementation(record)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** What is printed beside the addresses of the documentation. */
const withoutHelp = (): string[] => lines.filter((line) => !line.startsWith("[auth][help] "))

/** As on a terminal, where the labels have colours. */
function onTerminal(environment: Record<string, string> = {}): void {
  vi.stubGlobal("process", { env: environment, stdout: { isTTY: true }, stderr: { isTTY: true } })
}

describe("the default logger", () => {
  it("writes a fault with its causes, their places in the code, and details", () => {
    const driver = new Error("connection refused")
    const below = new Error("down", { cause: driver })
    const error = new AdapterError("The store failed.", { cause: { err: below, operation: "getUser" } })
    createLogger(undefined, false).error(Object.assign(error, { incident: "4f9a2c1b7e0d" }))
    expect(lines[0]).toBe("[auth][error] AdapterError: The store failed. (incident 4f9a2c1b7e0d)")
    expect(lines[1]).toMatch(/^\[auth\]\[cause\] Error: down\n {4}at /)
    expect(lines[2]).toMatch(/^\[auth\]\[cause\] Error: connection refused\n {4}at /)
    expect(lines[3]).toBe('[auth][details] {\n  "operation": "getUser"\n}')
    expect(withoutHelp()).toHaveLength(4)
  })

  it("writes a fault without cause with its own place", () => {
    createLogger(undefined, false).error(new TypeError("wrong"))
    expect(lines[0]).toMatch(/^\[auth\]\[error\] TypeError: wrong\n {4}at /)
    expect(lines).toHaveLength(1)
  })

  it.each([
    [new CredentialsSignin("no user"), "CredentialsSignin: no user"],
    [new UnknownAction("The path names no action."), "UnknownAction: The path names no action."],
    [new MissingCSRF("missing"), "MissingCSRF: missing"],
    [new Verification("used"), "Verification: used"],
    [new AccessDenied(new Error("banned")), "AccessDenied: banned"],
    [new CredentialsSignin("no", { cause: { err: new Error("locked") } }), "CredentialsSignin: no (Error: locked)"],
    [
      new InvalidCheck("The cookie of the check is missing.", { cause: { err: new Error("too old") } }),
      "InvalidCheck: The cookie of the check is missing. (Error: too old)",
    ],
  ])("writes one line for what a visitor caused: %s", (error, text) => {
    createLogger(undefined, false).error(error)
    expect(withoutHelp()).toEqual([`[auth][error] ${text}`])
  })

  it("writes a mistake in a callback with its place, although the person is only refused", () => {
    createLogger(undefined, false).error(new AccessDenied(new TypeError("user is undefined")))
    expect(lines[1]).toMatch(/^\[auth\]\[cause\] TypeError: user is undefined\n {4}at /)
  })

  it("names errors of another copy of the package by their type", () => {
    const foreign = Object.assign(new Error("no"), { type: "CredentialsSignin", name: "e" })
    createLogger(undefined, false).error(foreign)
    expect(withoutHelp()).toEqual(["[auth][error] CredentialsSignin: no"])
  })

  it("writes no details where the cause holds none", () => {
    createLogger(undefined, false).error(new Error("x", { cause: "a text" }))
    createLogger(undefined, false).error(new AuthError("y", { cause: { err: new Error("down") } }))
    expect(lines.join("\n")).not.toContain("[details]")
  })

  it("explains a warning", () => {
    createLogger(undefined, false).warn("debug-enabled")
    expect(lines[0]).toMatch(/^\[auth\]\[warn\]\[debug-enabled\] .+debug/)
  })

  it("prints the address of cause and cure once for each kind of error, and no other", () => {
    const logger = createLogger(undefined, false)
    for (const error of [new MissingCSRF("a"), new MissingCSRF("b"), new AdapterError(new Error("down"))])
      logger.error(error)
    expect(lines.filter((line) => !withoutHelp().includes(line))).toEqual([
      `[auth][help] ${page}#missingcsrf`,
      `[auth][help] ${page}#adaptererror`,
    ])
  })

  it("prints the address of cause and cure once for each warning", () => {
    const logger = createLogger(undefined, false)
    logger.warn("unknown-option", "one.")
    logger.warn("unknown-option", "two.")
    expect(lines[0]).toMatch(/ one\. (\S+)$/)
    expect(lines[0]?.endsWith(`${page}#unknown-option`)).toBe(true)
    expect(lines[1]).toMatch(/ two\.$/)
  })

  it("prints no address for an error that the page does not hold", () => {
    class NoSeatLeft extends CredentialsSignin {
      static override type = "NoSeatLeft" as never
    }
    for (const error of [
      new Error("x"),
      new NoSeatLeft("full"),
      Object.assign(new AuthError("y"), { type: "toString" }),
    ])
      createLogger(undefined, false).error(error)
    expect(lines.join("\n")).not.toContain("[help]")
  })

  it("is silent about details unless debug is on", () => {
    createLogger(undefined, false).debug("step", { a: 1 })
    expect(lines).toEqual([])
    createLogger(undefined, true).debug("step", { a: 1 })
    createLogger(undefined, true).debug("bare")
    expect(lines).toEqual(['[auth][debug] step {\n  "a": 1\n}', "[auth][debug] bare"])
  })

  it("colours its labels on a terminal, unless its reader wants none", () => {
    onTerminal()
    createLogger(undefined, true).error(new CredentialsSignin("no"))
    createLogger(undefined, true).warn("debug-enabled")
    createLogger(undefined, true).debug("m")
    expect(lines[0]).toBe("<esc>[31m[auth][error]<esc>[0m CredentialsSignin: no")
    expect(lines[1]).toMatch(/^<esc>\[31m\[auth\]\[help\]<esc>\[0m https:/)
    expect(lines[2]).toMatch(/^<esc>\[33m\[auth\]\[warn\]\[debug-enabled\]<esc>\[0m /)
    expect(lines[3]).toBe("<esc>[90m[auth][debug]<esc>[0m m")
    for (const environment of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      onTerminal(environment)
      createLogger(undefined, false).error(new CredentialsSignin("no"))
      expect(withoutHelp().at(-1)).toBe("[auth][error] CredentialsSignin: no")
    }
  })

  const hostile = 'no\n\u001b[31m[auth][error]\u001b[0m Forged: x\r\n    at forged (forged.js:1:1)\u009b2J\u2028\u202e"'
  it.each([
    ["a refusal", new UnknownAction(hostile)],
    ["a fault", new AdapterError(hostile)],
    ["what is below", new AdapterError("failed", { cause: { err: new Error(hostile) } })],
    ["what is far below", new AdapterError(new Error("x", { cause: new RangeError(hostile) }))],
    ["details", new AdapterError("failed", { cause: { err: new Error("x"), [hostile]: hostile } })],
    ["the name of an error", new AdapterError(Object.assign(new Error("x"), { name: hostile }))],
    ["a value that is no error", hostile as never],
  ])(
    "prevents text from outside in %s from imitating another line or controlling a terminal",
    { tags: ["threat:HT-40"] },
    (_, error) => {
      createLogger(undefined, false).error(error)
      const printed = lines.flatMap((line) => line.split("\n"))
      expect(
        printed.filter((line) => !/^(?:\[auth\]\[(?:error|cause|details|help)\] | {4}at |[ {}])/.test(line)),
      ).toEqual([])
      expect(printed.filter((line) => /^\s+at forged/.test(line))).toEqual([])
      expect(printed.join("")).not.toMatch(/[\p{Cc}\u2028\u202e]|<esc>/u)
    },
  )

  it("prints no more of a text than can be read", { tags: ["threat:HT-40"] }, () => {
    const text = "long ".repeat(100_000)
    createLogger(undefined, true).error(new AdapterError(text, { cause: { err: new Error(text), text } }))
    createLogger(undefined, true).debug(text, { text })
    expect(withoutHelp().length).toBe(4)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(10_000)
  })

  it("survives a console that cannot be written to", () => {
    vi.spyOn(console, "error").mockImplementation(() => {
      throw new Error("EPIPE")
    })
    expect(() => createLogger(undefined, false).error(new Error("x"))).not.toThrow()
  })
})

describe("a logger of the application", () => {
  it("gets everything, and is called on itself", () => {
    class Own {
      received: unknown[] = []
      error(error: Error) {
        this.received.push(error)
      }
      warn(code: string) {
        this.received.push(code)
      }
      debug(...args: unknown[]) {
        this.received.push(args)
      }
    }
    const own = new Own()
    const logger = createLogger(own, false)
    const error = new AuthError("x")
    logger.error(error)
    logger.warn("csrf-disabled")
    logger.debug("m", { a: 1 })
    logger.debug("n")
    expect(own.received).toEqual([error, "csrf-disabled", ["m", { a: 1 }], ["n"]])
    expect(own.received[0]).toBe(error)
    expect(lines).toEqual([])
  })

  it("makes debug irrelevant: what it lacks is the default, and debug stays silent [spec options logger]", () => {
    const logger = createLogger({ warn: () => undefined }, true)
    logger.debug("m")
    logger.warn("debug-enabled")
    expect(lines).toEqual([])
    logger.error(new Error("x"))
    expect(lines[0]).toContain("[auth][error]")
  })

  it("receives debug messages without the option [spec options debug]", () => {
    const debug = vi.fn()
    createLogger({ debug }, false).debug("m")
    expect(debug).toHaveBeenCalledWith("m")
  })

  it("is looked up at each call", () => {
    const custom: { warn?: (code: string) => void } = {}
    const logger = createLogger(custom, false)
    const warn = vi.fn()
    custom.warn = warn
    logger.warn("debug-enabled")
    expect(warn).toHaveBeenCalledOnce()
  })

  it("cannot break anything by throwing, and its message is not lost", { tags: ["threat:FP-18"] }, () => {
    const broken = () => {
      throw new Error("logger is down")
    }
    const logger = createLogger({ error: broken, warn: broken, debug: broken }, false)
    logger.error(new Error("kept"))
    logger.warn("debug-enabled")
    logger.debug("m")
    expect(lines.join("\n")).toContain("kept")
    expect(lines.join("\n")).toContain("[debug-enabled]")
  })

  it("cannot break anything by rejecting", { tags: ["threat:FP-18", "threat:FP-19"] }, async () => {
    const unhandled = vi.fn()
    process.on("unhandledRejection", unhandled)
    const rejecting = (() => Promise.reject(new Error("late"))) as never
    createLogger({ error: rejecting }, false).error(new Error("x"))
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off("unhandledRejection", unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe("secrets", () => {
  it("reach neither the console nor a logger of the application", { tags: ["threat:CF2-16"] }, () => {
    const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"
    const received: unknown[] = []
    const tell = (...args: unknown[]) => {
      received.push(...args)
    }
    for (const custom of [undefined, { error: tell, debug: tell }]) {
      const logger = createLogger(custom, true, ["the-configured-secret"])
      logger.debug(`saw ${jwt}`, { code: "c0de", nested: { cookie: "k00kie" }, text: "the-configured-secret" })
      logger.error(
        new AdapterError(`failed at /cb?code=c0de with ${jwt}`, {
          cause: { err: new Error("row the-configured-secret"), refresh_token: "r3fresh" },
        }),
      )
    }
    const texts = [
      ...lines,
      ...received.map((item) =>
        item instanceof Error
          ? `${item.stack}${JSON.stringify(item.cause)}${(item.cause as { err: Error }).err.stack}`
          : JSON.stringify(item),
      ),
    ]
    expect(texts.join("\n")).not.toMatch(/eyJhbGci|c0de|k00kie|the-configured-secret|r3fresh/)
    expect(texts.join("\n")).toContain("[redacted]")
  })

  it("do not hide the code an application gave its own refusal", () => {
    class Locked extends CredentialsSignin {
      override code = "locked"
    }
    const error = vi.fn()
    createLogger({ error }, false).error(new Locked())
    expect(error.mock.calls[0]?.[0]).toMatchObject({ code: "locked", type: "CredentialsSignin" })
  })

  it("survives errors and metadata that cannot be read", () => {
    const hostile = new Error("x")
    Object.defineProperty(hostile, "message", {
      get() {
        throw new Error("no")
      },
    })
    const logger = createLogger(undefined, true)
    expect(() => logger.error(hostile)).not.toThrow()
    expect(() => logger.error(undefined as never)).not.toThrow()
    expect(() =>
      logger.debug(
        "m",
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error("no")
            },
          },
        ),
      ),
    ).not.toThrow()
    expect(lines.length).toBeGreaterThan(1)
  })
})
