/** The id of a user, as a token says it, and which ids a store may give to another user, once their user was deleted. */
import type { JWT } from "../types/token.js"

/** Whether the claims say whose session it is, or that it is nobody's: a list with an id in it reads as that id, and is not. */
export function namesUser({ sub }: JWT): boolean {
  const claim: unknown = sub ?? ""
  return typeof claim === "string" || typeof claim === "number"
}

/** Whose records a session has; `null`: nobody's. */
export const ownerIn = ({ sub }: JWT): string | null => ((sub ?? "") === "" ? null : String(sub))

/** The form of ids that are drawn, such as UUIDs, cuids and those of MongoDB: no store gives them again. */
const drawn = /^(?!\d+$)[\w-]{20,}$/

/** Whether a new user may get the id of one who was deleted: numbers and short names may be given again. */
export const mayBeGivenAgain = (id: string): boolean => !drawn.test(id)
