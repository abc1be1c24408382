/** Finds the programs of a server on this machine, or installs Debian's where that is possible. */
import { execFileSync } from "node:child_process"
import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Part, partsLeftOut } from "../without.mjs"

/** What a part is called elsewhere, and where its programs are. */
interface PartFacts {
  readonly title: string
  /** Debian package. */
  readonly package: string
  readonly programs: readonly string[]
  /** Folders beside those of `PATH`; the first that has a program counts. */
  readonly folders: () => readonly string[]
}

const usual = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"]

/** Debian keeps each release in a folder of its own and none of them in `PATH`. The newest counts. */
function releases(): string[] {
  const base = "/usr/lib/postgresql"
  if (!existsSync(base)) return []
  const numbers = readdirSync(base).sort((a, b) => Number(b) - Number(a))
  return numbers.map((number) => join(base, number, "bin"))
}

/** Every part by its name. */
export const partFacts: Readonly<Record<Part, PartFacts>> = {
  postgresql: {
    title: "PostgreSQL",
    package: "postgresql",
    programs: ["postgres", "initdb"],
    folders: () => [...releases(), ...usual],
  },
  mariadb: {
    title: "MariaDB",
    package: "mariadb-server",
    programs: ["mariadbd", "mariadb-install-db"],
    folders: () => usual,
  },
  redis: { title: "Redis", package: "redis-server", programs: ["redis-server", "redis-cli"], folders: () => usual },
  pgbouncer: { title: "PgBouncer", package: "pgbouncer", programs: ["pgbouncer"], folders: () => usual },
  nginx: { title: "nginx", package: "nginx", programs: ["nginx"], folders: () => usual },
}

/** What is asked of the machine; tests put another one here. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  isProgram(path: string): boolean
  /** Installs packages; absent where that is not possible. */
  install?(packages: readonly string[]): void
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Keeps freshly installed packages from starting servers of their own, unless the machine has a policy already. */
function withoutStarting(work: () => void): void {
  const policy = "/usr/sbin/policy-rc.d"
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 })
  try {
    work()
  } finally {
    if (isOurs) rmSync(policy, { force: true })
  }
}

function install(packages: readonly string[]): void {
  console.log(`Missing: ${packages.join(", ")}. Installing: apt-get install ${packages.join(" ")}`)
  const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const
  // Another process may be installing as well.
  const wait = ["-o", "DPkg::Lock::Timeout=300"]
  withoutStarting(() => {
    execFileSync("apt-get", [...wait, "update", "-qq"], options)
    execFileSync("apt-get", [...wait, "install", "-y", "-qq", "--no-install-recommends", ...packages], options)
  })
}

/** The machine this runs on. */
export const thisMachine: Machine = {
  env: process.env,
  isProgram,
  ...(process.getuid?.() === 0 && existsSync("/usr/bin/apt-get") ? { install } : {}),
}

function find(program: string, part: Part, { env, isProgram }: Machine): string | undefined {
  const folders = [...partFacts[part].folders(), ...(env["PATH"] ?? "").split(delimiter)]
  return folders.map((folder) => join(folder, program)).find(isProgram)
}

function isThere(part: Part, machine: Machine): boolean {
  return partFacts[part].programs.every((program) => find(program, part, machine) !== undefined)
}

/**
 * Makes sure that the parts are on the machine, and answers those that are to be used: all but the ones that
 * `LATCHKEY_WITHOUT` names. Throws one error with the one command when some are missing and cannot be installed.
 */
export function requireParts<P extends Part>(wanted: readonly P[], machine: Machine = thisMachine): readonly P[] {
  const without: readonly Part[] = partsLeftOut(machine.env)
  const used = wanted.filter((part) => !without.includes(part))
  const packagesOf = (missing: readonly Part[]): string[] => missing.map((part) => partFacts[part].package)
  const missing = used.filter((part) => !isThere(part, machine))
  if (missing.length > 0) machine.install?.(packagesOf(missing))
  const still = missing.filter((part) => !isThere(part, machine))
  if (still.length === 0) return used
  const titles = still.map((part) => partFacts[part].title).join(", ")
  throw new Error(
    `The tests against real servers need ${titles}: sudo apt-get install ${packagesOf(still).join(" ")}\n` +
      `(or LATCHKEY_WITHOUT=${still.join(",")} to go without, which CI does not allow)`,
  )
}

/** Path of one program of a part. Throws as {@link requireParts} does. */
export function programOf(part: Part, program: string): string {
  requireParts([part], { ...thisMachine, env: { ...thisMachine.env, LATCHKEY_WITHOUT: "" } })
  const path = find(program, part, thisMachine)
  if (path === undefined) throw new Error(`${partFacts[part].title} has no program "${program}".`)
  return path
}
