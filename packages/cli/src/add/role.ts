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

/** What `add role` comes to. */
interface RolePlan {
  readonly changes: readonly Change[]
  /** What a person puts in by hand. */
  readonly left: readonly string[]
}

/**
 * The configuration with the callback in it; by hand where it has callbacks, or the list of providers was not found. Nothing
 * where sessions show a role of the users, which the callback would hide.
 */
export function planRole(path: string, { folder }: Project, { files }: Pick<World, "files">): RolePlan {
  const before = files.read(join(folder, path)) ?? ""
  if (/\bexpose\s*:\s*\[[^\]]*["']role["']/.test(before)) return { changes: [], left: [] }
  const after = /\bcallbacks\s*[:,]/.test(before)
    ? undefined
    : withLineAfter(before, /^ {2}(?:providers: \[.*\]|\]),\s*$/, () => callback)
  if (after !== undefined) return { changes: [{ path, before, after }], left: [] }
  return { changes: [], left: [`Put this into the configuration in ${path}:\n\n${callback}`] }
}
