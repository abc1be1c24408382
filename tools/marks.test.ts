/** The marks of the providers: made from two sets of icons, seen on their tile, and each loaded with its own provider alone. */
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { loadProviders, providerIds } from "./catalogue.mjs"
import { addressOf, addressOfLogo, mapping, onWhite } from "./marks.mjs"

const slugs = await mapping()
const source = fileURLToPath(new URL("../packages/core/src/providers", import.meta.url))

it("are shown by those providers that have one, and by no other", async () => {
  const providers = await loadProviders(await providerIds())
  const marked = providers.filter(({ provider }) => (provider["style"] as { logo?: string } | undefined)?.logo)
  expect(marked.map(({ id }) => id)).toEqual(Object.keys(slugs).toSorted())
})

it("are another one for each provider, but where two belong to one owner", async () => {
  const providers = await loadProviders(Object.keys(slugs))
  const logos = providers.map(({ provider }) => (provider["style"] as { logo: string }).logo)
  expect(new Set(logos).size).toBe(new Set(Object.values(slugs).filter((slug) => !slug.startsWith("as:"))).size)
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
    const own = slugs[id]?.startsWith("as:") ? slugs[id].slice(3) : id
    return Object.keys(inputs).filter((path) => path.includes("/marks/") && !path.endsWith(`/marks/${own}.ts`))
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

describe("a mark of several colours", () => {
  const body = '<path fill="#4285f4" d="M1 1h9"/><path fill="#eb4335" d="M2 2"/>'

  it("keeps its colours, as their owner spells them, and stands in the middle of a square", () => {
    expect(addressOfLogo({ body, width: 256, height: 262 })).toBe(
      "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='-3 0 262 262'%3E%3Cpath fill='%234285f4' d='M1 1h9'/%3E%3Cpath fill='%23ea4335' d='M2 2'/%3E%3C/svg%3E",
    )
  })

  it.each([
    ["a script", `${body}<script>1</script>`],
    ["a gradient", '<path fill="url(#a)" d="M0 0"/>'],
  ])("is refused with %s", (_, refused) => {
    expect(() => addressOfLogo({ body: refused, width: 1, height: 1 })).toThrow("more than paths")
  })

  it.each([
    ["google", ["4285f4", "34a853", "fbbc05", "ea4335"]],
    ["microsoft-entra-id", ["f25022", "7fba00", "00a4ef", "ffb900"]],
    ["slack", ["e01e5a", "36c5f0", "2eb67d", "ecb22e"]],
    ["linkedin", ["0a66c2"]],
  ])("of %s has the colours its owner asks for", async (id, colours) => {
    const [provider] = await loadProviders([id])
    const { logo = "" } = (provider?.provider["style"] ?? {}) as { logo?: string }
    expect([...logo.matchAll(/fill='%23(\w+)'/g)].map(([, colour]) => colour)).toEqual(colours)
  })
})
