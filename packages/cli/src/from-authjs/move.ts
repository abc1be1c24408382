/** What a move changes in the files of an application, and what is left to the person. */
import { join } from "node:path"
import { Failure } from "../command.js"
import type { Change } from "../init/plan.js"
import { installCommand, majorOf } from "../project.js"
import type { World } from "../world.js"
import { type Application, isOfAuthJs, placesOf, type SourceFile } from "./application.js"
import { type ClientModule, clientModuleOf } from "./client-module.js"
import { movedManifest } from "./manifest.js"
import { counterpartOf, missingNames, packageOf, renamed, type Way } from "./renames.js"
import { lineAt } from "./source-text.js"

/** Everything that is going to happen. */
export interface Move {
  readonly way: Way
  readonly changes: readonly Change[]
  /** What has to be done by hand, one sentence each. */
  readonly left: readonly string[]
}

/** Packages of Auth.js that the project depends on. */
export function packagesOfAuthJs({ project }: Pick<Application, "project">): readonly (readonly [string, string])[] {
  return Object.entries(project.manifest.dependencies).flatMap(([name, range]) =>
    isOfAuthJs(name) ? [[name, String(range)] as const] : [],
  )
}

/** One way for the whole project: a package without a counterpart needs the engine under the name of Auth.js. */
export function wayOf(application: Application, isEngineOnly: boolean): Way {
  const names = packagesOfAuthJs(application).map(([name]) => name)
  const isOldNext = names.includes("next-auth") && (majorOf(application.project, "next") ?? 16) < 15
  return isEngineOnly || isOldNext || names.some((name) => counterpartOf(name) === undefined) ? "engine" : "packages"
}

interface Changed {
  readonly after: string
  readonly left: readonly string[]
  /** Packages that it imports from now on. */
  readonly needed: readonly string[]
}

function changedFile({ path, text, references }: SourceFile, client: ClientModule | undefined): Changed {
  const left: string[] = []
  const needed: string[] = []
  const parts: string[] = []
  let done = 0
  // From the one before, so that a file with many is not read from its beginning for each.
  let [line, counted] = [1, 0]
  for (const { specifier, at, names, isAugmentation } of references) {
    if (!isOfAuthJs(specifier)) continue
    const result = renamed({ specifier, isAugmentation, client: client?.from(path) ?? "" })
    line += lineAt(text.slice(counted, at), at - counted) - 1
    counted = at
    const place = `${path}:${line}`
    if (result === undefined) continue
    for (const [name, remedy] of missingNames(specifier, names)) {
      left.push(`${place}: "${name}" of ${specifier} has another name here. ${remedy}`)
    }
    if ("remedy" in result) left.push(`${place}: there is no counterpart to "${specifier}". ${result.remedy}`)
    else {
      parts.push(text.slice(done, at), result.to)
      done = at + specifier.length
      if (result.to.startsWith("@")) needed.push(packageOf(result.to))
    }
  }
  return { after: parts.join("") + text.slice(done), left, needed }
}

/** Versions of other packages that do not go together with ours. */
function versionsLeft({ project, providers }: Application, way: Way): readonly string[] {
  const left: string[] = []
  const mailer = majorOf(project, "nodemailer")
  if (mailer !== undefined && (mailer < 7 || mailer > 10)) {
    left.push(
      `nodemailer: expected 7 to 10, received ${mailer}. Run: ${installCommand(project, ["nodemailer"], false)}`,
    )
  }
  const isWithPasskeys = providers.has("passkey") || providers.has("webauthn")
  const passkeys = majorOf(project, "@simplewebauthn/server")
  if (isWithPasskeys && (passkeys === undefined || passkeys < 13)) {
    const name = "@simplewebauthn/server"
    const received = passkeys === undefined ? "none" : String(passkeys)
    const more = way === "engine" ? " See docs/guides/moving-from-authjs.md#what-does-not-work." : ""
    left.push(
      `${name}: expected 13 or 14, received ${received}. Run: ${installCommand(project, [name], false)}.${more}`,
    )
  }
  return left
}

/** What packages of Auth.js that stay need, with either engine. */
const kept: Readonly<Record<string, string>> = {
  "@auth/qwik": "@auth/qwik: its forms need a script that sends X-Auth-Return-Redirect.",
  "@auth/solid-start": '@auth/solid-start: set basePath: "/api/auth" in the configuration; it passes only `prefix` on.',
}

/** Variables that next-auth read under older names. */
function variablesLeft({ env, files }: Application): readonly string[] {
  const named = Object.keys(env.env).flatMap((name) => {
    const file = env.sourceOf(name)
    return /^NEXTAUTH_(?:SECRET|URL)$/.test(name) && file !== undefined ? [[name, file] as const] : []
  })
  const inCode = placesOf(/\bNEXTAUTH_SECRET\b/, files).map(
    ({ path, line }) => ["NEXTAUTH_SECRET", `${path}:${line}`] as const,
  )
  return [...named, ...inCode].map(
    ([name, place]) =>
      `${place}: rename ${name} to ${name.replace("NEXTAUTH", "AUTH")}, with the same value, where the application runs as well.`,
  )
}

/** Renames the imports of all files; with the engine's way no file changes. */
function changesOfFiles(application: Application): {
  changes: readonly Change[]
  left: readonly string[]
  needed: ReadonlySet<string>
} {
  const client = clientModuleOf(application)
  const changed = application.files.map((file) => ({ file, ...changedFile(file, client) }))
  const changes = changed.flatMap(({ file, after }) =>
    after === file.text ? [] : [{ path: file.path, before: file.text, after }],
  )
  const needed = new Set([...changed.flatMap((each) => each.needed), ...(client ? ["@latchkey/react"] : [])])
  return {
    changes: [...changes, ...(client ? [{ path: client.path, before: undefined, after: client.content }] : [])],
    left: changed.flatMap((each) => each.left),
    needed,
  }
}

/**
 * Plans the move.
 *
 * @throws Failure for an application that is not one of Auth.js 5
 */
export function planMove(
  application: Application,
  { isEngineOnly, version }: { isEngineOnly: boolean; version: string },
  world: Pick<World, "files">,
): Move {
  const { project } = application
  const names = packagesOfAuthJs(application)
  if (names.length === 0) {
    throw new Failure(
      "package.json names no package of Auth.js 5: expected next-auth, @auth/core, @auth/express, @auth/sveltekit or another that is built on @auth/core.",
    )
  }
  if (majorOf(project, "next-auth") === 4) {
    throw new Failure(
      "next-auth 4 is here. Move to next-auth 5 first: https://authjs.dev/getting-started/migrating-to-v5",
    )
  }
  const way = wayOf(application, isEngineOnly)
  const files = way === "packages" ? changesOfFiles(application) : { changes: [], left: [], needed: new Set<string>() }
  const before = world.files.read(join(project.folder, "package.json")) ?? "{}"
  const counterparts = names.flatMap(([name]) => counterpartOf(name) ?? []).filter((name) => name !== "@latchkey/core")
  const exchange = {
    way,
    needed: [...new Set([...files.needed, ...counterparts])],
    range: `^${version}`,
    packageManager: project.packageManager,
  }
  const after = movedManifest(before, exchange)
  const manifest = after === before ? [] : [{ path: "package.json", before, after }]
  return {
    way,
    changes: [...files.changes, ...manifest],
    left: [
      ...files.left,
      ...application.unread,
      ...(way === "engine" ? names.flatMap(([name]) => kept[name] ?? []) : []),
      ...versionsLeft(application, way),
      ...variablesLeft(application),
    ],
  }
}
