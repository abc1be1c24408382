import { describe, expect, it } from "vitest"
import { type Part, partsLeftOut, tellLeftOut } from "../without.mjs"
import { type Machine, requireParts } from "./programs.js"

const all: readonly Part[] = ["postgresql", "mariadb", "redis"]

/** A machine that has the programs whose names `has` accepts. */
function machine(has: (path: string) => boolean, rest: Partial<Machine> = {}): Machine {
  return { env: { PATH: "/usr/bin" }, isProgram: has, ...rest }
}
const everything = (): boolean => true
const nothing = (): boolean => false

describe("the parts a run needs", () => {
  it("are all used when the machine has them", () => {
    expect(requireParts(all, machine(everything))).toEqual(all)
  })

  it("are listed with the one command to install them when the machine lacks them", () => {
    expect(() =>
      requireParts(
        all,
        machine((path) => path.includes("redis")),
      ),
    ).toThrow(
      "The tests against real servers need PostgreSQL, MariaDB: sudo apt-get install postgresql mariadb-server\n" +
        "(or LATCHKEY_WITHOUT=postgresql,mariadb to go without, which CI does not allow)",
    )
  })

  it("count as missing when one of their programs is", () => {
    expect(() =>
      requireParts(
        ["redis"],
        machine((path) => path.endsWith("redis-cli")),
      ),
    ).toThrow("sudo apt-get install redis-server")
  })

  it("are installed in one go where that is possible", () => {
    const installed: string[] = []
    const install = (packages: readonly string[]): void => void installed.push(packages.join(" "))
    const has = (path: string): boolean => path.includes("redis") || installed.length > 0
    expect(requireParts(all, machine(has, { install }))).toEqual(all)
    expect(installed).toEqual(["postgresql mariadb-server"])
  })

  it("are listed as well when installing them did not help", () => {
    expect(() => requireParts(["redis"], machine(nothing, { install: () => undefined }))).toThrow("need Redis")
  })

  it("are neither sought nor installed when the run goes without them", () => {
    const env = { LATCHKEY_WITHOUT: "mariadb" }
    const has = (path: string): boolean => !path.includes("mariadb")
    const install = (): void => {
      throw new Error("nothing was to be installed")
    }
    expect(requireParts(all, machine(has, { env, install }))).toEqual(["postgresql", "redis"])
  })

  it("are all needed under CI, whatever is left out elsewhere", () => {
    const env = { CI: "true", LATCHKEY_WITHOUT: "redis" }
    expect(() => requireParts(all, machine(everything, { env }))).toThrow(
      "LATCHKEY_WITHOUT=redis is refused under CI=true: nothing may be left out there.",
    )
  })
})

describe("LATCHKEY_WITHOUT", () => {
  it.each([
    [undefined, []],
    ["", []],
    ["redis", ["redis"]],
    [" mariadb , redis, redis", ["mariadb", "redis"]],
  ])("%j leaves out %j", (text, expected) => {
    expect(partsLeftOut({ LATCHKEY_WITHOUT: text })).toEqual(expected)
  })

  it("refuses what is no part, so that a slip does not go unseen", () => {
    expect(() => partsLeftOut({ LATCHKEY_WITHOUT: "redis,oracle" })).toThrow(
      'LATCHKEY_WITHOUT names "oracle"; it can name postgresql, mariadb, redis, pgbouncer, nginx, with commas between them.',
    )
  })

  it("is named in the summary, one sentence for each part", () => {
    expect(tellLeftOut({})).toEqual([])
    expect(tellLeftOut({ LATCHKEY_WITHOUT: "redis" })).toEqual([
      "Without redis, as LATCHKEY_WITHOUT says: nothing was tested against it.",
    ])
  })
})
