/**
 * Draws every built-in page in Chromium: all states and themes, in languages of each kind, light and dark, wide and
 * narrow, under the policy it is sent with. Asks axe about each state, and fails on a violation, on anything the browser
 * complains of, on a page that moves, sticks out to the side or is too heavy, and on a policy with `unsafe-`. Pictures land in
 * `.tmp/gallery`; `--write` keeps the chosen ones in `docs/gallery`, `--quick` draws those alone.
 * Chromium is `CHROMIUM_PATH`, else Debian's `/usr/bin/chromium`. Works on the sources.
 */
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { chromium } from "playwright-core"
import { chosen, nameOf } from "./chosen.mjs"
import { movement, open, violations } from "./look.mjs"
import { serveGallery } from "./serve.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const target = join(root, ".tmp/gallery")
const kept = join(root, "docs/gallery")
/** Bytes, compressed. */
const heaviest = 30_000
const isQuick = process.argv.includes("--quick")

const gallery = await serveGallery()
const findings = gallery.policies().filter((policy) => policy.includes("unsafe-"))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
})
let count = 0

async function look(page, piece) {
  const { lang, state, theme, scheme, width } = piece
  const title = nameOf({ ...piece, name: state.name })
  if (isQuick && !chosen.includes(title)) return
  const complaints = []
  const listen = (message) => message.location().url.endsWith("favicon.ico") || complaints.push(message.text())
  page.on("console", listen)
  await open(page, { origin: gallery.origin, lang, theme, state })
  const { shift, overhang } = await movement(page)
  await page.screenshot({ path: join(target, `${title}.png`), fullPage: true })
  count++
  if (theme === "plain" || chosen.includes(title)) complaints.push(...(await violations(page)))
  page.off("console", listen)
  // Opening the second step moves what stands below, because the person asked for it.
  if (shift > 0.02 && state.steps.length === 0) complaints.push(`moves by ${shift.toFixed(3)}`)
  if (overhang > 0) complaints.push(`sticks out by ${overhang} px`)
  const bytes = gallery.weight({ lang, name: state.name, theme })
  if (bytes > heaviest) complaints.push(`${bytes} bytes`)
  findings.push(...complaints.map((complaint) => `${title} (${scheme}, ${width}): ${complaint}`))
}

mkdirSync(target, { recursive: true })
try {
  for (const scheme of ["light", "dark"])
    for (const width of [960, 320]) {
      const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 720 } })
      const page = await context.newPage()
      for (const lang of gallery.languages)
        for (const theme of gallery.themes)
          for (const state of gallery.states) await look(page, { lang, theme, state, scheme, width })
      await context.close()
    }
} finally {
  await browser.close()
  gallery.close()
}
if (process.argv.includes("--write")) {
  mkdirSync(kept, { recursive: true })
  for (const title of chosen) copyFileSync(join(target, `${title}.png`), join(kept, `${title}.png`))
}
for (const finding of findings) process.stderr.write(`${finding}\n`)
process.stdout.write(`${count} pictures in ${target}, ${findings.length} findings\n`)
process.exitCode = findings.length > 0 ? 1 : 0
