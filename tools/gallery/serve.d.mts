/** Types of the served gallery, for its tests. */
export interface State {
  readonly name: string
  readonly steps: readonly string[]
}
export interface Gallery {
  readonly states: readonly State[]
  readonly themes: readonly string[]
  readonly languages: readonly string[]
  readonly origin: string
  close(): void
}
export function serveGallery(): Promise<Gallery>
