/** Every entry point of every package is bundled without any optional peer dependency, and the bundle runs. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { link, packages } from "./fixture.js"
import * as programs from "./programs.js"
import { type Bundler, bundle, doorsOf, run, type Target, writePrograms } from "./workshop.js"

/** Packages that need not be there. A bundler may warn that they are not; of anything else it may not. */
const optional = /@simplewebauthn\/server|nodemailer|\bpg\b|mysql2|libsql/
/** The same of `redis`, which looks for a faster checksum and for tracing. */
const optionalForRedis = /@node-rs\/xxhash|@opentelemetry\/api/

/** The packages that say something in an environment without Node's modules. */
const forEveryRuntime = ["core"] as const

let out: string
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "latchkey-bundled-"))
})
afterAll(() => rm(out, { recursive: true, force: true }))

const newFolder = (): Promise<string> => mkdtemp(join(out, "bundle-"))

it("no optional peer can be found where the bundles are made", async () => {
  const installed = await readdir(join(inject("workshop"), "node_modules"))
  expect(installed.filter((name) => optional.test(name) || name === "@simplewebauthn")).toEqual([])
})

describe.each<[Bundler, Target, readonly (typeof packages)[number][]]>([
  ["esbuild", "node", packages],
  ["esbuild", "workerd", forEveryRuntime],
  ["esbuild", "browser", forEveryRuntime],
  ["rollup", "node", packages],
  ["webpack", "node", packages],
  ["vite", "node", packages],
])("%s, for %s", (bundler, target, names) => {
  it("bundles every door", async () => {
    const doors = (await Promise.all(names.map(doorsOf))).flat()
    expect(doors.length).toBeGreaterThan(100)
    const files = await writePrograms({
      doors: doors.map((door, index) => `export * as door${index} from "${door}"\n`).join(""),
    })
    const warnings = await bundle({ bundler, target, out: await newFolder() }, files)
    expect(warnings.filter((warning) => !isAllowed(warning))).toEqual([])
  })
})

function isAllowed(warning: string): boolean {
  return optional.test(warning) || optionalForRedis.test(warning) || /Circular dependency/.test(warning)
}

const missing = "npm install @simplewebauthn/server"

describe.each<[Bundler, Target]>([
  ["esbuild", "node"],
  ["esbuild", "workerd"],
  ["rollup", "node"],
  ["webpack", "node"],
  ["vite", "node"],
])("a program bundled by %s for %s", (bundler, target) => {
  it("shows the sign-in page, reads a session, and names the package that passkeys need", async () => {
    const folder = await newFolder()
    await bundle({ bundler, target, out: folder }, await writePrograms({ server: programs.server }))
    expect(await run(folder, "server")).toEqual({
      status: 200,
      offersGitHub: true,
      session: "Ada",
      passkey: { status: 500, challenge: "undefined" },
      foreign: { status: 500, challenge: "undefined" },
      messages: [expect.stringContaining(missing), expect.stringContaining(missing)],
    })
  })
})

it.each<Bundler>(["esbuild", "rollup", "webpack", "vite"])(
  "the client bundled by %s reads a session and brings the browser's part of passkeys",
  async (bundler) => {
    const folder = await newFolder()
    const target = bundler === "vite" ? "node" : "browser"
    await bundle({ bundler, target, out: folder }, await writePrograms({ browser: programs.browser }))
    expect(await run(folder, "browser")).toEqual({
      session: "Ada",
      refusal: "WebAuthn is not supported in this browser",
    })
  },
)

it("the package that verifies passkeys is part of the bundle where it is installed", async () => {
  const library = fileURLToPath(new URL("../../node_modules/@simplewebauthn/server", import.meta.url))
  const workshop = inject("workshop")
  await link(library, workshop, "@simplewebauthn/server")
  try {
    const folder = await newFolder()
    await bundle({ bundler: "esbuild", target: "node", out: folder }, await writePrograms({ server: programs.server }))
    expect(await run(folder, "server")).toMatchObject({
      passkey: { status: 200, challenge: "string" },
      // A provider object of another library loads nothing that a bundler could see.
      foreign: { status: 500 },
      messages: [expect.stringContaining("@latchkey/core/providers/passkey")],
    })
  } finally {
    await rm(join(workshop, "node_modules/@simplewebauthn"), { recursive: true })
  }
})
