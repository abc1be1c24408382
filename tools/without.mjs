/** The parts that a run leaves out, as `LATCHKEY_WITHOUT` says. */

/** Servers that tests need and a machine may lack. */
export const servers = ["postgresql", "mariadb", "redis", "pgbouncer"]

/** All that tests need and a machine may lack. */
export const parts = [...servers, "nginx"]

/**
 * The parts named in `LATCHKEY_WITHOUT`, a list with commas.
 *
 * Throws for a name that is no part, and under `CI=true` for any name: runs in CI test everything.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function partsLeftOut(env) {
  const names = (env["LATCHKEY_WITHOUT"] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const unknown = names.find((name) => !parts.includes(name))
  if (unknown !== undefined)
    throw new Error(`LATCHKEY_WITHOUT names "${unknown}"; it can name ${parts.join(", ")}, with commas between them.`)
  if (names.length > 0 && env["CI"] === "true")
    throw new Error(`LATCHKEY_WITHOUT=${names.join(",")} is refused under CI=true: nothing may be left out there.`)
  return [...new Set(names)]
}

/**
 * What the summary of a run says about the parts it went without; nothing when it had them all.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function tellLeftOut(env) {
  return partsLeftOut(env).map((name) => `Without ${name}, as LATCHKEY_WITHOUT says: nothing was tested against it.`)
}
