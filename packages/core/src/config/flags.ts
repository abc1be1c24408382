/** Flags that came out of an environment as text: `"true"` and `"1"`, `"false"` and `"0"` mean what they say. */
import type { Members } from "./members.js"

const flags = ["trustHost", "useSecureCookies", "debug"] as const
const meanings: Readonly<Record<string, boolean | undefined>> = { true: true, "1": true, false: false, "0": false }

/** The members with such text read; an empty text counts as not set. Anything else stays, to be judged. */
export function readFlags(members: Members): Members {
  const read = flags.flatMap((name) => {
    const value = members[name]
    if (typeof value !== "string") return []
    const text = value.trim().toLowerCase()
    const meaning = Object.hasOwn(meanings, text) ? meanings[text] : undefined
    return meaning !== undefined || text === "" ? [[name, meaning] as const] : []
  })
  return read.length === 0 ? members : Object.freeze({ ...members, ...Object.fromEntries(read) })
}
