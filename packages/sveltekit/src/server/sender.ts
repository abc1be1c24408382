/** Who sent a request: a page of this application, or one of another. */
import type { Sender } from "@latchkey/core"

/**
 * Judges by `Origin`, else by `Sec-Fetch-Site`: both are written by the browser and by no page. An opaque origin
 * (`null`) proves nothing and counts as foreign.
 */
export function senderOf({ headers }: Request, ownOrigins: readonly (string | undefined)[]): Sender {
  const origin = headers.get("origin")
  if (origin !== null) return ownOrigins.includes(origin) ? "own" : "foreign"
  const site = headers.get("sec-fetch-site")
  // "none": the person themselves, by the address bar.
  if (site === null || site === "none") return "unknown"
  return site === "same-origin" ? "own" : "foreign"
}
