/** Which `.env` files count, and what is read from them. */
import { describe, expect, it } from "vitest"
import { type EnvChoice, envFileNames, readEnvFiles } from "../src/env-files.js"
import type { Environment, Files } from "../src/world.js"

function read(contents: Readonly<Record<string, string>>, choice: EnvChoice, env: Environment = {}) {
  const files = { read: (path: string) => contents[path.replace("/app/", "")] } as Files
  return readEnvFiles(choice, { cwd: "/app", env, files })
}

describe("the order of .env files", () => {
  it.each<[EnvChoice, string[]]>([
    [{ mode: "development" }, [".env.development.local", ".env.local", ".env.development", ".env"]],
    [{ mode: "production", framework: "next" }, [".env.production.local", ".env.local", ".env.production", ".env"]],
    [{ mode: "production", framework: "vite" }, [".env.production.local", ".env.production", ".env.local", ".env"]],
    [{ mode: "test" }, [".env.test.local", ".env.test", ".env"]],
    [{ mode: "production", named: ["a.env", "b.env"] }, ["a.env", "b.env"]],
  ])("of %j is %j", (choice, expected) => {
    expect(envFileNames(choice)).toEqual(expected)
  })

  it("lets the process count most, then the first file, and says where a variable comes from", () => {
    const contents = { ".env": "A=1\nB=1\nC=1", ".env.local": "A=2\nB=2" }
    const { env, files, sourceOf } = read(contents, { mode: "development" }, { A: "3" })
    expect(env).toEqual({ A: "3", B: "2", C: "1" })
    expect(files).toEqual([".env.local", ".env"])
    expect(["A", "B", "C", "D"].map(sourceOf)).toEqual([undefined, ".env.local", ".env", undefined])
  })

  it("reads quotes, comments and several lines", () => {
    const content = `export A='one # two' # three\nB="line\\nline"\nC=bare # remark\n# D=no\n`
    expect(read({ ".env": content }, { mode: "production" }).env).toEqual({
      A: "one # two",
      B: "line\nline",
      C: "bare",
    })
  })

  it("replaces names in values where the framework does, and nowhere else", () => {
    const contents = { ".env": "HOST=app.test\nAUTH_URL=https://$HOST" }
    expect(read(contents, { mode: "production", framework: "next" }).env.AUTH_URL).toBe("https://app.test")
    expect(read(contents, { mode: "production" }).env.AUTH_URL).toBe("https://$HOST")
  })

  it("refuses a named file that does not exist", () => {
    expect(() => read({}, { mode: "production", named: ["a.env"] })).toThrow('There is no file "a.env".')
  })
})
