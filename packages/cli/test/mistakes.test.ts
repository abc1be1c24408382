/** Every mistake of the corpus is found by `latchkey doctor`, and a configuration that is right raises no alarm. */
import { rmSync } from "node:fs"
import { afterEach, describe, expect, it } from "vitest"
import { goodEnv, type Mistake, mistakes, right, writeProject } from "./support/mistakes.js"
import { type Outcome, runIn } from "./support/project.js"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Runs the doctor on a project with the mistake, and nothing else wrong. */
function examine(mistake: Partial<Mistake>): Promise<Outcome> {
  const { folder, env } = writeProject(mistake)
  folders.push(folder)
  return runIn(folder, ["doctor", ...(mistake.args ?? []), "--json"], { env })
}

interface Found {
  readonly code: string
  readonly level: string
  readonly message: string
  readonly remedy: string
  readonly page: string
}

const findingsOf = ({ out }: Outcome): Found[] => JSON.parse(out).findings

describe("latchkey doctor", () => {
  it("has a corpus of sixty mistakes and more, each with a name of its own", () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(60)
    expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length)
  })

  it.each(mistakes)("finds $name", async (mistake) => {
    const outcome = await examine(mistake)
    const hits = findingsOf(outcome).filter(
      ({ code, message, remedy }) => code === mistake.code && `${message} ${remedy}`.includes(mistake.says ?? ""),
    )
    expect({
      hits: hits.length,
      found: findingsOf(outcome).map(({ code, message }) => `${code}: ${message}`),
    }).toMatchObject({ hits: 1 })
    expect(outcome.code).toBe(findingsOf(outcome).some(({ level }) => level === "error") ? 1 : 0)
    for (const value of Object.values(goodEnv)) expect(JSON.stringify(findingsOf(outcome))).not.toContain(value)
  })

  it.each(right)("raises no alarm for %s", async (_name, configuration) => {
    const outcome = await examine(configuration)
    expect(findingsOf(outcome)).toEqual([])
    expect(outcome.code).toBe(0)
  })
})
