import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { builtProviders, reexportOf } from "./reexport-providers.mjs"

describe("the re-exports of the integrations", () => {
  it("take the provider from the core, with its default export where it has one", () => {
    const door = "@latchkey/core/providers/acme"
    expect(reexportOf("acme", "export declare function Acme(): void;\nexport default Acme;")).toBe(
      `export * from "${door}";\nexport { default } from "${door}";\n`,
    )
    expect(reexportOf("acme", "export declare const ids: readonly string[];")).toBe(`export * from "${door}";\n`)
  })

  it("are made for every built provider and nothing else", async () => {
    const folder = await mkdtemp(join(tmpdir(), "latchkey-providers-"))
    const files = ["github.js", "github.d.ts", "github.js.map", "microsoft-entra-id.js", "index.js"]
    await Promise.all(files.map((file) => writeFile(join(folder, file), "")))
    expect((await builtProviders(folder)).sort()).toEqual(["github", "microsoft-entra-id"])
    await rm(folder, { recursive: true })
  })
})
