/** Reading source files without a compiler: what stands in comments is passed over. */

import { blanked } from "./pieces.js"

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

/** The text with spaces in place of comments: every other character keeps its place. */
export const withoutComments = (text: string): string => blanked(text, (kind) => kind === "comment")

/** Line of an offset, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** A part of a text, by offsets; `to` is behind its end. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Where functions, or members of objects, stand that begin with `start`, in their order. The text is one {@link withoutComments}. */
export function spansOf(text: string, start: RegExp): readonly Span[] {
  // Brackets in strings open nothing.
  const code = blanked(text, (kind) => kind !== "template")
  const starts = [...code.matchAll(new RegExp(start.source, "g"))].map(({ index }) => index)
  const ends = endsOf(code, starts)
  return starts.map((from) => ({ from, to: ends.get(from) ?? code.length }))
}

const marks = /[()[\]{},;]/g

/**
 * Where what begins at these offsets ends: with the bracket it stands in, a comma, a semicolon, or the body of a function.
 * The text is read once for all of them.
 */
function endsOf(code: string, starts: readonly number[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  /** What has begun and not ended, by the depth of the brackets around it. */
  const open = new Map<number, number[]>()
  let [depth, next] = [0, 0]
  const end = (level: number, at: number): void => {
    for (const from of open.get(level) ?? []) ends.set(from, at)
    open.delete(level)
  }
  for (const { 0: letter, index: at } of code.matchAll(marks)) {
    for (let from = starts[next]; from !== undefined && from <= at; from = starts[++next]) {
      const waiting = open.get(depth)
      if (waiting) waiting.push(from)
      else open.set(depth, [from])
    }
    if ("({[".includes(letter)) depth += 1
    else if (",;".includes(letter)) end(depth, at)
    else {
      end(depth, at)
      depth -= 1
      // A type that is written out, such as `Promise<{ id: string } | null>`, stands before the body.
      if (letter === "}" && !/^\s*[>|]/.test(code.slice(at + 1, at + 80))) end(depth, at)
    }
  }
  return ends
}

/** A clause ends before the next one begins: else the end of each would be looked for through all of the file. */
const referring =
  /(?:\b(?:import|export)\b(?<clause>(?:(?!\b(?:import|export)\b)[^"'`;])*?)\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*|(?<augmented>\bdeclare\s+module\s+)|\b(?:mock|doMock|unmock|importActual)\s*\(\s*)(["'])(?<specifier>[^"'`\n]+)\3/g

/** Names between the braces of an import or export. */
function namesIn(clause: string): readonly string[] {
  const plain = clause.trimEnd()
  const list = plain.endsWith("}") ? plain.slice(plain.lastIndexOf("{") + 1, -1) : ""
  return list.split(",").flatMap((part) => {
    const [first = "", second] = part.trim().split(/\s+/)
    const name = first === "type" && second !== undefined && second !== "as" ? second : first
    return name === "" ? [] : [name]
  })
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
