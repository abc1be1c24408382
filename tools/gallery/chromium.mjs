/** Chromium as the gallery uses it: with the same fonts on every machine, in each situation that a page has to stand. */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { chromium } from "playwright-core"

const font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

/** The environment in which a browser finds the fonts of the pictures and no others. Throws when they are missing. */
export function withFonts() {
  if (!existsSync(font))
    throw new Error(`The pictures are drawn with ${font}, which is missing: sudo apt-get install fonts-dejavu-core`)
  return { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL("fonts.conf", import.meta.url)) }
}

/** Opens Chromium. As root it has no sandbox of its own to go into. */
export function openChromium(executablePath) {
  return chromium.launch({
    executablePath,
    env: withFonts(),
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"],
  })
}

/** How a browser is set up for each situation, beside the colour scheme and the width. */
export const situations = {
  usual: {},
  // 1280 pixels at 400 % leave 320 by 256 (WCAG 2.2 §1.4.10).
  zoomed: { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
  "forced colours": { forcedColors: "active" },
  "reduced motion": { reducedMotion: "reduce" },
  "no script": { javaScriptEnabled: false },
}

/** The options of a browser context for a page of the gallery. */
export function contextFor({ scheme, width, situation = "usual" }) {
  return { colorScheme: scheme, viewport: { width, height: 720 }, ...situations[situation] }
}
