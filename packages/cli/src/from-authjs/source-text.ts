/** Reading source files without a compiler: what stands in comments is passed over. */

/** Where something stands. */
export interface Place {
  readonly path: string
  /** From 1; absent where the file alone is meant. */
  readonly line?: number
}

/** A module that a file names. */
export interface Reference {
  readonly specifier: string
  /** Offset of the first letter of the specifier. */
  readonly at: number
  /** Names that are imported or exported, as the module calls them. */
  readonly names: readonly string[]
  /** `declare module`: members are added to types of the module. */
  readonly isAugmentation: boolean
  /** Types alone: nothing of the module runs. */
  readonly isOfTypes: boolean
}

/** A string ends with its line at the latest, so that an apostrophe in markup hides nothing. */
const pieces =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(\/\/[^\n]*|\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->)/g

/** The text with spaces in place of comments: every other character keeps its place. */
export function withoutComments(text: string): string {
  return text.replace(pieces, (piece: string, comment: string | undefined) =>
    comment === undefined ? piece : piece.replace(/[^\n]/g, " "),
  )
}

/** Line of an offset, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const referring =
  /(?:\b(?:import|export)\b(?<clause>[^"'`;]*?)\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|(?<augmented>\bdeclare\s+module\s+)|\b(?:mock|doMock|unmock|importActual)\s*\(\s*)(["'])(?<specifier>[^"'`\n]+)\3/g

/** Names between the braces of an import or export. */
function namesIn(clause: string): readonly string[] {
  const [, list = ""] = /\{([^}]*)\}\s*$/.exec(clause.trimEnd()) ?? []
  return list
    .split(",")
    .map((part) =>
      part
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s+[\s\S]*$/, ""),
    )
    .filter((name) => name !== "")
}

/** Every module that the file names. The text is one {@link withoutComments}. */
export function referencesIn(text: string): readonly Reference[] {
  return [...text.matchAll(referring)].map((match) => {
    const { clause = "", augmented, specifier = "" } = match.groups ?? {}
    return {
      specifier,
      at: match.index + match[0].length - 1 - specifier.length,
      names: namesIn(clause),
      isAugmentation: augmented !== undefined,
      isOfTypes: /^\s*(?:import|export)\s+type\b/.test(match[0]),
    }
  })
}
