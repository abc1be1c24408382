/** Text that stands inline in a page and the hash by which the Content-Security-Policy lets it in. */
import { sha256 } from "../crypto/token.js"
import { toBase64 } from "../std/bytes.js"

/** Text of an inline element and its hash: a hash-source without its quotes (CSP Level 3 §2.3.1), `sha256-<base64>`. */
export interface InlineText {
  readonly text: string
  readonly hash: string
}

/** Hashes the content of an inline element for the Content-Security-Policy. */
export async function inlineText(text: string): Promise<InlineText> {
  return { text, hash: `sha256-${toBase64(await sha256(text))}` }
}
