import { describe, expect, it } from "vitest"
import { createCaches } from "../config/caches.js"
import type { AuthConfig } from "../types/config.js"
import { resolveOnce } from "./resolved.js"

function stage() {
  const warned: string[] = []
  const logger = { error: () => undefined, warn: (code: string) => void warned.push(code), debug: () => undefined }
  const given = { env: {}, caches: createCaches(), mount: undefined }
  const config = (): AuthConfig => ({ providers: [], secret: "short", trustHost: true, logger })
  return { warned, given, config }
}

describe("resolved settings", () => {
  it("are used until a member of the configuration is replaced", () => {
    const { given, config } = stage()
    const written = config()
    const resolved = resolveOnce(undefined, written, given)
    expect(resolveOnce(resolved, written, given)).toBe(resolved)
    written.pages = { signIn: "/in" }
    expect(resolveOnce(resolved, written, given).settings.pages).toEqual({ signIn: "/in" })
  })

  it("report a configuration that cannot be read, and are resolved again, because it may be corrected", () => {
    const { given, config } = stage()
    const written = config()
    let isBroken = true
    Object.defineProperty(written, "theme", {
      enumerable: true,
      get: () => {
        if (isBroken) throw new Error("A getter failed.")
        return {}
      },
    })
    const resolved = resolveOnce(undefined, written, given)
    expect(resolved.settings.problems).toHaveLength(1)
    isBroken = false
    expect(resolveOnce(resolved, written, given).settings.problems).toEqual([])
    for (const nothing of [null, undefined]) {
      expect(resolveOnce(undefined, nothing as never, given).settings.problems.length).toBeGreaterThan(0)
    }
  })

  it("log each warning once, also if every request makes a new configuration", () => {
    const { given, config, warned } = stage()
    resolveOnce(undefined, config(), given)
    resolveOnce(undefined, config(), given)
    expect(warned).toEqual(["secret-too-short"])
  })

  it("do not report a base path that a framework has filled in from the environment", () => {
    const { given, config, warned } = stage()
    const env = { AUTH_URL: "https://app.test/auth" }
    resolveOnce(undefined, { ...config(), basePath: "/auth" }, { ...given, env, isFilled: true })
    expect(warned).toEqual(["secret-too-short"])
    resolveOnce(undefined, { ...config(), basePath: "/auth" }, { ...given, env })
    expect(warned).toEqual(["secret-too-short", "env-url-basepath-redundant"])
  })
})
