/** The code stands as ARCHITECTURE.md says: floors, keepers of libraries, state. What else only one file may do is the linter's to check: biome.json and tools/lint. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from "dependency-cruiser"
import ts from "typescript"
import { beforeAll, describe, expect, it } from "vitest"
import { moduleState } from "./house/module-state.js"
import { readSources } from "./house/scan.js"
import { sessionMakers } from "./house/session-makers.js"

const top = fileURLToPath(new URL("../../../", import.meta.url))
const sources = readSources()

/** The floors as `floors.cjs` has them. */
interface Floors {
  readonly forbidden: IFlattenedRuleSet["forbidden"]
  readonly options: object
  readonly floors: readonly (readonly string[])[]
  readonly doors: readonly string[]
  readonly keepers: Readonly<Record<string, string | readonly string[]>>
}
const house: Floors = createRequire(import.meta.url)("../../../floors.cjs")

describe("floors", () => {
  let result: ICruiseResult
  beforeAll(async () => {
    const { forbidden, options } = house
    const { output } = await cruise(
      readdirSync(`${top}packages`)
        .map((name) => `packages/${name}/src`)
        .filter((path) => existsSync(top + path)),
      { ...options, baseDir: top, ruleSet: { forbidden: forbidden ?? [] }, validate: true },
    )
    result = output as ICruiseResult
  }, 180_000)

  it("have no import from above, from beside, in circles, or of a library outside of its keeper", () => {
    expect(result.summary.totalCruised).toBeGreaterThan(80)
    expect(result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([])
  })

  it("list every folder and every door", () => {
    const known = [...house.floors.flat(), ...house.doors]
    const found = readdirSync(`${top}packages/core/src`, { withFileTypes: true })
      .filter(({ name }) => !name.endsWith(".test.ts"))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    expect(found.toSorted()).toEqual(known.toSorted())
  })

  it("have a keeper for every library the package depends on, and no other", () => {
    const manifest = JSON.parse(readFileSync(`${top}packages/core/package.json`, "utf8"))
    // Of the libraries of the development, those that the build puts into what is published.
    const named = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.devDependencies,
    })
    expect(Object.keys(house.keepers).toSorted()).toEqual(named.toSorted())
  })
})

describe("ARCHITECTURE.md", () => {
  const text = readFileSync(`${top}ARCHITECTURE.md`, "utf8")
  const rowsOf = (heading: string): string[][] =>
    (text.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
      .split("\n")
      .filter((line) => /^\| *[`\d]/.test(line))
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
  const namesIn = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)

  it("lists the floors as they are enforced", () => {
    const listed = rowsOf("Floors").map(([floor, rooms]) => [Number(floor), namesIn(rooms).toSorted()])
    const enforced = [...house.floors, house.doors].map((rooms, floor) => [floor, rooms.toSorted()])
    expect(listed).toEqual(enforced.toReversed())
  })

  it("describes every room", () => {
    const listed = rowsOf("Rooms").map(([room]) => namesIn(room)[0])
    expect(listed.toSorted()).toEqual(
      house.floors
        .flat()
        .filter((name) => name.endsWith("/"))
        .toSorted(),
    )
  })

  it("names files that exist", () => {
    const named = [...text.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs|cjs|md|json))`/g)].map(([, path = ""]) => path)
    const missing = named.filter((path) => ![top, `${top}packages/core/src/`].some((base) => existsSync(base + path)))
    expect(named.length).toBeGreaterThan(40)
    expect(missing).toEqual([])
  })

  it("says of every suite with applications, servers or browsers what it is for", () => {
    const entries = readdirSync(`${top}e2e`, { withFileTypes: true })
    // The test runner keeps what it makes of a configuration in a folder beside it.
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    expect(folders.map(({ name }) => name).filter((name) => !text.includes(`\`e2e/${name}\``))).toEqual([])
  })

  it("names the keepers as they are enforced", () => {
    const rows = rowsOf("Keepers of libraries").map(([library, keepers]) => [namesIn(library)[0], namesIn(keepers)])
    const enforced = Object.entries(house.keepers).map(([library, keepers]) => [library, [keepers].flat()])
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(enforced))
  })
})

it("lists every decision by its number, without a gap", () => {
  const names = readdirSync(`${top}docs/decisions`).filter((name) => /^\d/.test(name))
  const listed = [...readFileSync(`${top}docs/decisions/README.md`, "utf8").matchAll(/\]\((\d{4}-[^)]+)\)/g)]
  expect(listed.map(([, name]) => name)).toEqual(names.toSorted())
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1))
})

it("keeps state at module level only in engine/auth.ts, and elsewhere derived keys (jwt.ts) and drawn bytes (std/random.ts)", () => {
  const others = sources.filter(({ name }) => !["engine/auth.ts", "jwt.ts"].includes(name))
  expect(others.flatMap(moduleState)).toEqual([])
})

describe("a session", () => {
  const makersOf = sources
    // Adapters are what is called.
    .filter(({ name }) => !name.startsWith("adapters/"))
    .map((source) => ({ name: source.name, makes: sessionMakers(source) }))
  const filesWith = (what: string): string[] =>
    makersOf
      .filter(({ makes }) => makes.has(what))
      .map(({ name }) => name)
      .toSorted()

  it.each([
    // Whoever was admitted, a user that tests sign in, and somebody who acts for a user.
    ["begin", ["admission/arrive.ts", "engine/mint.ts", "sessions/control.ts"]],
    // The trial measures the cookie of a session that nobody has.
    ["passSignIn", ["engine/trial.ts", "sessions/jwt-visits.ts"]],
    ["recordToken", ["sessions/jwt-visits.ts"]],
    ["recordRow", ["sessions/database.ts"]],
    // The others renew a session that is there.
    ["createSession", ["sessions/database-control.ts", "sessions/database.ts"]],
    [
      "writeToken",
      ["engine/trial.ts", "sessions/jwt-facts.ts", "sessions/jwt-next.ts", "sessions/jwt-visits.ts", "sessions/jwt.ts"],
    ],
    ["sessionToken", ["sessions/database-control.ts", "sessions/database.ts", "sessions/jwt-cookie.ts"]],
  ])("begins in one place, which no way of signing in can pass by: %s", (what, files) => {
    expect(filesWith(what)).toEqual(files)
  })
})

it("keeps the simulated services free of the code that they test", () => {
  // They know their fixtures alone: if they read a provider, they would agree with its mistakes.
  const simulators = ["providers/simulator.ts", "support/op.ts"]
  const texts = simulators.map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
  const imported = texts.flatMap((text) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName))
  expect(imported.length).toBeGreaterThan(1)
  expect(imported.filter((name) => /providers\//.test(name))).toEqual([])
})

describe("a file", () => {
  it("begins with a sentence that says what it contains", () => {
    expect(sources.filter(({ text }) => !/^(?:\/\/ [^\n]*\n)*\/\*\*/.test(text)).map(({ name }) => name)).toEqual([])
  })

  it("is named after what it holds", () => {
    const vague = /(?:^|\/)(?:utils?|helpers?|common|misc|.*-(?:manager|service))\.ts$/
    expect(sources.filter(({ name }) => vague.test(name)).map(({ name }) => name)).toEqual([])
  })
})
