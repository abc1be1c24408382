import { afterEach, describe, expect, it, vi } from "vitest"
import { builtin, environment } from "./runtime.js"

afterEach(() => vi.unstubAllGlobals())

describe("runtime", () => {
  it("hands out the environment of the process", () => {
    vi.stubGlobal("process", { env: { AUTH_SECRET: "x" } })
    expect(environment().AUTH_SECRET).toBe("x")
  })

  it("finds modules of this runtime", () => {
    expect(builtin<{ randomBytes: unknown }>("node:crypto")?.randomBytes).toBeTypeOf("function")
    expect(builtin("node:no-such-module")).toBeUndefined()
  })

  it("does without a process", () => {
    vi.stubGlobal("process", undefined)
    expect(environment()).toEqual({})
    expect(environment().toString).toBeUndefined()
    expect(builtin("node:crypto")).toBeUndefined()
  })

  it("treats a runtime that throws as one without modules", () => {
    const getBuiltinModule = (): never => {
      throw new Error("not here")
    }
    vi.stubGlobal("process", { getBuiltinModule })
    expect(environment()).toEqual({})
    expect(builtin("node:crypto")).toBeUndefined()
  })
})
