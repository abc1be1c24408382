/** Which ids of users a store may give again, once their user was deleted. */

/** The form of ids that are drawn, such as UUIDs, cuids and those of MongoDB: no store gives them again. */
const drawn = /^(?!\d+$)[\w-]{20,}$/

/** May the next user have the id of one who was deleted? Numbers and short names may be given again. */
export const mayBeGivenAgain = (id: string): boolean => !drawn.test(id)
