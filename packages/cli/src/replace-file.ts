/** Writing a file so that it holds either what it held before or all of the new content, whatever happens meanwhile. */
import { randomBytes } from "node:crypto"
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, resolve } from "node:path"

/** Why another file cannot be put in the place of this one, though this one may be written: its folder, or a mount. */
const codesOfFolders: readonly unknown[] = ["EACCES", "EPERM", "EBUSY", "EXDEV", "EROFS"]

/**
 * Writes beside the file, and puts that in its place. Mode and owner stay, and links are followed; a new file gets the
 * mode. Where the folder allows no other file, the file itself is written: `isWhole` is `false` then, because somebody
 * may find half of it.
 * @throws whatever the operating system says; the file is as it was then, unless it had to be written itself
 */
export function replaceFile(path: string, content: string, mode = 0o666): { readonly isWhole: boolean } {
  const target = targetOf(path)
  const before = statSync(target, { throwIfNoEntry: false })
  // Another file in the place of one that is write-protected would be allowed.
  if (before) accessSync(target, constants.W_OK)
  if ((before && mustStay(before)) || !isReplaced(target, content, { before, mode })) {
    writeFileSync(target, content, { mode })
    return { isWhole: before === undefined || !before.isFile() }
  }
  return { isWhole: true }
}

/** A device or a pipe takes what is written; a second name of a file would go on to stand for the old one. */
function mustStay(before: Stats): boolean {
  return !before.isFile() || before.nlink > 1
}

/** What a symbolic link leads to, also where that is not there yet. */
function targetOf(path: string): string {
  const passed: string[] = []
  let end = path
  while (!existsSync(end)) {
    const next = linkAt(end)
    if (next === undefined) return end
    passed.push(end)
    end = resolve(dirname(end), next)
    if (passed.includes(end)) throw new Error(`symbolic links lead in a circle: ${[...passed, end].join(" -> ")}`)
  }
  return realpathSync(end)
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

interface Given {
  readonly before: Stats | undefined
  readonly mode: number
}

/** `false` where the folder or the owner of the file does not allow it. */
function isReplaced(target: string, content: string, given: Given): boolean {
  const beside = `${target}.${randomBytes(6).toString("hex")}.tmp`
  try {
    writeBeside(beside, content, given)
    renameSync(beside, target)
    return true
  } catch (error) {
    rmSync(beside, { force: true })
    if (error instanceof Error && "code" in error && codesOfFolders.includes(error.code)) return false
    throw error
  }
}

/** For the eyes of its owner alone, until owner and mode are those of the file. */
function writeBeside(beside: string, content: string, { before, mode }: Given): void {
  const file = openSync(beside, "wx", before ? 0o600 : mode)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (!before) return
  const made = statSync(beside)
  if (made.uid !== before.uid || made.gid !== before.gid) chownSync(beside, before.uid, before.gid)
  chmodSync(beside, before.mode & 0o7777)
}
