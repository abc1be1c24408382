/** The list of what is shipped with a release holds every package that an installation gets, and no other. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, it } from "vitest"

const run = promisify(execFile)
const tool = fileURLToPath(new URL("sbom.mjs", import.meta.url))

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "latchkey-sbom-test-"))
  mkdirSync(join(place, "packed"))
})
afterEach(() => {
  rmSync(place, { recursive: true, force: true })
})

/** Packs a package that holds nothing but its manifest; answers the archive. */
async function pack(manifest: { readonly name: string } & Record<string, unknown>, folder = "packed"): Promise<string> {
  const source = mkdtempSync(join(place, "source-"))
  writeFileSync(join(source, "package.json"), JSON.stringify({ version: "1.0.0", ...manifest }))
  const { stdout } = await run("npm", ["pack", "--pack-destination", join(place, folder)], { cwd: source })
  return join(place, folder, stdout.trim())
}

/** Lists what is in the folder of archives. */
const list = () => run(process.execPath, [tool, join(place, "packed")])

it("lists the packages with what they depend on, and neither peers nor what is used for development", async () => {
  const used = await pack({ name: "used" }, "")
  await pack({ name: "@scope/first", dependencies: { "@scope/second": "1.0.0" } })
  await pack({
    name: "@scope/second",
    dependencies: { used: `file:${used}` },
    peerDependencies: { "peer-of-application": "1.0.0" },
    devDependencies: { "used-for-development": "1.0.0" },
  })
  await list()
  const sbom = JSON.parse(readFileSync(join(place, "packed/sbom.json"), "utf8"))
  expect(sbom.bomFormat).toBe("CycloneDX")
  const names = sbom.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl.split("?")[0] ?? ""))
  expect(names.toSorted()).toEqual(["pkg:npm/@scope/first@1.0.0", "pkg:npm/@scope/second@1.0.0", "pkg:npm/used@1.0.0"])
}, 60_000)

it("refuses to leave out a dependency that was not installed", async () => {
  const elsewhere = `file:${await pack({ name: "elsewhere", os: ["none"] }, "")}`
  await pack({ name: "first", dependencies: { elsewhere }, optionalDependencies: { elsewhere } })
  await expect(list()).rejects.toThrow("expected elsewhere in it, found none of that name")
}, 60_000)

it("says what is missing where nothing was packed", async () => {
  await expect(list()).rejects.toThrow(/Expected archives \(\*\.tgz\) in .*: run npm pack first/)
})
