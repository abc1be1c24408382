/** Types of the gallery's pages, for its tests. */
import type { Gallery, State } from "./serve.mjs"

export interface Piece {
  readonly state: State
  readonly theme: string
  readonly lang: string
  readonly scheme: "light" | "dark"
  readonly width: number
}
export function nameOf(piece: Piece): string
export function pieces(gallery: Gallery): readonly Piece[]
export function chosenPieces(gallery: Gallery): readonly Piece[]
