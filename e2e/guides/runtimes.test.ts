/** The smoke of `packages/core/test/runtime` on every runtime, bundled once: which proves that the portable cryptography works outside of Node. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { portable } from "../../packages/core/src/crypto/jose.js"
import { openWith, sealWith } from "../../packages/core/src/crypto/jwe.js"
import { createKeyCache, createKeyring } from "../../packages/core/src/crypto/keyring.js"
import { cipher } from "../../packages/core/src/crypto/native.js"
import { type SmokeReport, shared } from "../../packages/core/test/runtime/smoke.js"
import { execute, programOf, scriptOf } from "./fixture.js"
import { freePort, start } from "./server.js"
import { workerdConfig } from "./workerd.js"

const sources = fileURLToPath(new URL("../../packages/core/test/runtime/", import.meta.url))
const sealing = { ...shared, keyring: createKeyring([shared.secret], createKeyCache(4)), now: new Date() }
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-runtimes-"))
  const bundle = [
    "--bundle",
    "--format=esm",
    "--platform=neutral",
    "--main-fields=module,main",
    `--outdir=${folder}`,
    "--out-extension:.js=.mjs",
  ]
  const entries = ["process.ts", "worker.ts"].map((file) => join(sources, file))
  await execute(process.execPath, [scriptOf("esbuild/bin/esbuild"), ...entries, ...bundle], { cwd: folder })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inProcess = (runtime: "node" | "bun" | "deno") => async (token: string) =>
  JSON.parse(
    await execute(programOf(runtime), [...(runtime === "deno" ? ["run"] : []), "process.mjs", token], { cwd: folder }),
  ) as SmokeReport

const inWorker = (flags: readonly string[]) => async (token: string) => {
  await writeFile(join(folder, "worker.capnp"), workerdConfig([{ name: "smoke", file: "worker.mjs", flags }]))
  const port = await freePort()
  const command = [programOf("workerd"), "serve", "worker.capnp", `--socket-addr=http=127.0.0.1:${port}`] as const
  const server = await start({ command, cwd: folder, env: {}, port })
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: token })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as SmokeReport
  } finally {
    await server.stop()
  }
}

const both = ["portable", "native"]
const runtimes: readonly { name: string; run: (token: string) => Promise<SmokeReport>; ways: readonly string[] }[] = [
  { name: "Node", run: inProcess("node"), ways: both },
  { name: "Bun", run: inProcess("bun"), ways: both },
  // Without a single permission: nothing is read of the environment or the disk.
  { name: "Deno", run: inProcess("deno"), ways: both },
  { name: "workerd", run: inWorker([]), ways: ["portable"] },
  // It makes no random bytes while a worker is being loaded, and the native way asks for none before it is used.
  { name: "workerd with nodejs_compat", run: inWorker(["nodejs_compat"]), ways: both },
]

describe.each(runtimes)("on $name", ({ run, ways }) => {
  it("a person signs in and has a session, and tokens go in and out by every way of cryptography [FP-14]", async () => {
    const token = await sealWith(cipher, { sub: "outside" }, sealing)
    const report = await run(token)
    expect(report.signIn).toEqual({ status: 302, location: "https://app.test/me" })
    expect(report.session).toMatchObject({ user: { name: "Ada", email: "ada@app.test" }, expires: expect.any(String) })
    expect(report.inProcess).toMatchObject({ user: { name: "Ada" } })
    expect(report.ways).toEqual(ways)
    for (const way of ways) {
      expect(report.opened[way]).toBe("outside")
      expect(report.refused[way]).toBe("refused")
      const sealed = report.sealed[way] ?? ""
      for (const mine of [cipher, portable]) expect(await openWith(mine, sealed, sealing)).toMatchObject({ sub: way })
    }
  })
})
