/** Reading a session, jwt strategy: in process, as a token alone, and as a request that is answered. */
import { readings } from "./harness/in-process.mjs"

/** @returns {Promise<object[]>} tables */
export async function run(options) {
  const people = options.people
  const many = `${people.toLocaleString("en")} people`
  return [
    await readings(
      { id: "session-one", title: "Session read in process, one person", member: "session", count: 1 },
      options,
    ),
    await readings(
      { id: "session", title: `Session read in process, ${many}`, member: "session", count: people },
      options,
    ),
    await readings(
      { id: "token", title: `The claims of a token (getToken), ${many}`, member: "token", count: people },
      options,
    ),
    await readings(
      { id: "get-session", title: `GET session, answered with a Response, ${many}`, member: "answer", count: people },
      options,
    ),
  ]
}
