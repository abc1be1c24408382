/** Packages that the configuration needs, and versions that do not go together. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { installCommand } from "../project.js"
import { type Check, type Finding, found, pages } from "./finding.js"

const error = found("error", pages.providers)
const warning = found("warning", pages.moving)

function isInstalled(folder: string, name: string): boolean {
  try {
    createRequire(join(folder, "package.json")).resolve(name)
    return true
  } catch (thrown) {
    // It is there, and has no entry point for `require`.
    return (thrown as { code?: unknown }).code === "ERR_PACKAGE_PATH_NOT_EXPORTED"
  }
}

/** Packages of ours by the version that is installed. */
function versions({
  files,
  cwd,
}: {
  files: { read(path: string): string | undefined; list(path: string): readonly string[] }
  cwd: string
}): readonly (readonly [string, string])[] {
  return files.list(join(cwd, "node_modules/@latchkey")).flatMap((name) => {
    const text = files.read(join(cwd, "node_modules/@latchkey", name, "package.json"))
    const version = text === undefined ? undefined : (JSON.parse(text) as { version?: unknown }).version
    return typeof version === "string" ? [[`@latchkey/${name}`, version] as const] : []
  })
}

/** Packages that are missing or do not fit. */
export const packages: Check = ({ inspection, project, world }) => {
  const findings: Finding[] = []
  if (!project) return findings
  const needs: readonly (readonly [boolean, string, string])[] = [
    [[...inspection.providers.values()].some(({ type }) => type === "webauthn"), "@simplewebauthn/server", "Passkeys"],
    [inspection.providers.has("nodemailer"), "nodemailer", "The provider nodemailer"],
  ]
  for (const [isNeeded, name, who] of needs) {
    if (!isNeeded || isInstalled(world.cwd, name)) continue
    findings.push(
      error(
        "package-missing",
        `${who}: expected the package ${name}, which is not installed.`,
        installCommand(project, [name], false),
      ),
    )
  }
  const own = versions(world)
  const different = new Set(own.map(([, version]) => version))
  if (different.size > 1) {
    const list = own.map(([name, version]) => `${name} ${version}`).join(", ")
    findings.push(
      warning(
        "package-versions",
        `Packages of Latchkey: expected one version of all, received ${list}.`,
        "Install the same version of each.",
      ),
    )
  }
  const peers = Object.keys(project.manifest.dependencies).filter((name) =>
    /^(?:next-auth|@auth\/(?:core|express|sveltekit))$/.test(name),
  )
  if (peers.length > 0 && own.length > 0) {
    findings.push(
      warning(
        "package-auth-js",
        `Packages: expected Auth.js or Latchkey, received both: ${peers.join(", ")}.`,
        "Remove those that nothing imports any more.",
      ),
    )
  }
  return findings
}
