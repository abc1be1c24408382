/** Types of the gallery's Firefox, for its tests. */
import type { Piece } from "./chosen.mjs"
import type { Gallery } from "./serve.mjs"

export interface Box {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export interface Sight {
  readonly picture: Buffer
  readonly boxes: readonly Box[]
  readonly complaints: readonly string[]
}
export function findFirefox(): string
export const boxesOf: () => readonly Box[]
export function lookInFirefox(
  path: string,
  job: {
    readonly gallery: Gallery
    readonly list: readonly Piece[]
    readonly take: (piece: Piece, sight: Sight) => void
  },
): Promise<void>
