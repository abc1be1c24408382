/** Which values can be the id of one person, and which are what an id turns into that was not found. */

/** What a missing value becomes as text: an identity under one of them would be shared by all who lack an id. */
const lost = /^(?:undefined|null|NaN|\[object .*\])?$/

/** The text of an id, where that is a string or a whole number which says whose it is. */
export function textOfId(id: unknown): string | undefined {
  // Beyond 2^53 different ids would become the same number.
  if (typeof id === "number") return Number.isSafeInteger(id) ? String(id) : undefined
  if (typeof id === "bigint") return String(id)
  return typeof id === "string" && !lost.test(id.trim()) ? id : undefined
}

/** No such id is written as it is: a date in whole seconds, an error by its message. */
const severalAlike: ReadonlySet<string> = new Set(["[object Array]", "[object Date]", "[object Error]"])

/**
 * As `textOfId`, and the text that an object has for itself: the driver of a database may give one as id, such as the
 * ObjectId of MongoDB. Bytes that are not UTF-8 would all become the same replacement character.
 */
export function textOfStoredId(id: unknown): string | undefined {
  if (typeof id !== "object" || id === null) return textOfId(id)
  if (severalAlike.has(Object.prototype.toString.call(id)) || typeof id.toString !== "function") return undefined
  const text = textOfId(String(id))
  return text?.includes("\ufffd") ? undefined : text
}
