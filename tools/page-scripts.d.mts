/** Types of the generator, for its test. */
export interface PageScript {
  readonly source: string
  readonly target: string
  readonly name: string
  readonly says: string
  readonly banner: string
}
export const scripts: readonly PageScript[]
export function bundle(script: PageScript): Promise<string>
export function current(script: PageScript): Promise<string>
export function moduleOf(script: PageScript, text: string): string
