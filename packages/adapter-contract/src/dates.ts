/** Times keep their milliseconds and their zone, past and future. */
import { type ContractCase, group } from "./case.js"
import { holds, present, same } from "./check.js"
import { longAgo, newSession, newToken, newUser, unusualTimes } from "./samples.js"

export const dateCases: readonly ContractCase[] = group("dates", {
  "the end of a session keeps its milliseconds": [
    ["createUser", "createSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      for (const time of unusualTimes) {
        const { sessionToken } = await newSession(kit, user.id, { expires: new Date(time) })
        const found = present(await kit.adapter.getSessionAndUser(sessionToken), time)
        holds(found.session, { expires: new Date(time) }, "session")
      }
    },
  ],
  "an extended session keeps its milliseconds": [
    ["createUser", "createSession", "updateSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const { sessionToken } = await newSession(kit, user.id)
      for (const time of unusualTimes) {
        await kit.adapter.updateSession({ sessionToken, expires: new Date(time) })
        const found = present(await kit.adapter.getSessionAndUser(sessionToken), time)
        holds(found.session, { expires: new Date(time) }, "session")
      }
    },
  ],
  "the end of a verification token keeps its milliseconds": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      for (const time of unusualTimes) {
        const { identifier, token } = await newToken(kit, { expires: new Date(time) })
        const used = present(await kit.adapter.useVerificationToken({ identifier, token }), time)
        holds(used, { expires: new Date(time) }, "useVerificationToken")
      }
    },
  ],
  "emailVerified keeps its milliseconds": [
    ["createUser", "getUser", "updateUser"],
    async (kit) => {
      const created = await newUser(kit, { emailVerified: longAgo() })
      holds(present(await kit.adapter.getUser(created.id), "getUser"), { emailVerified: longAgo() }, "created")
      const updated = await newUser(kit)
      for (const time of [...unusualTimes, "1970-01-01T00:00:00.001Z", "1999-12-31T23:59:59.999Z"]) {
        await kit.adapter.updateUser({ id: updated.id, emailVerified: new Date(time) })
        holds(present(await kit.adapter.getUser(updated.id), "getUser"), { emailVerified: new Date(time) }, "updated")
      }
    },
  ],
  "emailVerified comes with getSessionAndUser and getUserByEmail": [
    ["createUser", "createSession", "getSessionAndUser", "getUserByEmail"],
    async (kit) => {
      const user = await newUser(kit, { emailVerified: longAgo() })
      const { sessionToken } = await newSession(kit, user.id)
      const found = present(await kit.adapter.getSessionAndUser(sessionToken), "getSessionAndUser")
      holds(found.user, { emailVerified: longAgo() }, "getSessionAndUser")
      const byEmail = present(await kit.adapter.getUserByEmail(user.email), "getUserByEmail")
      holds(byEmail, { emailVerified: longAgo() }, "getUserByEmail")
    },
  ],
  "a date that is changed after the call changes nothing stored": [
    ["createUser", "createSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const expires = new Date("2037-03-04T05:06:07.089Z")
      const { sessionToken } = await newSession(kit, user.id, { expires })
      expires.setTime(0)
      const found = present(await kit.adapter.getSessionAndUser(sessionToken), "getSessionAndUser")
      holds(found.session, { expires: new Date("2037-03-04T05:06:07.089Z") }, "session")
    },
  ],
  "texts that look like dates stay texts": [
    ["createUser", "getUser"],
    async (kit) => {
      const user = await newUser(kit, { name: "2026-01-02T03:04:05.678Z" })
      const found = present(await kit.adapter.getUser(user.id), "getUser")
      same(typeof found.name, "string", "the type of the name")
    },
  ],
})
