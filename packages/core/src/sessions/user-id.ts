/** Which ids a store may give to another user, once their user was deleted. */

/** The form of ids that are drawn, such as UUIDs, cuids and those of MongoDB: no store gives them again. */
const drawn = /^(?!\d+$)[\w-]{20,}$/

/** Whether a new user may get the id of one who was deleted: numbers and short names may be given again. */
export const mayBeGivenAgain = (id: string): boolean => !drawn.test(id)
