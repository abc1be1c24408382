/** Providers of the core that were built: names of their modules. */
export function builtProviders(folder?: string): Promise<string[]>
/** The module that re-exports one provider, the same text for run time and types. */
export function reexportOf(provider: string, declarations: string): string
