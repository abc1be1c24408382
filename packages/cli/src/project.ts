/** What a folder holds: framework, package manager, language, and where the sources are. */
import { dirname, join } from "node:path"
import { Failure } from "./command.js"
import type { World } from "./world.js"

/** The frameworks that `init` knows. */
export const frameworks = ["express", "sveltekit", "next", "hono"] as const
export type Framework = (typeof frameworks)[number]

/** The package that a project of the framework depends on. */
const packageOf: Readonly<Record<Framework, string>> = {
  sveltekit: "@sveltejs/kit",
  next: "next",
  hono: "hono",
  express: "express",
}

/** The origin of the development server of each. */
export const localOrigin: Readonly<Record<Framework, string>> = {
  express: "http://localhost:3000",
  sveltekit: "http://localhost:5173",
  next: "http://localhost:3000",
  hono: "http://localhost:3000",
}

/** The base path that the integration of each has unless another one is configured. */
export const mountOf: Readonly<Record<Framework, string>> = {
  express: "/auth",
  sveltekit: "/auth",
  next: "/api/auth",
  hono: "/auth",
}

/** What a `package.json` says, as far as it is asked. */
interface Manifest {
  readonly type?: unknown
  readonly main?: unknown
  readonly packageManager?: unknown
  readonly scripts: Readonly<Record<string, unknown>>
  /** Of every kind: name to range. */
  readonly dependencies: Readonly<Record<string, unknown>>
}

/** A project. */
export interface Project {
  readonly folder: string
  readonly manifest: Manifest
  /** Every framework that it depends on, the one that contains others first. */
  readonly frameworks: readonly Framework[]
  readonly packageManager: "npm" | "pnpm" | "yarn" | "bun"
  readonly isTypeScript: boolean
  /** JavaScript files that `require`. */
  readonly isCommonJs: boolean
  /** `src` where it is there, else the project's folder: relative, ending with a slash unless empty. */
  readonly sources: "src/" | ""
  /** The text of `tsconfig.json`; empty where there is none. */
  readonly tsconfig: string
}

const lockfiles = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
] as const

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** The text without the byte order mark that some editors begin it with, and that package managers pass over. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "")

/** A file's text; a pipe is refused, because nothing may ever come out of it. */
function textOf(path: string, files: World["files"]): string | undefined {
  if (files.lookAt(path).kind !== "other") return files.read(path)
  throw new Failure(`Cannot read ${path}: it is a pipe or a device, and a file is expected.`)
}

function readManifest(folder: string, { files }: Pick<World, "files">): Manifest {
  const text = textOf(join(folder, "package.json"), files)
  if (text === undefined) {
    throw new Failure(
      `There is no package.json in ${folder}. Start in the folder of an application: npm init -y && npm install express, npx sv create, npx create-next-app, or npm create hono@latest.`,
    )
  }
  try {
    const read = record(JSON.parse(withoutMark(text)))
    return {
      ...read,
      scripts: record(read.scripts),
      dependencies: { ...record(read.peerDependencies), ...record(read.devDependencies), ...record(read.dependencies) },
    }
  } catch (error) {
    throw new Failure(`package.json in ${folder} is not JSON: ${(error as Error).message}`, { cause: error })
  }
}

/** The lockfile may lie further up: in a workspace it does. */
function managerOf(folder: string, manifest: Manifest, world: Pick<World, "files" | "env">): Project["packageManager"] {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest.packageManager))?.[1]
  if (named !== undefined) return named as Project["packageManager"]
  for (let at = folder; ; at = dirname(at)) {
    const found = lockfiles.find(([file]) => world.files.exists(join(at, file)))
    if (found) return found[1]
    if (at === dirname(at)) break
  }
  const agent = /^(npm|pnpm|yarn|bun)\//.exec(world.env.npm_config_user_agent ?? "")?.[1]
  return (agent as Project["packageManager"] | undefined) ?? "npm"
}

/**
 * Looks a folder over.
 *
 * @throws Failure where there is no `package.json`, or it cannot be read
 */
export function readProject(folder: string, world: Pick<World, "files" | "env">): Project {
  const manifest = readManifest(folder, world)
  const tsconfig = textOf(join(folder, "tsconfig.json"), world.files) ?? ""
  const isTypeScript = tsconfig !== ""
  return {
    folder,
    manifest,
    frameworks: (["sveltekit", "next", "hono", "express"] as const).filter(
      (name) => packageOf[name] in manifest.dependencies,
    ),
    packageManager: managerOf(folder, manifest, world),
    isTypeScript,
    isCommonJs: !isTypeScript && manifest.type !== "module",
    sources: world.files.exists(join(folder, "src")) ? "src/" : "",
    tsconfig,
  }
}

/** The project around, where there is one. */
export function projectAround(world: Pick<World, "cwd" | "files" | "env">): Project | undefined {
  return world.files.exists(join(world.cwd, "package.json")) ? readProject(world.cwd, world) : undefined
}

/** Who reads the `.env` files, where it is not Node or the application itself. */
export function readerOf(project: Project | undefined): "vite" | "next" | undefined {
  const [first] = project?.frameworks ?? []
  return first === "sveltekit" ? "vite" : first === "next" ? "next" : undefined
}

/** Where a configuration usually is, for the framework or for any. */
export function usualPlaces(frameworks: readonly Framework[]): readonly string[] {
  const folders = frameworks.includes("sveltekit")
    ? ["src/", "src/lib/", "src/lib/server/"]
    : ["", "src/", "lib/", "src/lib/"]
  const names = ["auth", "auth.config"]
  return folders.flatMap((folder) =>
    names.flatMap((name) => ["ts", "js", "mts", "mjs"].map((end) => `${folder}${name}.${end}`)),
  )
}

/** The major version that a range of `package.json` names; `undefined` where it names none. */
export function majorOf(project: Project, name: string): number | undefined {
  const [, major] = /(\d+)/.exec(String(project.manifest.dependencies[name])) ?? []
  return major === undefined ? undefined : Number(major)
}

/** The command that installs packages. */
export function installCommand(
  { packageManager }: Project,
  names: readonly string[],
  isForDevelopment: boolean,
): string {
  const verb = packageManager === "npm" ? "install" : "add"
  const flag = !isForDevelopment
    ? ""
    : packageManager === "npm"
      ? " --save-dev"
      : packageManager === "yarn"
        ? " --dev"
        : " -D"
  return `${packageManager} ${verb}${flag} ${names.join(" ")}`
}
