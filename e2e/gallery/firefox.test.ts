/** The chosen pages in Firefox: under its policy, and with everything where it stands in Chromium. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { chosenPieces, nameOf } from "../../tools/gallery/chosen.mjs"
import { boxesOf, findFirefox, lookInFirefox, type Sight } from "../../tools/gallery/firefox.mjs"
import { open } from "../../tools/gallery/look.mjs"
import { serveGallery } from "../../tools/gallery/serve.mjs"
import { useChromium } from "./visit.js"

const gallery = await serveGallery()
const chosen = chosenPieces(gallery)
const withPage = useChromium()
const sights = new Map<string, Sight>()

beforeAll(async () => {
  await lookInFirefox(findFirefox(), {
    gallery,
    list: chosen,
    take: (piece, sight) => sights.set(nameOf(piece), sight),
  })
}, 600_000)
afterAll(() => gallery.close())

/** Pixels by which two browsers may round the same layout apart, line after line. */
const tolerance = 4

it.each(chosen.map((piece) => ({ name: nameOf(piece), piece })))(
  "$name is the same page in Firefox as in Chromium",
  async ({ name, piece }) => {
    const { boxes, complaints } = sights.get(name) ?? expect.fail("Firefox has drawn it")
    expect(complaints).toEqual([])
    const expected = await withPage(piece, async (page) => {
      await open(page, { origin: gallery.origin, ...piece })
      return page.evaluate(boxesOf)
    })
    expect(boxes.map((box) => box.name)).toEqual(expected.map((box) => box.name))
    const apart = boxes.flatMap((box, index) => {
      const other = expected[index] ?? box
      const distances = (["x", "y", "width", "height"] as const).map((side) => Math.abs(box[side] - other[side]))
      return Math.max(...distances) > tolerance ? [{ box, other }] : []
    })
    expect(apart).toEqual([])
  },
)
