/** Types of the generator, for its test. */
export function mapping(): Promise<Readonly<Record<string, string>>>
export function onWhite(hex: string): string
export function addressOf(svg: string, hex: string): string
export function addressOfLogo(icon: { readonly body: string; readonly width: number; readonly height: number }): string
