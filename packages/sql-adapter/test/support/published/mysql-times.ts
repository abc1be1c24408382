/** What columns of MySQL for times cannot hold: instants (`timestamp`) end in 2038, and columns without a scale hold whole seconds. */
import type { Impossible } from "./tables.js"

const seconds: readonly string[] = [
  "getSessionAndUser answers both in one call",
  "updateSession moves the end of that session and no other",
  "deleteSession ends that session and no other",
  "listSessionsByUserId answers none, one or many",
  "a session that has ended keeps its end or is gone",
  "useVerificationToken answers the token",
  "session tokens hold any text",
  "the end of a session keeps its milliseconds",
  "an extended session keeps its milliseconds",
  "the end of a verification token keeps its milliseconds",
  "a date that is changed after the call changes nothing stored",
  "many extend one session at once, and it ends at one of the times they gave",
  "a transaction that throws brings back what it changed",
]

const because = (reason: RegExp, cases: readonly string[]): Impossible =>
  Object.fromEntries(cases.map((name) => [name, reason]))

const verified: readonly string[] = [
  "emailVerified keeps its milliseconds",
  "emailVerified comes with getSessionAndUser and getUserByEmail",
]

/** Drizzle's `timestamp` is an instant of whole seconds, which ends in 2038; that of `emailVerified` has milliseconds. */
export const shortInstants: Impossible = {
  ...because(/\.000Z|the end has moved|the session ends at|A time is out of range/, seconds),
  ...because(/A time is out of range/, ["emailVerified keeps its milliseconds"]),
}

/** Sequelize's `DATE` is a `datetime` of whole seconds. */
export const wholeSeconds: Impossible = because(/\.000Z|the end has moved|the session ends at/, [
  ...seconds,
  ...verified,
])
