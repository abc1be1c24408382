/**
 * Draws the built-in pages in a browser, into `.tmp/gallery`. In Chromium it draws all states and themes, in languages of
 * each kind, light and dark, wide and narrow, and fails on what is wrong with a page: see `look.mjs`. `--chosen` draws
 * the pictures of `docs/gallery` alone, `--write` puts them there, `--firefox` draws them in Firefox.
 * Chromium is `CHROMIUM`, else Debian's; Firefox is `FIREFOX`, else Debian's. Works on the sources.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { chosenPieces, nameOf, pieces } from "./chosen.mjs"
import { contextFor, openChromium } from "./chromium.mjs"
import { findFirefox, lookInFirefox } from "./firefox.mjs"
import { beforeScripts, complaintsOf, open, pictureOf } from "./look.mjs"
import { serveGallery } from "./serve.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const kept = join(root, "docs/gallery")
const isFirefox = process.argv.includes("--firefox")
const isWriting = process.argv.includes("--write")
const isChosen = isFirefox || isWriting || process.argv.includes("--chosen")
const target = join(root, ".tmp/gallery", isFirefox ? "firefox" : "chromium")

const gallery = await serveGallery()
const list = isChosen ? chosenPieces(gallery) : pieces(gallery)
const findings = []

mkdirSync(target, { recursive: true })
try {
  if (isFirefox) await lookInFirefox(findFirefox(), { gallery, list, take: keep })
  else await lookInChromium()
} finally {
  gallery.close()
}
if (isWriting) tidy()
for (const finding of findings) process.stderr.write(`${finding}\n`)
process.stdout.write(`${list.length} pictures in ${isWriting ? kept : target}, ${findings.length} findings\n`)
process.exitCode = findings.length > 0 ? 1 : 0

function keep(piece, { picture, complaints }) {
  writeFileSync(join(isWriting ? kept : target, `${nameOf(piece)}.png`), picture)
  findings.push(...complaints.map((complaint) => `${nameOf(piece)}: ${complaint}`))
}

async function lookInChromium() {
  const browser = await openChromium(process.env.CHROMIUM ?? "/usr/bin/chromium")
  try {
    for (const piece of list) {
      const context = await browser.newContext(contextFor(piece))
      await context.addInitScript(beforeScripts)
      const page = await context.newPage()
      await open(page, { origin: gallery.origin, ...piece })
      const picture = await pictureOf(page)
      keep(piece, { picture, complaints: await complaintsOf(page, { gallery, ...piece }) })
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

/** Takes away pictures that are no longer chosen, and shows the others. */
function tidy() {
  const names = new Set(list.map((piece) => `${nameOf(piece)}.png`))
  for (const name of readdirSync(kept)) if (name.endsWith(".png") && !names.has(name)) rmSync(join(kept, name))
  const file = join(kept, "README.md")
  const [text] = readFileSync(file, "utf8").split("\n![")
  const pictures = list.map((piece) => `![${nameOf(piece).replaceAll("-", " ")}](${nameOf(piece)}.png)\n`)
  writeFileSync(file, `${text}\n${pictures.join("")}`)
}
