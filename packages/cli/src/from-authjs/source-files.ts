/** The source files of a project, found without leaving its folder, and what could not be looked at. */
import { join, relative, sep } from "node:path"
import { Failure } from "../command.js"
import type { World } from "../world.js"

/** What was found. */
export interface Sources {
  readonly sources: readonly { readonly path: string; readonly text: string }[]
  /** What could not be looked at, one sentence each. */
  readonly unread: readonly string[]
}

/** What other programs put beside the `package.json` of a project; further down, these are names like any other. */
const isMade = (name: string): boolean => /^(?:dist|build|out|coverage)$/.test(name)
const isPassedOver = (name: string): boolean => name === "node_modules" || name.startsWith(".")
const isSource = (name: string): boolean => /\.(?:[cm]?[jt]sx?|svelte|vue|astro)$/.test(name)

const notLookedAt = (path: string, why: string): string =>
  `${path}: not looked at. ${why} If it uses Auth.js, change it by hand.`

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`)
}

/** Reads all source files below a folder. Links to folders are not followed: what they lead to may contain them. */
export function sourcesBelow(folder: string, files: World["files"]): Sources {
  const root = files.lookAt(folder)
  const home = "real" in root ? root.real : folder
  const sources: { path: string; text: string }[] = []
  const unread: string[] = []

  function attempt<T>(path: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      unread.push(notLookedAt(path === "" ? "." : path, error.message))
      return undefined
    }
  }

  function visit(path: string, name: string): void {
    const found = files.lookAt(join(folder, path))
    if (found.kind === "unknown") unread.push(notLookedAt(path, `Cannot read it: ${found.why}.`))
    else if (found.kind === "folder") {
      if (!found.isLink) walk(path)
      else if (!isWithin(home, found.real)) {
        unread.push(notLookedAt(path, `It is a symbolic link to the folder ${found.real}, outside of this one.`))
      }
    } else if (found.kind === "file" && isSource(name)) {
      const text = attempt(path, () => files.read(join(folder, path)))
      if (text !== undefined) sources.push({ path, text })
    } else if (found.kind === "other" && isSource(name)) {
      unread.push(notLookedAt(path, "It is a pipe or a device, and a file is expected."))
    }
  }

  function walk(base: string): void {
    const names = attempt(base, () => files.list(join(folder, base))) ?? []
    const isPackage = names.includes("package.json")
    for (const name of names) {
      if (isPassedOver(name) || (isPackage && isMade(name))) continue
      visit(base === "" ? name : `${base}/${name}`, name)
    }
  }

  walk("")
  return { sources, unread }
}
