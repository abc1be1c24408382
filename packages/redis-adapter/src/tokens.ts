/** Session tokens at rest: Redis holds their hash, in keys as in lists, so that a stolen copy opens no session. */
import { sha256 } from "./keys.js"
import { isStorable, storableText } from "./values.js"

/** Marks what is a hash. */
const mark = "sha256:"
const storedForm = /^sha256:([0-9a-f]{64})$/

/** The hash of a token that is to be written. @throws TypeError for a value that could be mistaken for another token. */
export function writtenHash(token: string): string {
  return sha256(storableText(token))
}

/** The hash of a token that was presented, or nothing when no such token can have been written. */
export function presentedHash(token: unknown): string | undefined {
  return typeof token === "string" && isStorable(token) ? sha256(token) : undefined
}

/** The form a list shows: it names the session, and opens none. */
export function shownForm(tokenHash: string): string {
  return mark + tokenHash
}

/** The hashes of a session to be ended: of the token itself, and the one a list has shown. */
export function endedHashes(token: unknown): readonly string[] {
  const own = presentedHash(token)
  const shown = own === undefined ? undefined : storedForm.exec(token as string)?.[1]
  return [own, shown].filter((hash) => hash !== undefined)
}
