/** Types of a look at a page, for its tests. */
import type { Page } from "playwright-core"
import type { Piece } from "./chosen.mjs"
import type { Situation } from "./chromium.mjs"
import type { Gallery } from "./serve.mjs"

export const beforeScripts: () => void
export function open(
  page: Page,
  piece: Piece & { readonly origin: string; readonly situation?: Situation },
): Promise<void>
export function pictureOf(page: Page): Promise<Buffer>
export function complaintsOf(
  page: Page,
  piece: Piece & { readonly gallery: Gallery; readonly situation?: Situation },
): Promise<readonly string[]>
export function measured(page: Page, state: { readonly steps: readonly string[] }): Promise<readonly string[]>
