import { expect, it } from "vitest"
import { type LockedPackage, problemsOf, runtimeOf } from "./supply.mjs"

const sound: LockedPackage = { integrity: "sha512-AAAA", license: "MIT" }
const lockOf = (packages: Record<string, LockedPackage>) => ({
  packages: { "packages/core": { dependencies: { jose: "^6" } }, "node_modules/jose": sound, ...packages },
})

it("finds nothing in a lockfile whose packages have hashes, and no scripts", () => {
  expect(problemsOf(lockOf({}), ["packages/core"])).toEqual([])
})

it.each<[string, LockedPackage, string]>([
  ["no hash", { license: "MIT" }, "has no sha512 hash"],
  ["a weak hash", { ...sound, integrity: "sha1-AAAA" }, "has no sha512 hash"],
  [
    "the address of a registry",
    { ...sound, resolved: "https://registry.example/x.tgz" },
    "has the address of a registry",
  ],
  ["a script", { ...sound, hasInstallScript: true }, "runs a script when it is installed"],
])("refuses a package with %s", (_, entry, problem) => {
  expect(problemsOf(lockOf({ "node_modules/x": entry }))).toEqual([`node_modules/x ${problem}`])
})

it("asks for a known licence of what users get, and of nothing else", () => {
  const other = { ...sound, license: "GPL-3.0" }
  expect(problemsOf(lockOf({ "node_modules/tool": other }), ["packages/core"])).toEqual([])
  expect(problemsOf(lockOf({ "node_modules/jose": other }), ["packages/core"])).toEqual([
    "node_modules/jose: the licence GPL-3.0 is not allowed",
  ])
})

it("follows dependencies to where they are installed", () => {
  const lock = lockOf({
    "node_modules/jose": { ...sound, dependencies: { deep: "1" } },
    "node_modules/jose/node_modules/deep": { ...sound, dependencies: { flat: "1" } },
    "node_modules/flat": sound,
    "node_modules/deep": sound,
  })
  expect(runtimeOf(lock, ["packages/core"]).map(({ path }) => path)).toEqual([
    "node_modules/jose",
    "node_modules/jose/node_modules/deep",
    "node_modules/flat",
  ])
})
