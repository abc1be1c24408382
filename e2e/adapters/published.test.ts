/** Adapters published for Auth.js, on real databases: each signs a person in with our engine, and runs our contract. */
import { existsSync, readFileSync } from "node:fs"
import { contractCases, formatContract, runContract } from "@latchkey/adapter-contract"
import type { Adapter } from "@latchkey/core/adapters"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { byMail, byProvider, type Person, rehearsalConfig } from "../../packages/adapter-contract/src/rehearsal.js"
import { openVisitor } from "../../packages/adapter-contract/src/visitor.js"
import { createAuth } from "../../packages/core/src/engine/auth.js"
import { leftOut, published } from "./published.data.js"

interface Made {
  readonly adapter: Adapter
  close(): unknown
}

const fixtures = ["adapters/adapters.mjs", "prisma/prisma.mjs"].map(
  (path) => new URL(`../fixtures/${path}`, import.meta.url),
)
let factories: Readonly<Record<string, (url: string) => Promise<Made>>>

beforeAll(async () => {
  const load = ({ href }: URL) => import(/* @vite-ignore */ href) as Promise<{ factories: typeof factories }>
  factories = Object.assign({}, ...(await Promise.all(fixtures.map(load))).map((module) => module.factories))
})

let count = 0

/** An empty database. */
async function freshDatabase(): Promise<string> {
  count += 1
  const name = `published_${count}`
  const client = new pg.Client(inject("postgresql"))
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(inject("postgresql")), { pathname: name }).href
}

/** The adapter as the engine calls it: with rows that are its own to change. */
function withCopies(adapter: Adapter): Adapter {
  const copy = (value: unknown): unknown => (typeof value === "object" && value !== null ? { ...value } : value)
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      if (typeof method !== "function") return method
      return (...args: unknown[]) => Reflect.apply(method, target, args.map(copy))
    },
  })
}

// Left out only where `LATCHKEY_WITHOUT` names the server, and counted as skipped then.
describe.skipIf(inject("postgresql") === "")("published for Auth.js", () => {
  describe.each(published)("$name", ({ name, excluded }) => {
    let made: Made
    beforeAll(async () => {
      const factory = factories[name]
      if (!factory) throw new Error(`No fixture of e2e/fixtures makes a ${name}.`)
      made = await factory(await freshDatabase())
    })
    afterAll(() => made?.close())

    it.each([
      ["at a provider", byProvider],
      ["by mail", byMail],
    ] as const)("lets a person in %s, knows them, and lets them go", async (_, way) => {
      const account = globalThis.crypto.randomUUID()
      const person: Person = { email: `${account}@example.test`, account, mails: [], credentials: [] }
      const visitor = openVisitor(createAuth(rehearsalConfig(person, made.adapter, "database"), { env: {} }))
      for (const _time of ["first", "second"]) {
        await way({ person, visitor })
        expect(await visitor.whoami()).toBe(person.email)
        await visitor.post("/auth/signout", {})
        expect(await visitor.whoami()).toBeUndefined()
      }
    })

    it("keeps the contract except for the listed cases, and those still fail", async () => {
      const report = await runContract(() => withCopies(made.adapter), { excuses: excluded })
      expect(report.isKept, formatContract(report)).toBe(true)
    })

    it("is excused with a reason, case by case", () => {
      const known = contractCases.map((contractCase) => contractCase.name)
      for (const excuse of excluded) {
        expect(known).toContain(excuse.case)
        expect(excuse.reason).toMatch(/\w{3}/)
      }
    })
  })
})

it("runs every adapter the fixture has, and leaves out only what it does not have", () => {
  const installed = fixtures
    .map((fixture) => JSON.parse(readFileSync(new URL("package.json", fixture), "utf8")) as { dependencies: object })
    .flatMap(({ dependencies }) => Object.keys(dependencies))
    .filter((name) => name.startsWith("@auth/"))
  expect(published.map(({ name }) => name).toSorted()).toEqual(installed.toSorted())
  const isInstalled = ({ name }: { readonly name: string }): boolean =>
    fixtures.some((fixture) => existsSync(new URL(`node_modules/${name}`, fixture)))
  expect(leftOut.filter(isInstalled)).toEqual([])
  for (const { reason } of leftOut) expect(reason).toMatch(/\w{3}/)
})
