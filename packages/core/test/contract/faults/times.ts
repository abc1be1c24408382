/** What can be wrong with times. */
import type { AdapterUser } from "../../../src/types/identity.js"
import { type Fault, faulty } from "./fault.js"

const seconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000)
const shifted = (date: Date): Date => new Date(date.getTime() + 3_600_000)

export const timeFaults: readonly Fault[] = [
  faulty("keeps the end of sessions in seconds", ["the end of a session keeps its milliseconds"], (good) => ({
    createSession: (session) => good.createSession({ ...session, expires: seconds(session.expires) }),
  })),
  faulty("reads ends in local time", ["the end of a session keeps its milliseconds"], (good) => ({
    async getSessionAndUser(token) {
      const found = await good.getSessionAndUser(token)
      return found && { ...found, session: { ...found.session, expires: shifted(found.session.expires) } }
    },
  })),
  faulty("extends sessions in seconds", ["an extended session keeps its milliseconds"], (good) => ({
    updateSession: (patch) =>
      good.updateSession({ ...patch, ...(patch.expires ? { expires: seconds(patch.expires) } : {}) }),
  })),
  faulty(
    "keeps verification tokens in seconds",
    ["the end of a verification token keeps its milliseconds"],
    (good) => ({
      createVerificationToken: (row) => good.createVerificationToken({ ...row, expires: seconds(row.expires) }),
    }),
  ),
  faulty("keeps emailVerified in seconds", ["emailVerified keeps its milliseconds"], (good) => ({
    updateUser: (patch) =>
      good.updateUser({ ...patch, ...(patch.emailVerified ? { emailVerified: seconds(patch.emailVerified) } : {}) }),
  })),
  faulty(
    "forgets emailVerified with a session",
    ["emailVerified comes with getSessionAndUser and getUserByEmail"],
    (good) => ({
      async getSessionAndUser(token) {
        const found = await good.getSessionAndUser(token)
        return found && { ...found, user: { ...found.user, emailVerified: null } }
      },
    }),
  ),
  faulty("keeps the date it is given", ["a date that is changed after the call changes nothing stored"], (good) => {
    const given = new Map<string, Date>()
    return {
      createSession(session) {
        given.set(session.sessionToken, session.expires)
        return good.createSession(session)
      },
      async getSessionAndUser(token) {
        const found = await good.getSessionAndUser(token)
        const expires = given.get(token)
        return found && expires ? { ...found, session: { ...found.session, expires } } : found
      },
    }
  }),
  faulty("revives every text that looks like a date", ["texts that look like dates stay texts"], (good) => ({
    async getUser(id) {
      const user = await good.getUser(id)
      const looksLikeDate = typeof user?.name === "string" && /^\d{4}-\d\d-\d\dT/.test(user.name)
      return looksLikeDate ? ({ ...user, name: new Date(user.name as string) } as unknown as AdapterUser) : user
    },
  })),
]
