/** The tests of the guide are run, on the application of the guide. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it, vi } from "vitest"

const guide = readFileSync(new URL("../../../docs/guides/testing-your-application.md", import.meta.url), "utf8")
const top = fileURLToPath(new URL(".tmp", import.meta.url))
mkdirSync(top, { recursive: true })
const folder = mkdtempSync(join(top, "guide-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every block of the guide that names its file. */
const files = [...guide.matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```$/gms)].map(([, name = "", code = ""]) => ({
  name,
  code,
}))
for (const { name, code } of files) writeFileSync(join(folder, name), code)

// What the guide leaves to the environment.
Object.assign(process.env, {
  AUTH_SECRET: "0123456789abcdef0123456789abcdef",
  AUTH_GITHUB_ID: "client",
  AUTH_GITHUB_SECRET: "secret",
})

for (const { name } of files.filter(({ name }) => name.endsWith(".test.js"))) {
  describe(name, async () => {
    // As in a project, where every file of tests loads its own application.
    vi.resetModules()
    await import(join(folder, name))
  })
}

it("the guide names every file of its code", () => {
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(["auth.js", "app.js", "inside.test.js"]))
  // The spec is for Playwright's own runner.
  expect(guide.match(/^```js$/gm)).toHaveLength(files.length)
})
