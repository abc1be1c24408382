/** The rules of `floors.cjs` catch what they are for: each is broken once in a small tree made for it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from "dependency-cruiser"
import { afterAll, expect, it } from "vitest"

const house: { readonly forbidden: NonNullable<IFlattenedRuleSet["forbidden"]>; readonly options: object } =
  createRequire(import.meta.url)("../../../../floors.cjs")
const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url))
const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true })
})

/** The rules a tree breaks. Each file is given as its import statements. */
async function broken(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "floors-"))
  made.push(folder)
  // Libraries are found as they are installed: what their exports lead to is what the rules see.
  symlinkSync(modules, join(folder, "node_modules"))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { output } = await cruise(["packages"], {
    ...house.options,
    baseDir: folder,
    ruleSet: { forbidden: house.forbidden },
    validate: true,
  })
  return [...new Set((output as ICruiseResult).summary.violations.map(({ rule }) => rule.name))].toSorted()
}

const src = "packages/core/src"
const value = "export const a = 1\n"

it("accepts imports from lower floors and from the same room", async () => {
  const files = {
    [`${src}/std/a.ts`]: value,
    [`${src}/http/a.ts`]: 'import { a } from "../std/a.js"\nimport { b } from "./b.js"\nexport const c = a + b\n',
    [`${src}/http/b.ts`]: "export const b = 2\n",
    [`${src}/errors.ts`]: value,
    [`${src}/index.ts`]: 'export * from "./http/a.js"\nexport * from "./errors.js"\n',
  }
  expect(await broken(files)).toEqual([])
})

it.each([
  ["upward", "std/a.ts", "http/b.ts", ["floor-of-std"]],
  ["sideways", "sessions/a.ts", "checks/b.ts", ["floor-of-sessions"]],
  ["to a door above", "engine/a.ts", "index.ts", ["floor-of-engine"]],
  ["of a provider by the inside", "config/a.ts", "providers/b.ts", ["inside-knows-no-provider-and-no-adapter"]],
  ["of an adapter by the inside", "engine/a.ts", "adapters/b.ts", ["inside-knows-no-provider-and-no-adapter"]],
])("refuses an import %s, also of a type", async (_, from, to, rules) => {
  const specifier = `../${to.replace(/ts$/, "js")}`
  const target = { [`${src}/${to}`]: "export interface B {}\nexport const a = 1\n" }
  expect(
    await broken({ ...target, [`${src}/${from}`]: `import { a } from "${specifier}"\nexport const c = a\n` }),
  ).toEqual(rules)
  expect(
    await broken({ ...target, [`${src}/${from}`]: `import type { B } from "${specifier}"\nexport type C = B\n` }),
  ).toEqual(rules)
})

it("refuses a circle of types", async () => {
  const files = {
    [`${src}/types/a.ts`]: 'import type { B } from "./b.js"\nexport type A = B\n',
    [`${src}/types/b.ts`]: 'import type { A } from "./a.js"\nexport type B = A\n',
  }
  expect(await broken(files)).toEqual(["no-circle"])
})

it.each([
  ["jose", "crypto/jose.ts", "crypto/native.ts", "keeper-of-jose"],
  ["oauth4webapi", "methods/oauth/a.ts", "methods/email/a.ts", "keeper-of-oauth4webapi"],
  ["@simplewebauthn/server", "providers/webauthn.ts", "methods/credentials.ts", "keeper-of-simplewebauthn-server"],
  [
    "@simplewebauthn/server/helpers",
    "providers/webauthn.ts",
    "methods/credentials.ts",
    "keeper-of-simplewebauthn-server",
  ],
  ["@simplewebauthn/browser", "client/library.ts", "client/passkey.ts", "keeper-of-simplewebauthn-browser"],
  ["cookie", "std/cookie.ts", "http/cookies.ts", "keeper-of-cookie"],
  ["nodemailer", "providers/nodemailer.ts", "providers/resend.ts", "keeper-of-nodemailer"],
])("accepts an import of %s only in its keeper", async (library, keeper, other, rule) => {
  const text = `import { a } from "${library}"\nexport const b = a\n`
  expect(await broken({ [`${src}/${keeper}`]: text })).toEqual([])
  expect(await broken({ [`${src}/${other}`]: text })).toEqual([rule])
})

it("lets the WebAuthn methods import the types of their library, but not its code", async () => {
  const ceremony = `${src}/methods/webauthn/a.ts`
  const library = "@simplewebauthn/server"
  for (const types of [
    `import type { a } from "${library}"\nexport type B = a\n`,
    `export type B = typeof import("${library}")\n`,
  ])
    expect(await broken({ [ceremony]: types })).toEqual([])
  for (const loading of [
    `import { a } from "${library}"\nexport const b = a\n`,
    `export const b = () => import("${library}")\n`,
  ])
    expect(await broken({ [ceremony]: loading })).toEqual(["loader-of-simplewebauthn-server"])
})

it.each(["node:crypto", "kysely", "not-installed"])("refuses %s in the core", async (library) => {
  expect(await broken({ [`${src}/std/a.ts`]: `import a from "${library}"\nexport const b = a\n` })).toEqual([
    "only-kept-libraries",
  ])
})

it("lets other packages import a door by its published name only", async () => {
  const files = {
    [`${src}/std/a.ts`]: value,
    "packages/express/src/index.ts": 'import { a } from "../../core/src/std/a.js"\nexport const b = a\n',
  }
  expect(await broken(files)).toEqual(["packages-see-doors-only"])
})
