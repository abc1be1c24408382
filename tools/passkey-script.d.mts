/** Types of the generator, for its test. */
export function bundle(): Promise<string>
export function current(): Promise<string>
export function moduleOf(text: string): string
