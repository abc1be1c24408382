/** The built-in pages look as the pictures in docs/gallery show them: `npm run gallery -- --write` draws them anew. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { chosenPieces, nameOf } from "../../tools/gallery/chosen.mjs"
import { difference } from "../../tools/gallery/compare.mjs"
import { open, pictureOf } from "../../tools/gallery/look.mjs"
import { serveGallery } from "../../tools/gallery/serve.mjs"
import { useChromium } from "./visit.js"

const kept = fileURLToPath(new URL("../../docs/gallery/", import.meta.url))
const differences = fileURLToPath(new URL("../../.tmp/gallery/differences/", import.meta.url))
const gallery = await serveGallery()
const chosen = chosenPieces(gallery)
const withPage = useChromium()
afterAll(() => gallery.close())

const pictureIn = (name: string): Buffer => readFileSync(`${kept}${name}.png`)

describe("the pictures of docs/gallery", () => {
  it.each(chosen.map((piece) => ({ name: nameOf(piece), piece })))("show $name as it is", async ({ name, piece }) => {
    const picture = await withPage(piece, async (page) => {
      await open(page, { origin: gallery.origin, ...piece })
      return pictureOf(page)
    })
    const found = difference(pictureIn(name), picture)
    if (found) {
      mkdirSync(differences, { recursive: true })
      writeFileSync(`${differences}${name}.png`, picture)
      writeFileSync(`${differences}${name}.diff.png`, found.diff)
    }
    expect(
      found?.text,
      `see ${differences}${name}.diff.png; if it is meant: npm run gallery -- --write`,
    ).toBeUndefined()
  })

  it("are those that are chosen, and no others, on the page beside them", () => {
    const names = chosen.map((piece) => `${nameOf(piece)}.png`)
    expect(readdirSync(kept).filter((file) => file.endsWith(".png"))).toEqual(names.toSorted())
    const shown = [...readFileSync(`${kept}README.md`, "utf8").matchAll(/\]\(([^)]+\.png)\)/g)].map(([, file]) => file)
    expect(shown).toEqual(names)
  })
})

describe("the comparison", () => {
  const changes = [
    ["a margin four pixels wider", "h1{margin-bottom:1.75rem}"],
    ["a button that stands two pixels lower", ".provider{transform:translateY(2px)}"],
    ["rounder corners", ":root{--round:1.25rem}"],
    ["another colour of the button", ":root{--brand:#3360c9}"],
    ["smaller links", ".links{font-size:.75rem}"],
    ["a mark that is gone", ".mark{visibility:hidden}"],
  ] as const

  it.each(changes)("sees %s", async (_, rule) => {
    const piece = chosen.find((one) => nameOf(one) === "signin-links-orange-en-light-960") ?? expect.fail("is chosen")
    const picture = await withPage(piece, async (page) => {
      await open(page, { origin: gallery.origin, ...piece })
      // A rule that is added by script is not covered by the policy, which an element would be.
      await page.evaluate((text) => {
        const sheet = document.styleSheets[document.styleSheets.length - 1]
        sheet?.insertRule(text, sheet.cssRules.length)
      }, rule)
      return pictureOf(page)
    })
    expect(difference(pictureIn(nameOf(piece)), picture)?.text).toMatch(/pixels/)
  })
})
