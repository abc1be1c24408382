import { afterEach, expect, it, vi } from "vitest"
import { importTool } from "./tool.js"

afterEach(() => vi.unstubAllGlobals())

it("a module of a package is imported as the application in the working folder would import it", async () => {
  expect(await importTool("jose/errors")).toHaveProperty("JOSEError")
})

it("a package that is not installed, and a module that a package does not have, are nothing", async () => {
  expect(await importTool("@latchkey/is-not-there")).toBeUndefined()
  expect(await importTool("jose/is-not-there")).toBeUndefined()
})

it.each([
  ["no process", undefined],
  ["no folders", { env: {}, getBuiltinModule: process.getBuiltinModule }],
  ["no modules of Node", { env: {}, cwd: () => "/" }],
])("nothing is imported where the runtime has %s", async (_name, runtime) => {
  vi.stubGlobal("process", runtime)
  const imported = await importTool("jose/errors").finally(() => vi.unstubAllGlobals())
  expect(imported).toBeUndefined()
})
