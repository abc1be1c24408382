/** The contract of the operations on sessions. */
import { type ContractCase, group } from "./case.js"
import { absent, fail, holds, present, refuses, same, timeOf } from "./check.js"
import { later, longAgo, newSession, newToken, newUser } from "./samples.js"

/** Before this time the case about clean-up removes. Nothing real is that old. */
const cut = (): Date => new Date("2003-01-01T00:00:00.000Z")
const around = (milliseconds: number): Date => new Date(cut().getTime() + milliseconds)

export const sessionCases: readonly ContractCase[] = group("sessions", {
  "getSessionAndUser answers both in one call": [
    ["createUser", "createSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const session = await newSession(kit, user.id)
      await newSession(kit, (await newUser(kit)).id)
      const found = present(await kit.adapter.getSessionAndUser(session.sessionToken), "getSessionAndUser")
      holds(found.session, session, "session")
      holds(found.user, { id: user.id, email: user.email, name: user.name, emailVerified: null }, "user")
    },
  ],
  "createSession answers the session": [
    ["createUser", "createSession"],
    async (kit) => {
      const session = { sessionToken: kit.fresh("session"), userId: (await newUser(kit)).id, expires: later() }
      holds(await kit.adapter.createSession(session), session, "createSession")
    },
  ],
  "createSession refuses a token that is there already": [
    ["createUser", "createSession", "getSessionAndUser"],
    async (kit) => {
      const [owner, other] = [await newUser(kit), await newUser(kit)]
      const session = await newSession(kit, owner.id)
      await refuses(() => kit.adapter.createSession({ ...session, userId: other.id }), "createSession a second time")
      const found = present(await kit.adapter.getSessionAndUser(session.sessionToken), "getSessionAndUser")
      holds(found.user, { id: owner.id }, "the owner")
    },
  ],
  "getSessionAndUser answers null for an unknown token": [
    ["getSessionAndUser"],
    async (kit) => absent(await kit.adapter.getSessionAndUser(kit.fresh("nobody")), "getSessionAndUser"),
  ],
  "updateSession moves the end of that session and no other": [
    ["createUser", "createSession", "updateSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const [moved, kept] = [await newSession(kit, user.id), await newSession(kit, user.id)]
      const expires = new Date("2100-01-02T03:04:05.006Z")
      const answer = await kit.adapter.updateSession({ sessionToken: moved.sessionToken, expires })
      if (answer) holds(answer, { sessionToken: moved.sessionToken, expires }, "updateSession")
      const found = present(await kit.adapter.getSessionAndUser(moved.sessionToken), "getSessionAndUser")
      holds(found.session, { sessionToken: moved.sessionToken, userId: user.id, expires }, "the session")
      const other = present(await kit.adapter.getSessionAndUser(kept.sessionToken), "getSessionAndUser")
      holds(other.session, { expires: kept.expires }, "another session")
    },
  ],
  "updateSession of an ended session answers null": [
    ["updateSession"],
    async (kit) =>
      absent(await kit.adapter.updateSession({ sessionToken: kit.fresh("ended"), expires: later() }), "updateSession"),
  ],
  "updateSession does not bring an ended session back": [
    ["createUser", "createSession", "deleteSession", "updateSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const session = await newSession(kit, user.id)
      await kit.adapter.deleteSession(session.sessionToken)
      await Promise.allSettled([(async () => kit.adapter.updateSession(session))()])
      absent(await kit.adapter.getSessionAndUser(session.sessionToken), "getSessionAndUser")
    },
  ],
  "deleteSession ends that session and no other": [
    ["createUser", "createSession", "deleteSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const [gone, kept] = [await newSession(kit, user.id), await newSession(kit, user.id)]
      const answer = await kit.adapter.deleteSession(gone.sessionToken)
      if (answer) holds(answer, gone, "deleteSession")
      absent(await kit.adapter.getSessionAndUser(gone.sessionToken), "the ended session")
      present(await kit.adapter.getSessionAndUser(kept.sessionToken), "the other session")
    },
  ],
  "deleteSession of an unknown token is no error": [
    ["deleteSession"],
    async (kit) => absent(await kit.adapter.deleteSession(kit.fresh("nobody")), "deleteSession"),
  ],
  "deleteSessionsByUserId ends every session of one user": [
    ["createUser", "createSession", "deleteSessionsByUserId", "getSessionAndUser"],
    async (kit) => {
      const [user, bystander] = [await newUser(kit), await newUser(kit)]
      const gone = [await newSession(kit, user.id), await newSession(kit, user.id)]
      const kept = await newSession(kit, bystander.id)
      await kit.adapter.deleteSessionsByUserId(user.id)
      for (const session of gone) absent(await kit.adapter.getSessionAndUser(session.sessionToken), "an ended session")
      present(await kit.adapter.getSessionAndUser(kept.sessionToken), "another user's session")
    },
  ],
  "listSessionsByUserId answers none, one or many": [
    ["createUser", "createSession", "listSessionsByUserId"],
    async (kit) => {
      const [user, bystander] = [await newUser(kit), await newUser(kit)]
      await newSession(kit, bystander.id)
      for (const count of [0, 1, 2, 3]) {
        const listed = await kit.adapter.listSessionsByUserId(user.id)
        same(listed.length, count, "the number of sessions")
        for (const session of listed) holds(session, { userId: user.id, expires: later() }, "a listed session")
        await newSession(kit, user.id)
      }
    },
  ],
  "what listSessionsByUserId lists, deleteSession ends": [
    ["createUser", "createSession", "listSessionsByUserId", "deleteSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const session = await newSession(kit, user.id)
      const [listed] = await kit.adapter.listSessionsByUserId(user.id)
      await kit.adapter.deleteSession(present(listed, "listSessionsByUserId").sessionToken)
      absent(await kit.adapter.getSessionAndUser(session.sessionToken), "getSessionAndUser")
    },
  ],
  "deleteExpired removes what ended before the given time, and says how many": [
    ["createUser", "createSession", "getSessionAndUser", "createVerificationToken", "deleteExpired"],
    async (kit) => {
      await kit.adapter.deleteExpired(cut())
      const user = await newUser(kit)
      const old = await newSession(kit, user.id, { expires: around(-1) })
      const younger = await newSession(kit, user.id, { expires: around(1) })
      const alive = await newSession(kit, user.id)
      await newToken(kit, { expires: longAgo() })
      // A store may drop ended rows by itself; what it still returns must be exact.
      const [showsOld, showsYounger] = await Promise.all([
        kit.adapter.getSessionAndUser(old.sessionToken),
        kit.adapter.getSessionAndUser(younger.sessionToken),
      ])
      const removed = await kit.adapter.deleteExpired(cut())
      if (showsOld) {
        same(removed.sessions, 1, "removed sessions")
        same(removed.verificationTokens, 1, "removed verification tokens")
      }
      absent(await kit.adapter.getSessionAndUser(old.sessionToken), "the session that ended before")
      if (showsYounger)
        present(await kit.adapter.getSessionAndUser(younger.sessionToken), "the session that ended after")
      present(await kit.adapter.getSessionAndUser(alive.sessionToken), "the living session")
    },
  ],
  "a session that has ended keeps its end or is gone": [
    ["createUser", "createSession", "getSessionAndUser"],
    async (kit) => {
      const user = await newUser(kit)
      const session = await newSession(kit, user.id, { expires: longAgo() })
      const found = await kit.adapter.getSessionAndUser(session.sessionToken)
      if (found && timeOf(found.session.expires, "expires") !== longAgo().getTime()) fail("the end has moved")
    },
  ],
})
