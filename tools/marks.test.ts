/** The marks of the providers: made from simple-icons, seen on their tile, and each loaded with its own provider alone. */
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { loadProviders, providerIds } from "./catalogue.mjs"
import { addressOf, mapping, onWhite } from "./marks.mjs"

const slugs = await mapping()
const source = fileURLToPath(new URL("../packages/core/src/providers", import.meta.url))

it("are shown by those providers that have one, and by no other", async () => {
  const providers = await loadProviders(await providerIds())
  const marked = providers.filter(({ provider }) => (provider["style"] as { logo?: string } | undefined)?.logo)
  expect(marked.map(({ id }) => id)).toEqual(Object.keys(slugs).toSorted())
})

it("are another one for each provider", async () => {
  const providers = await loadProviders(Object.keys(slugs))
  const logos = providers.map(({ provider }) => (provider["style"] as { logo: string }).logo)
  expect(new Set(logos).size).toBe(logos.length)
  expect(logos.filter((logo) => !logo.startsWith("data:image/svg+xml,%3Csvg "))).toEqual([])
})

it("come with their own provider alone", async () => {
  const ids = await providerIds()
  const { metafile } = await build({
    entryPoints: ids.map((id) => `${source}/${id}.ts`),
    bundle: true,
    write: false,
    metafile: true,
    outdir: "unwritten",
    format: "esm",
    platform: "node",
    external: ["nodemailer", "jose", "oauth4webapi"],
    logLevel: "error",
  })
  const strangers = Object.entries(metafile.outputs).flatMap(([output, { inputs }]) => {
    const id = output.replace(/^.*\/|\.js$/g, "")
    return Object.keys(inputs).filter((path) => path.includes("/marks/") && !path.endsWith(`/marks/${id}.ts`))
  })
  expect(Object.keys(metafile.outputs)).toHaveLength(ids.length)
  expect(strangers).toEqual([])
})

describe("the colour of a mark", () => {
  it.each([
    ["000000", "000"],
    ["181717", "181717"],
    ["4285F4", "4285f4"],
    ["FFE812", "000"],
    ["53FC19", "000"],
    ["FFFFFF", "000"],
  ])("%s becomes %s", (hex, colour) => {
    expect(onWhite(hex)).toBe(colour)
  })

  it.each(["1ED760", "00C300", "FF90E8"])("%s is darkened until white shows it", (hex) => {
    const parts =
      onWhite(hex)
        .match(/../g)
        ?.map((part) => Number.parseInt(part, 16) / 255) ?? []
    const [red = 1, green = 1, blue = 1] = parts.map((part) => ((part + 0.055) / 1.055) ** 2.4)
    const contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    expect(contrast).toBeGreaterThan(2.95)
    expect(contrast).toBeLessThan(3.4)
  })
})

it.each([
  ["another size", '<svg viewBox="0 0 32 32"><path d="M0 0"/></svg>'],
  ["a script", '<svg viewBox="0 0 24 24"><script>1</script><path d="M0 0"/><path d="x\'"/></svg>'],
])("refuse an icon with %s", (_, svg) => {
  expect(() => addressOf(svg, "000000")).toThrow("not one path")
})
