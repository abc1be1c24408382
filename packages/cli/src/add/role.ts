/** `add role`: the session says what a person may do. */
import { join } from "node:path"
import { type Change, withLineAfter } from "../init/plan.js"
import type { Project } from "../project.js"
import type { World } from "../world.js"

/** What is written into the configuration. */
const callback = `  callbacks: {
    // Who administrates is written here; with a database it is a column of the users. An address is good for this only
    // where every provider has verified it: otherwise anybody can claim it.
    session: ({ session }) => {
      const role = ["ada@op.example"].includes(session.user?.email ?? "") ? "admin" : "member"
      return { ...session, user: { ...session.user, role } }
    },
  },`

/** The configuration with the callback in it; nothing where it has callbacks, or the list of providers was not found. */
export function planRole(path: string, { folder }: Project, { files }: Pick<World, "files">): readonly Change[] {
  const before = files.read(join(folder, path)) ?? ""
  if (/\bcallbacks\s*[:,]/.test(before)) return []
  const after = withLineAfter(before, /^ {2}(?:providers: \[.*\]|\]),\s*$/, () => callback)
  return after === undefined ? [] : [{ path, before, after }]
}

/** What a person puts in by hand. */
export const roleByHand = (path: string): string => `Put this into the configuration in ${path}:\n\n${callback}`
