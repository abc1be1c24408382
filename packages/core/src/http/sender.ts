/** Who sent a request: a page of this application, or one of another. */
import { type HeaderSource, readerOf } from "./headers.js"

/** Who sent a request, by its headers: a page of this application, one of another, or unknown. */
export type Sender = "own" | "foreign" | "unknown"

/**
 * Judges by `Origin` and `Sec-Fetch-Site`: both are written by the browser and by no page. `same-origin` is believed
 * whatever the origin is called (Fetch Metadata §2.1): behind a proxy the browser alone knows the public name, and a page
 * without referrer sends `null`. Of an origin alone, `null` proves nothing and counts as foreign.
 */
export function senderOf(source: HeaderSource, ownOrigins: readonly (string | undefined)[]): Sender {
  const headers = readerOf(source)
  const origin = headers.get("origin")
  const site = headers.get("sec-fetch-site")
  if (site === "same-origin" || (origin !== null && ownOrigins.includes(origin))) return "own"
  if (origin !== null) return "foreign"
  // "none": the person themselves, by the address bar.
  return site === null || site === "none" ? "unknown" : "foreign"
}
