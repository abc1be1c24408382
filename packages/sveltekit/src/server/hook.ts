/** The type of a hook, which SvelteKit 2 has in one module and SvelteKit 3 in another: `sequence` takes hooks in both. */
import type { sequence } from "@sveltejs/kit/hooks"

export type Handle = Parameters<typeof sequence>[number]
