/** `add role`: the session says what a person may do. */
import { join } from "node:path"
import { type Change, withLineAfter } from "../init/plan.js"
import type { Project } from "../project.js"
import type { World } from "../world.js"

/** What is written into the configuration. */
const callback = `  callbacks: {
    // The session keeps which account it began with: the provider, and the id there, which nobody can type as they can an address.
    jwt: ({ token, account }) => (account ? { ...token, by: \`\${account.provider} \${account.providerAccountId}\` } : token),
    // Who administrates, asked each time: this is Ada at the provider of development. With a database it is a column of the users.
    session: ({ session, token }) => {
      const role = ["dev ada"].includes(String(token?.by)) ? "admin" : "member"
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
