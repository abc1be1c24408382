/** What columns of MySQL for times cannot hold: instants (`timestamp`) end in 2038, and the cases ask for 2099. */
import type { Impossible } from "./tables.js"

const instants: readonly string[] = [
  "a list or an object in place of a text finds nothing and removes nothing",
  "getSessionAndUser answers both in one call",
  "createSession answers the session",
  "createSession refuses a token that is there already",
  "updateSession moves the end of that session and no other",
  "updateSession of an ended session answers null",
  "updateSession does not bring an ended session back",
  "deleteSession ends that session and no other",
  "deleteSessionsByUserId ends every session of one user",
  "listSessionsByUserId answers none, one or many",
  "what listSessionsByUserId lists, deleteSession ends",
  "deleteExpired removes what ended before the given time, and says how many",
  "a session that has ended keeps its end or is gone",
  "useVerificationToken answers the token",
  "a verification token works once",
  "a wrong token is refused and the right one still works",
  "a right token with another address is refused and still works",
  "tokens do not cross between addresses",
  "two tokens of one address both work",
  "deleteUser ends the user's sessions",
  "session tokens hold any text",
  "verification tokens are told apart by two values, not by one glued text",
  "getSessionAndUser compares exactly",
  "useVerificationToken compares tokens exactly",
  "useVerificationToken compares addresses exactly",
  "deleteSession compares exactly",
  "an empty value finds nobody",
  "the end of a session keeps its milliseconds",
  "an extended session keeps its milliseconds",
  "the end of a verification token keeps its milliseconds",
  "emailVerified keeps its milliseconds",
  "emailVerified comes with getSessionAndUser and getUserByEmail",
  "a date that is changed after the call changes nothing stored",
  "of many who use a verification token at once, one gets it",
  "many sessions begin at once",
  "many extend one session at once, and it ends at one of the times they gave",
  "a session that is ended while others extend it stays ended",
  "many end one session at once without an error",
  "of many who begin a session with one token at once, one does",
  "a transaction keeps what it wrote and hands on what it returns",
  "a transaction that throws passes the error on and leaves nothing",
  "a transaction that throws brings back what it changed",
  "a transaction that throws gives a used verification token back",
  "many transactions at once all take effect",
  "verification tokens hold any text",
]

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
  "emailVerified keeps its milliseconds",
  "emailVerified comes with getSessionAndUser and getUserByEmail",
  "a date that is changed after the call changes nothing stored",
  "many extend one session at once, and it ends at one of the times they gave",
  "a transaction that throws brings back what it changed",
]

const because = (reason: RegExp, cases: readonly string[]): Impossible =>
  Object.fromEntries(cases.map((name) => [name, reason]))

/** Drizzle's `timestamp` is an instant. */
export const shortInstants: Impossible = because(
  /A time is out of range|the end has moved|began the session: expected 1, got 0/,
  instants,
)

/** Sequelize's `DATE` is a `datetime` of whole seconds. */
export const wholeSeconds: Impossible = because(/\.000Z|the end has moved/, seconds)
