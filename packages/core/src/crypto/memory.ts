/**
 * Tokens that were opened before. What a token holds depends on token, salt and secrets alone, so it may be kept beside
 * the secrets; whether it has ended is judged anew at each opening, never here.
 */

/** Remembers what tokens held. */
export interface TokenMemory {
  /** The plaintext, when this very token was opened with this salt. */
  recall(token: string, salt: string): string | undefined
  /** Only for what was opened: nothing is verified here. */
  keep(token: string, salt: string, plaintext: string): void
  forget(token: string): void
}

/** Half of it for each generation: about ten thousand sessions of usual size. */
const charactersAtMost = 16_000_000
/** A longer one is opened again each time. */
const longestKept = 16_384

interface Kept {
  readonly salt: string
  readonly plaintext: string
}

/** Makes an empty memory. In two generations, so that a hit moves nothing: what neither of them was asked for goes. */
export function createTokenMemory(limit: number = charactersAtMost): TokenMemory {
  let young = new Map<string, Kept>()
  let old = new Map<string, Kept>()
  let size = 0
  const add = (token: string, kept: Kept): void => {
    young.set(token, kept)
    size += token.length + kept.plaintext.length
    if (size <= limit / 2) return
    old = young
    young = new Map()
    size = 0
  }
  return {
    recall(token, salt) {
      let kept = young.get(token)
      if (!kept) {
        kept = old.get(token)
        if (!kept) return undefined
        old.delete(token)
        add(token, kept)
      }
      return kept.salt === salt ? kept.plaintext : undefined
    },
    keep(token, salt, plaintext) {
      if (token.length + plaintext.length > longestKept) return
      add(ownCopy(token), { salt, plaintext })
    },
    forget(token) {
      young.delete(token)
      old.delete(token)
    },
  }
}

/** A part of a header keeps the whole header in memory; a text that was written anew does not. */
function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}
