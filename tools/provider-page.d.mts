import type { Listed } from "./catalogue.mjs"

/** The page of one provider. */
export function pageOf(listed: Listed): string
