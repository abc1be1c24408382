/** Stands for `$app/paths` of SvelteKit 2, in an application below a base path. */
export const base = "/base"
export const resolve = (path: string): string => base + path
