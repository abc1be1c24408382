/** Every mistake of the corpus is found by `latchkey doctor`, and a configuration that is right raises no alarm. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { github, goodEnv, type Mistake, mistakes } from "./support/mistakes.js"
import { type Outcome, runIn } from "./support/project.js"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Runs the doctor on a project with the mistake, and nothing else wrong. */
function examine({
  config = "",
  env = {},
  files = {},
  args = [],
  dependencies = {},
}: Partial<Mistake>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-mistake-"))
  folders.push(folder)
  const providers = config.includes("providers:") ? "" : `providers: [${github}],`
  const all = {
    "package.json": JSON.stringify({ type: "module", dependencies }),
    "auth.js": `export const config = { ${providers} ${config} }\n`,
    ...files,
  }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const merged = Object.entries({ ...goodEnv, ...env }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return runIn(folder, ["doctor", ...args, "--json"], { env: Object.fromEntries(merged) })
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

  it.each<[string, Partial<Mistake>]>([
    ["a configuration that is right", {}],
    ["the same in production", { env: { AUTH_URL: "https://app.example.com" }, args: ["--mode", "production"] }],
    ["behind a proxy that is trusted", { env: { AUTH_TRUST_HOST: "true" }, args: ["--mode", "production"] }],
    ["at a local address", { env: { AUTH_URL: "http://localhost:3000" } }],
    ["with a rotated secret", { env: { AUTH_SECRET_1: "0123456789abcdeffedcba9876543210" } }],
    [
      "with the provider for development",
      {
        config: `providers: [{ id: "dev", name: "Development", type: "oidc", emailVerified: () => true }]`,
        env: { AUTH_DEV_ID: "latchkey-dev", AUTH_DEV_SECRET: "s0", AUTH_DEV_ISSUER: "http://127.0.0.1:4400" },
      },
    ],
    [
      "with a public client",
      {
        config: `providers: [{ id: "spa", name: "Spa", type: "oidc", issuer: "https://id.acme.test", clientId: "c1", client: { token_endpoint_auth_method: "none" } }]`,
      },
    ],
    [
      "with a client secret that is made",
      {
        config: `providers: [{ id: "apple", name: "Apple", type: "oidc", issuer: "https://appleid.apple.com", clientId: "c1", clientSecret: async () => "s" }]`,
      },
    ],
    [
      "with a role, the profile and the access token in the session",
      {
        config: `session: { expose: ["role"] }, callbacks: { jwt({ token, account, profile }) {
          console.log("signed in", token)
          return { ...token, role: "admin", profile, accessToken: account.access_token }
        } }`,
      },
    ],
    ["with pages of its own", { config: `pages: { signIn: "/signin", error: "/oops" }` }],
    [
      "with an ignored file",
      { files: { ".git/HEAD": "", ".gitignore": ".env*\n", ".env": `AUTH_SECRET=${goodEnv["AUTH_SECRET"]}\n` } },
    ],
  ])("raises no alarm for %s", async (_name, right) => {
    const outcome = await examine(right)
    expect(findingsOf(outcome)).toEqual([])
    expect(outcome.code).toBe(0)
  })
})
