/** A provider as it is without options. */
export interface Listed {
  readonly id: string
  readonly name: string | undefined
  readonly provider: {
    readonly id: string
    readonly name: string
    readonly type: string
    readonly [field: string]: unknown
  }
}
/** Ids of the providers: the names of their files. */
export function providerIds(): Promise<string[]>
/** The providers as they are without options, with the names of their functions. */
export function loadProviders(ids: readonly string[]): Promise<Listed[]>
/** The text of `ids.ts`. */
export function idsModule(ids: readonly string[]): string
/** The list of all providers, with their number. */
export function indexOf(providers: readonly Listed[]): string
/** Every file the catalogue consists of, by its path. */
export function catalogue(): Promise<Map<string, string>>
