/** What the text of a `jwt` callback looks like that keeps whatever a client sends. */

/** `session`, or its `user`: all of what a client sends with an update. */
const all = /(?:\w+\s*\.\s*)?session\b(?:\s*\??\.\s*user\b)?\s*/.source

/** Text of a `jwt` callback that takes all members of an update at once: spread, or assigned. */
export const updateTakenWhole: RegExp = new RegExp(
  `\\.\\.\\.\\s*(?:\\(\\s*)?${all}[,})?|]|\\bObject\\s*\\.\\s*assign\\s*\\([^()]*?,\\s*${all}[,)]`,
)
