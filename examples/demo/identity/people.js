/** The two people the identity provider knows. */

/** @typedef {{ sub: string, name: string, given_name: string, family_name: string, email: string, email_verified: boolean, note: string }} Person */

/** @type {readonly Person[]} */
export const people = [
  {
    sub: "ada",
    name: "Ada Byron",
    given_name: "Ada",
    family_name: "Byron",
    email: "ada@identity.test",
    email_verified: true,
    note: "Wrote the first program, 1843",
  },
  {
    sub: "grace",
    name: "Grace Hopper",
    given_name: "Grace",
    family_name: "Hopper",
    email: "grace@identity.test",
    email_verified: true,
    note: "Wrote the first compiler, 1952",
  },
]
