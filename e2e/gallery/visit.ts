/** One Chromium for the tests of a file, and pages of it set up for what they look at. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import type { Piece } from "../../tools/gallery/chosen.mjs"
import { contextFor, openChromium, type Situation } from "../../tools/gallery/chromium.mjs"
import { beforeScripts } from "../../tools/gallery/look.mjs"
import { findChromium } from "../support/chromium.js"

/** Opens Chromium around the tests of this file. The answer runs `work` with a page of its own. */
export function useChromium(): <T>(
  piece: Piece & { readonly situation?: Situation },
  work: (page: Page) => Promise<T>,
) => Promise<T> {
  let browser: Browser
  const contexts = new Map<string, Promise<BrowserContext>>()
  beforeAll(async () => {
    browser = await openChromium(findChromium())
  }, 600_000)
  afterAll(() => browser?.close())

  async function setUp(piece: Piece & { readonly situation?: Situation }): Promise<BrowserContext> {
    const context = await browser.newContext(contextFor(piece))
    await context.addInitScript(beforeScripts)
    return context
  }

  return async (piece, work) => {
    const key = `${piece.scheme} ${piece.width} ${piece.situation}`
    const context = contexts.get(key) ?? setUp(piece)
    contexts.set(key, context)
    const page = await (await context).newPage()
    try {
      return await work(page)
    } finally {
      await page.close()
    }
  }
}
