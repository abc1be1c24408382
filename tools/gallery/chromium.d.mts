/** Types of the gallery's Chromium, for its tests. */
import type { Browser, BrowserContextOptions } from "playwright-core"

export type Situation = "usual" | "zoomed" | "forced colours" | "reduced motion" | "no script"
export const situations: Readonly<Record<Situation, BrowserContextOptions>>
export function openChromium(executablePath: string): Promise<Browser>
export function contextFor(piece: {
  readonly scheme: "light" | "dark"
  readonly width: number
  readonly situation?: Situation
}): BrowserContextOptions
