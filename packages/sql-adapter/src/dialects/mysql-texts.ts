/** Texts in MySQL and MariaDB: which columns compare exactly, and what a column can hold whole. */
import { storableText } from "../values.js"
import type { DeclaredType } from "./dialect.js"

/**
 * The collation that compares code point by code point and pads nothing. The two databases have different names for
 * it; each reads the comment that is meant for it, and passes over the other.
 */
export const exactCollation = "/*!80017 utf8mb4_0900_bin*/ /*M!100202 utf8mb4_nopad_bin*/"

/** Does the column tell apart all that differs? Columns without a collation do. */
export function isExact(declared: DeclaredType): boolean {
  const collation = / collate (\w+)/.exec(declared)?.[1]
  return collation === undefined || /^utf8mb4_(nopad|0900)_bin$/.test(collation)
}

/** Room of types that are not declared with one, in bytes. */
const roomOfType: Readonly<Record<string, number>> = { tinytext: 255, text: 65_535, mediumtext: 16_777_215 }

/** Code points that the column's set of characters has: a server that is not strict replaces the others. */
function fitsCharacters(text: string, declared: DeclaredType): boolean {
  const characters = / collate ([a-z0-9]+)_?/.exec(declared)?.[1] ?? "utf8mb4"
  if (characters === "utf8mb4" || characters === "binary") return true
  if (characters === "utf8" || characters === "utf8mb3") return !/[\u{10000}-\u{10ffff}]/u.test(text)
  // The lower half is the same in all others.
  return /^[\0-\x7f]*$/.test(text)
}

function fitsRoom(text: string, declared: DeclaredType): boolean {
  const [, type = "", size] = /^(\w+)(?:\((\d+)\))?/.exec(declared) ?? []
  if (/^(var)?char$/.test(type))
    return size === undefined || text.length <= Number(size) || [...text].length <= Number(size)
  const room = /^(var)?binary$/.test(type) ? Number(size) : roomOfType[type]
  return room === undefined || Buffer.byteLength(text) <= room
}

/** Words of an enumeration or a set. Their declaration was written in lower case by whoever read it, and compares so. */
function fitsWords(text: string, declared: DeclaredType): boolean {
  const [, kind] = /^(enum|set)\(/.exec(declared) ?? []
  if (kind === undefined) return true
  const words = [...declared.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = ""]) => word.replaceAll("''", "'"))
  const given = kind === "enum" ? [text] : text.split(",").filter((word) => word !== "")
  return given.every((word) => words.includes(word.toLowerCase()))
}

/**
 * The text, if the column keeps it whole.
 * @throws TypeError when it is no word of an enumeration, is too long, has characters that the column has not, or ends in spaces that it loses
 */
export function fittingText(text: string, declared: DeclaredType): string {
  storableText(text)
  if (!fitsWords(text, declared)) throw new TypeError(`The column (${declared}) does not have this value.`)
  if (!fitsRoom(text, declared)) throw new TypeError(`A string is longer than the column (${declared}) can hold.`)
  if (!fitsCharacters(text, declared))
    throw new TypeError(`A string has characters that the column (${declared}) cannot hold.`)
  if (declared.startsWith("char(") && text.endsWith(" ")) throw new TypeError("The column loses spaces at the end.")
  return text
}
