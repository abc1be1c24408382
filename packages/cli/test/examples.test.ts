/** `latchkey doctor`, and the start in development, raise no alarm over the examples and the demo. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { useProject } from "./support/project.js"

const project = useProject()
const example = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}/`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "latchkey-examples-"))
symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder, "node_modules"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Examples whose configuration is made by a function are called as their own programs call them. */
function callOf(name: string, code: string): string {
  const file = join(folder, `${name}.js`)
  writeFileSync(file, code)
  return file
}

const at = (path: string): string => JSON.stringify(example(path).replace(/\/$/, ""))
const secret = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
/** The application with its call in one file: what a module hands to `ExpressAuth` is seen in that module alone. */
const express = `${readFileSync(example("express/app.js").replace(/\/$/, ""), "utf8").replaceAll('from "./', `from "${example("express")}`)}
await createApp({ filename: ${JSON.stringify(join(folder, "express.db"))} })\n`
const demo = (strategy: string): string => `import { createDemoAuth } from ${at("demo/app/auth.js")}
import { databaseOf } from ${at("demo/app/database.js")}
import { openStore } from ${at("demo/app/store.js")}
export const auth = createDemoAuth({
  origin: "http://localhost:3000",
  secret: ${JSON.stringify(secret)},
  strategy: ${JSON.stringify(strategy)},
  store: await openStore(databaseOf(undefined, ${JSON.stringify(join(folder, `demo-${strategy}.db`))})),
  identity: { issuer: "http://127.0.0.1:3001", clientId: "latchkey-demo", clientSecret: ${JSON.stringify(secret)} },
  smtpServer: "smtp://127.0.0.1:2525",
})\n`
const forms = { AUTH_SECRET: secret, DATABASE: join(folder, "kit.db") }
const production = { AUTH_URL: "https://app.example.com" }
const client = {
  AUTH_GITHUB_ID: "0123456789abcdef0123",
  AUTH_GITHUB_SECRET: "b6589fc6ab0dc82cf12099d1c2d40ab994e8410c",
}

describe("latchkey doctor", () => {
  it.each([
    ["express", "express", () => [callOf("express", express)], forms],
    ["express with GitHub", "express", () => [callOf("express-github", express)], { ...forms, ...client }],
    [
      "express in production",
      "express",
      () => [callOf("express-at-home", express), "--mode", "production"],
      { ...forms, ...production },
    ],
    ["sveltekit", "sveltekit", () => [], forms],
    ["sveltekit with GitHub", "sveltekit", () => [], { ...forms, ...client }],
    ["sveltekit in production", "sveltekit", () => ["--mode", "production"], { ...forms, ...production }],
    ["the demo", "demo", () => [callOf("demo", demo("database"))], {}],
    ["the demo with sessions in cookies", "demo", () => [callOf("demo-jwt", demo("jwt"))], {}],
  ] as const)(
    "raises no alarm over %s",
    async (_name, name, args, env) => {
      const { code, out, err } = await project.spawn(["doctor", ...args(), "--json"], env, example(name))
      expect({ code, err }).toEqual({ code: 0, err: "" })
      // The demo says on standard output what it opens.
      const { findings, providers } = JSON.parse(out.slice(out.indexOf("{\n")))
      expect(findings).toEqual([])
      expect(providers.length).toBeGreaterThan(0)
    },
    60_000,
  )
})

describe("the start in development", () => {
  /** Goes on running for as long as the checks take to begin. */
  const app = (name: string, code: string): string =>
    callOf(`${name}-app`, `${code}\nawait new Promise((resolve) => setTimeout(resolve, 2500))\n`)
  const development = { ...forms, NODE_ENV: "development" }
  const fourth = { ...development, AUTH_SECRET_4: secret }
  const atHttps = (strategy: string): string => demo(strategy).replace('"http://localhost', '"https://localhost')

  it.each([
    ["express", "express", [express, development], [express, fourth]],
    ["express with GitHub", "express", [express, { ...development, ...client }], [express, { ...fourth, ...client }]],
    ["the demo", "demo", [demo("database"), development], [atHttps("database"), development]],
    ["the demo with sessions in cookies", "demo", [demo("jwt"), development], [atHttps("jwt"), development]],
  ] as const)(
    "raises no alarm over %s, and finds what is put wrong on purpose",
    async (title, name, right, wrong) => {
      const findings = async ([code, env]: typeof right | typeof wrong): Promise<number> => {
        const outcome = await project.start(app(title.replaceAll(" ", "-"), code), env, example(name))
        expect(outcome.code).toBe(0)
        // Once in the line, and where the default logger printed it once more in the address of the page.
        return [...outcome.err.matchAll(/(?<!#)doctor-finding/g)].length
      }
      expect({ right: await findings(right), wrong: await findings(wrong) }).toEqual({ right: 0, wrong: 1 })
    },
    60_000,
  )
})
