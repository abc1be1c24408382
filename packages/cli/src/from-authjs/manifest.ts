/** What changes in `package.json`. */
import { withoutMark } from "../project.js"
import { counterpartOf, type Way } from "./renames.js"

/** The parts that name packages. */
const sections = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const

type Section = Readonly<Record<string, unknown>>

/** What is changed. */
export interface Exchange {
  readonly way: Way
  /** Packages that the changed files import. */
  readonly needed: readonly string[]
  /** The range that they are given. */
  readonly range: string
  readonly packageManager: "npm" | "pnpm" | "yarn" | "bun"
}

const record = (value: unknown): Section => (typeof value === "object" && value !== null ? (value as Section) : {})

const isSorted = (names: readonly string[]): boolean =>
  names.every((name, at) => at === 0 || (names[at - 1] ?? "") <= name)

/** A section with other packages in it, sorted where it was. */
function exchanged(section: Section, { drop, add }: { drop: readonly string[]; add: Section }): Section {
  const kept = Object.entries(section).filter(([name]) => !drop.includes(name))
  const added = Object.entries(add).filter(([name]) => !(name in section))
  const all = [...kept, ...added]
  return Object.fromEntries(isSorted(Object.keys(section)) ? all.toSorted(([a], [b]) => (a < b ? -1 : 1)) : all)
}

/** The section that Auth.js stands in: what takes its place goes there as well. */
function homeOf(manifest: Section): (typeof sections)[number] {
  const found = sections.find((name) => Object.keys(record(manifest[name])).some((key) => counterpartOf(key)))
  return found ?? "dependencies"
}

function byPackages(manifest: Section, { needed, range }: Exchange): Section {
  const home = homeOf(manifest)
  const changed = sections.flatMap((name) => {
    const section = record(manifest[name])
    const drop = Object.keys(section).filter((key) => counterpartOf(key) !== undefined)
    const add = name === home ? Object.fromEntries(needed.map((key) => [key, range])) : {}
    return name in manifest || name === home ? [[name, exchanged(section, { drop, add })] as const] : []
  })
  return { ...manifest, ...Object.fromEntries(changed) }
}

/** npm, bun: `overrides`; pnpm: `pnpm.overrides`; yarn: `resolutions`. */
function byEngine(manifest: Section, { range, packageManager }: Exchange): Section {
  const alias = `npm:@latchkey/core@${range}`
  const dependencies = { ...record(manifest.dependencies), "@auth/core": alias }
  const { "@auth/core": _own, ...devDependencies } = record(manifest.devDependencies)
  const whole = {
    ...manifest,
    dependencies: exchanged(dependencies, { drop: [], add: {} }),
    ...("devDependencies" in manifest ? { devDependencies } : {}),
  }
  if (packageManager === "npm") {
    return { ...whole, overrides: { ...record(manifest.overrides), "@auth/core": "$@auth/core" } }
  }
  if (packageManager === "bun") return { ...whole, overrides: { ...record(manifest.overrides), "@auth/core": alias } }
  if (packageManager === "yarn")
    return { ...whole, resolutions: { ...record(manifest.resolutions), "@auth/core": alias } }
  const pnpm = record(manifest.pnpm)
  return { ...whole, pnpm: { ...pnpm, overrides: { ...record(pnpm.overrides), "@auth/core": alias } } }
}

/** The text of `package.json` after the move, indented as before, with the byte order mark where there was one. */
export function movedManifest(text: string, exchange: Exchange): string {
  const plain = withoutMark(text)
  const manifest = JSON.parse(plain) as Section
  const after = exchange.way === "packages" ? byPackages(manifest, exchange) : byEngine(manifest, exchange)
  const [, indent = "  "] = /^\{\r?\n([ \t]+)"/.exec(plain) ?? []
  const mark = text.slice(0, text.length - plain.length)
  return `${mark}${JSON.stringify(after, null, indent)}${text.endsWith("\n") ? "\n" : ""}`
}
