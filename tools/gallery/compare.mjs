/** Compares two pictures of a page. */
import pixelmatch from "pixelmatch"
import { PNG } from "pngjs"

/**
 * How far a pixel may be from the other in colour: 0 is equal, 1 black and white. Below this, edges of letters are drawn
 * differently by versions of a browser.
 */
const threshold = 0.1
/** Pixels that may differ, of ten thousand. A link that moves by a line is more. */
const most = 2

/** How two pictures differ, in words; `undefined` when they are the same page to the eye. `diff` is a picture of where. */
export function difference(expected, actual) {
  const [a, b] = [PNG.sync.read(expected), PNG.sync.read(actual)]
  if (a.width !== b.width || a.height !== b.height)
    return { text: `it is ${b.width} by ${b.height} pixels, and was ${a.width} by ${a.height}`, diff: actual }
  const { width, height } = a
  const diff = new PNG({ width, height })
  const count = pixelmatch(a.data, b.data, diff.data, width, height, { threshold })
  if (count <= (width * height * most) / 10_000) return undefined
  return { text: `${count} of ${width * height} pixels differ`, diff: PNG.sync.write(diff) }
}
