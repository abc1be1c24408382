/** Ids of accounts that a database may take for those of others. Loaded with a sign-in, because the tables of scripts are large. */
import { isGivenOut } from "../ports/exactness.js"
import { foldedLetters, inOlderCollations, isTooLong } from "../std/folded.js"

/**
 * Is this a number or UUID in digits of another script, or with letters that nobody sees? MySQL takes it for the plain one.
 * No provider gives such ids out, so somebody has chosen it. In plain ASCII no two spellings of a number are the same text;
 * spaces behind it are those of columns of a fixed width. Nor does one give out an id that is too long to be looked at.
 */
export function seemsGivenOut(id: string): boolean {
  if (/^[ -~]*$/.test(id)) return false
  return isTooLong(id) || [id, inOlderCollations(id)].some((read) => isGivenOut(foldedLetters(read)))
}
