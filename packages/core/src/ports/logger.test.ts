import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { AdapterError, AuthError, CredentialsSignin } from "../errors.js"
import { createLogger } from "./logger.js"

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
})

describe("the default logger", () => {
  it("writes an error with its cause and details", () => {
    createLogger(undefined, false).error(
      new AdapterError("The store failed.", { cause: { err: new Error("down"), operation: "getUser" } }),
    )
    expect(lines[0]).toBe("<esc>[31m[auth][error]<esc>[0m AdapterError: The store failed.")
    expect(lines[1]).toMatch(/^<esc>\[31m\[auth\]\[cause\]<esc>\[0m: Error: down\n {4}at /)
    expect(lines[2]).toBe('<esc>[31m[auth][details]<esc>[0m: {\n  "operation": "getUser"\n}')
    expect(lines).toHaveLength(3)
  })

  it("writes an error without cause with its stack", () => {
    createLogger(undefined, false).error(new TypeError("wrong"))
    expect(lines[0]).toBe("<esc>[31m[auth][error]<esc>[0m TypeError: wrong")
    expect(lines[1]).toMatch(/^ {4}at /)
    expect(lines[1]).not.toContain("wrong")
  })

  it("names errors of another copy of the package by their type", () => {
    const foreign = Object.assign(new Error("no"), { type: "CredentialsSignin", name: "e" })
    createLogger(undefined, false).error(foreign)
    expect(lines[0]).toContain("CredentialsSignin: no")
  })

  it("writes no details where the cause holds none", () => {
    createLogger(undefined, false).error(new Error("x", { cause: "a text" }))
    createLogger(undefined, false).error(new AuthError("y", { cause: { err: new Error("down") } }))
    expect(lines.join("\n")).not.toContain("[details]")
  })

  it("explains a warning", () => {
    createLogger(undefined, false).warn("debug-enabled")
    expect(lines[0]).toMatch(/^<esc>\[33m\[auth\]\[warn\]\[debug-enabled\]<esc>\[0m .+debug/)
  })

  it("is silent about details unless debug is on", () => {
    createLogger(undefined, false).debug("step", { a: 1 })
    expect(lines).toEqual([])
    createLogger(undefined, true).debug("step", { a: 1 })
    createLogger(undefined, true).debug("bare")
    expect(lines).toEqual([
      '<esc>[90m[auth][debug]:<esc>[0m step {\n  "a": 1\n}',
      "<esc>[90m[auth][debug]:<esc>[0m bare",
    ])
  })

  it("lets no message of somebody else look like another line", () => {
    createLogger(undefined, false).error(new AuthError("no\n\x1b[31m[auth][error]\x1b[0m Forged: x\r\n"))
    expect(lines[0]?.split("\n")).toHaveLength(1)
    expect(lines[0]?.slice("<esc>[31m[auth][error]<esc>[0m".length)).not.toMatch(/<esc>|\r/)
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
      told: unknown[] = []
      error(error: Error) {
        this.told.push(error)
      }
      warn(code: string) {
        this.told.push(code)
      }
      debug(...args: unknown[]) {
        this.told.push(args)
      }
    }
    const own = new Own()
    const logger = createLogger(own, false)
    const error = new AuthError("x")
    logger.error(error)
    logger.warn("csrf-disabled")
    logger.debug("m", { a: 1 })
    logger.debug("n")
    expect(own.told).toEqual([error, "csrf-disabled", ["m", { a: 1 }], ["n"]])
    expect(own.told[0]).toBe(error)
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

  it("hears debug messages without the option [spec options debug]", () => {
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

  it("cannot break anything by throwing, and what it was told is not lost [FP-18]", () => {
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

  it("cannot break anything by rejecting [FP-18] [FP-19]", async () => {
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
  it("reach neither the console nor a logger of the application [CF2-16]", () => {
    const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"
    const told: unknown[] = []
    const tell = (...args: unknown[]) => {
      told.push(...args)
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
      ...told.map((item) =>
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
