/** Session tokens at rest: a stolen copy of the table gives access to no session. */
import { hash } from "node:crypto"
import { storableText } from "./values.js"

/** How new session rows are written: `hashed`, or `plain` for tables that another library reads too. */
export type SessionTokens = "hashed" | "plain"

/** Marks what is a hash, so that nobody can present the content of the table as a token. */
const mark = "sha256:"

function hashed(token: string): string {
  return mark + hash("sha256", token, "hex")
}

/** Tells the two forms a token may be stored in, and which of them is written. */
export interface TokenForms {
  /** The form that is written. */
  written(token: string): string
  /** The forms a presented token is looked for, the one that is written first. A presented hash is never looked for as it is. */
  presented(token: string): readonly [string, string]
  /** The forms a row to be ended is looked for: here the stored form of a listed session serves, too. */
  ended(token: string): readonly [string, string]
}

/** Both modes read both forms, so that a change of mode signs nobody out. */
export function createTokenForms(mode: SessionTokens): TokenForms {
  return {
    // Hashing replaces broken Unicode: two different tokens would have the same hash.
    written: (token) => (mode === "hashed" ? hashed(storableText(token)) : token),
    presented(token) {
      const hash = hashed(token)
      const other = token.startsWith(mark) ? hash : token
      return mode === "hashed" ? [hash, other] : [other, hash]
    },
    ended: (token) => [hashed(token), token],
  }
}
