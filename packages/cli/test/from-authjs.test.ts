/** `latchkey from-authjs`: applications of Auth.js as they are written, moved. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import { guideRows } from "../src/from-authjs/guide-rows.js"
import { type Outcome, runIn } from "./support/project.js"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A project with these files; objects are written as JSON. */
function projectOf(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-authjs-"))
  folders.push(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8")
const move = (folder: string, ...args: string[]): Promise<Outcome> => runIn(folder, ["from-authjs", ...args])

interface Answer {
  readonly way: string
  readonly left: readonly string[]
  readonly differences: readonly {
    readonly title: string
    readonly concerns: string
    readonly places: readonly object[]
  }[]
  readonly providers: readonly { readonly id: string }[]
}

/** What concerns a configuration, beside what concerns all. */
async function concerning(config: string, more: Readonly<Record<string, string | object>> = {}): Promise<string[]> {
  const folder = projectOf({
    "package.json": { dependencies: { "@auth/core": "^0.41.0" } },
    "auth.js": `import { Auth } from "@auth/core"\n${config}`,
    ...more,
  })
  const { out } = await move(folder, "--json")
  const { differences } = JSON.parse(out) as Answer
  return differences.filter(({ concerns }) => concerns === "this").map(({ title }) => title)
}

const express = {
  "package.json": {
    name: "shop",
    dependencies: { "@auth/express": "^0.12.3", "@auth/pg-adapter": "^1.11.0", express: "^5.0.0", zod: "^4.0.0" },
  },
  "auth.js": `// from "@auth/express" in a comment stays
import { ExpressAuth, getSession } from "@auth/express"
import GitHub from '@auth/express/providers/github'
import PostgresAdapter from "@auth/pg-adapter"
const { getToken } = await import("@auth/core/jwt")
export const text = "about @auth/express"
export const auth = ExpressAuth({ adapter: PostgresAdapter(pool), providers: [GitHub] })
`,
}

describe("latchkey from-authjs", () => {
  it("shows what it would change, and writes nothing", async () => {
    const folder = projectOf(express)
    const { code, out, err } = await move(folder)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toContain('  - import { ExpressAuth, getSession } from "@auth/express"')
    expect(out).toContain('  + import { ExpressAuth, getSession } from "@latchkey/express"')
    expect(out).toContain("Nothing was written.")
    expect(read(folder, "auth.js")).toBe(express["auth.js"])
  })

  it("changes imports and dependencies, and leaves adapters, comments and texts as they are", async () => {
    const folder = projectOf(express)
    const { code, out } = await move(folder, "--write")
    expect({ code, isWritten: out.includes("\nWritten.\n") }).toEqual({ code: 0, isWritten: true })
    expect(read(folder, "auth.js")).toBe(`// from "@auth/express" in a comment stays
import { ExpressAuth, getSession } from "@latchkey/express"
import GitHub from '@latchkey/express/providers/github'
import PostgresAdapter from "@auth/pg-adapter"
const { getToken } = await import("@latchkey/core/jwt")
export const text = "about @auth/express"
export const auth = ExpressAuth({ adapter: PostgresAdapter(pool), providers: [GitHub] })
`)
    expect(JSON.parse(read(folder, "package.json"))).toEqual({
      name: "shop",
      dependencies: {
        "@auth/pg-adapter": "^1.11.0",
        "@latchkey/core": "^1.2.3",
        "@latchkey/express": "^1.2.3",
        express: "^5.0.0",
        zod: "^4.0.0",
      },
    })
    expect(read(folder, "package.json")).toMatch(/^\{\n {2}"name"/)
    const again = await move(folder)
    expect(again).toMatchObject({ code: 1, out: "" })
    expect(again.err).toContain("package.json names no package of Auth.js 5")
  })

  it("gives an application of next-auth/react a module that knows where the service is", async () => {
    const folder = projectOf({
      "package.json": { dependencies: { next: "16.4.5", "next-auth": "5.0.0-beta.32", react: "^19" } },
      "tsconfig.json": "{}",
      "src/auth.ts": `import NextAuth from "next-auth"
declare module "next-auth" {
  interface Session { note?: string }
}
export const { handlers, auth } = NextAuth({ basePath: "/sign", providers: [] })
`,
      "src/app/panel.tsx": `"use client"
import { type SignInResponse, useSession } from "next-auth/react"
export const saidOf = (answer: SignInResponse) => answer.error
export const Panel = () => <p>It's {useSession().status}</p>
`,
      "src/auth-client.css": "",
      "node_modules/next-auth/index.js": `export * from "next-auth/react"`,
    })
    const { code } = await move(folder, "--write")
    expect(code).toBe(0)
    expect(read(folder, "src/auth.ts")).toContain(
      'import NextAuth from "@latchkey/next"\ndeclare module "@latchkey/next/types" {',
    )
    expect(read(folder, "src/app/panel.tsx")).toContain('from "../auth-client"')
    expect(read(folder, "src/auth-client.ts")).toContain('createSessionClient({ basePath: "/sign" })')
    expect(read(folder, "src/auth-client.ts")).toMatch(
      /export type \{[^}]* SignInResponse,[^}]*\} from "@latchkey\/react"/,
    )
    expect(read(folder, "node_modules/next-auth/index.js")).toContain("next-auth/react")
    expect(JSON.parse(read(folder, "package.json")).dependencies).toEqual({
      next: "16.4.5",
      "@latchkey/next": "^1.2.3",
      "@latchkey/react": "^1.2.3",
      react: "^19",
    })
  })

  it.each([
    ["npm", "package-lock.json", { overrides: { "@auth/core": "$@auth/core" } }],
    ["pnpm", "pnpm-lock.yaml", { pnpm: { overrides: { "@auth/core": "npm:@latchkey/core@^1.2.3" } } }],
    ["yarn", "yarn.lock", { resolutions: { "@auth/core": "npm:@latchkey/core@^1.2.3" } }],
    ["bun", "bun.lock", { overrides: { "@auth/core": "npm:@latchkey/core@^1.2.3" } }],
  ])("replaces the engine below a package without a counterpart: %s", async (_manager, lockfile, expected) => {
    const source = `import { authHandler } from "@hono/auth-js"\nimport Google from "@auth/core/providers/google"\n`
    const folder = projectOf({
      "package.json": {
        dependencies: { "@hono/auth-js": "^1.1.1", hono: "^4" },
        devDependencies: { "@auth/core": "^0.41" },
      },
      [lockfile]: "",
      "index.js": source,
    })
    expect((await move(folder, "--write")).code).toBe(0)
    expect(read(folder, "index.js")).toBe(source)
    expect(JSON.parse(read(folder, "package.json"))).toEqual({
      dependencies: { "@auth/core": "npm:@latchkey/core@^1.2.3", "@hono/auth-js": "^1.1.1", hono: "^4" },
      devDependencies: {},
      ...expected,
    })
  })

  it("keeps next-auth where it is asked to, and where Next is too old for ours", async () => {
    const manifest = (next: string): object => ({
      "package.json": { dependencies: { next, "next-auth": "5.0.0-beta.32" } },
    })
    const ways = await Promise.all(
      ([["16.4.5"], ["16.4.5", "--engine-only"], ["14.2.0"]] as const).map(async ([next, ...args]) => {
        const folder = projectOf(manifest(next) as Record<string, object>)
        return (JSON.parse((await move(folder, "--json", ...args)).out) as Answer).way
      }),
    )
    expect(ways).toEqual(["packages", "engine", "engine"])
  })

  it("names what is left, with the line, and ends with 1", async () => {
    const folder = projectOf({
      "package.json": {
        dependencies: {
          "next-auth": "5.0.0-beta.32",
          next: "^15",
          nodemailer: "^6.9.0",
          "@simplewebauthn/server": "9.0.3",
        },
      },
      ".env": "NEXTAUTH_SECRET=0123456789012345678901234567890123456789\n",
      "auth.ts": `import { signIn } from "next-auth/webauthn"
import type { BuiltInProviders } from "next-auth/providers"
import Passkey from "next-auth/providers/passkey"
import Nowhere from "next-auth/providers/nowhere"
`,
    })
    const { code, out } = await move(folder, "--json")
    expect(code).toBe(1)
    expect((JSON.parse(out) as Answer).left).toEqual([
      'auth.ts:1: there is no counterpart to "next-auth/webauthn". Take signInWithPasskey and registerPasskey of @latchkey/react.',
      'auth.ts:2: "BuiltInProviders" of next-auth/providers has another name here. Take ProviderId.',
      'auth.ts:4: there is no counterpart to "next-auth/providers/nowhere". There is no provider "nowhere": see docs/providers/README.md.',
      "nodemailer: expected 7 to 10, received 6. Run: npm install nodemailer",
      "@simplewebauthn/server: expected 13 or 14, received 9. Run: npm install @simplewebauthn/server.",
      ".env: rename NEXTAUTH_SECRET to AUTH_SECRET, with the same value, where the application runs as well.",
    ])
  })

  it("sends next-auth 4 to version 5 first", async () => {
    const folder = projectOf({ "package.json": { dependencies: { "next-auth": "^4.24.0" } } })
    const { code, out, err } = await move(folder, "--write")
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain("Move to next-auth 5 first")
  })

  it("says what differs of a provider's requests", async () => {
    const folder = projectOf({ ...express, "more.js": 'import Box from "@auth/express/providers/box"' })
    const { providers } = JSON.parse((await move(folder, "--json")).out) as Answer
    expect(new Set(providers.map(({ id }) => id))).toEqual(new Set(["box"]))
    expect((await move(folder)).out).toContain("box: no scope is asked for. See docs/providers/box.md")
  })
})

describe("differences", () => {
  /** For each: a configuration that it concerns, and one beside it that it does not. */
  it.each<[title: keyof typeof guideRows, config: string, without: string, files?: Record<string, string>]>([
    ["id_token", '[{ type: "oidc" }]', '[{ type: "oauth" }]'],
    ["Providers on http:", '"http://id.example"', '"http://localhost:4000"'],
    ["AUTH_URL", "process.env.AUTH_URL", "process.env.AUTH_SECRET"],
    ["AUTH_TRUST_HOST", "", "", { ".env": "AUTH_TRUST_HOST=false" }],
    ["Refusals to scripts", 'signIn("credentials", { redirect: false })', "signIn()"],
    ["Store unavailable", "{ adapter: Memory() }", "{ session: {} }"],
    [
      "signIn callback",
      'import P from "@auth/core/providers/passkey"\n{ signIn() { return true } }',
      "{ signIn() {} }",
    ],
    [
      "An AuthError thrown in signIn",
      "{ async signIn({ user }) { throw new Error() } }",
      "{ async signIn({ user }) {} }",
    ],
    [
      "An Error thrown in authorize",
      '{ async authorize({ name }) { if (!name) throw new Error("wrong") } }',
      "{ async authorize({ name }) { return null }, jwt() { throw new Error() } }",
    ],
    [
      "A list, an Error, a Response, a Map or a Set that authorize returns",
      "{ async authorize() { return [] } }",
      "{ jwt() {} }",
    ],
    [
      'An id from authorize that is what a missing one turns into: NaN, "undefined", {}, [], true',
      "{ async authorize({ nr }) { return { id: Number(nr) } } }",
      "{ jwt() {} }",
    ],
    [
      "Sign-ins that fail with a provider",
      'import G from "@auth/core/providers/github"\n{ pages: { error: "/oops" } }',
      '{ pages: { error: "/oops" } }',
    ],
    ["redirect callback", "callbacks: { redirect({ url }) { return url } }", "redirect(303)"],
    ["jwt callback", "callbacks: { jwt({ token }) { return token } }", "const token = await encode.jwt(1)"],
    ["jwt callback", "callbacks: { async jwt({ token }) { return token } }", 'strategy: "jwt"'],
    ["Callbacks that do not answer", "callbacks: {}", "events: {}"],
    [
      "Session of a deleted user, jwt strategy",
      '{ adapter: A, session: { strategy: "jwt" } }',
      '{ session: { strategy: "jwt" } }',
    ],
    [
      "session callback, sessions in the database",
      "{ adapter: A, callbacks: { session: ({ session }) => session } }",
      '{ adapter: A, session: { strategy: "database" } }',
    ],
    [
      "session event, sealed sessions",
      "{ events: { session({ session }) {} } }",
      "{ events: { signIn() {} }, session: {} }",
    ],
    [
      "A jwt.encode that keeps the claims alone that it knows",
      "jwt: { encode: async ({ token }) => sign({ sub: token.sub }) }",
      "jwt: { maxAge: 60 }",
    ],
    [
      "A jwt callback that takes all of an update ({ ...token, ...session })",
      "callbacks: { jwt({ token, session }) { return { ...token, ...session.user } } }",
      "callbacks: { jwt: ({ token, session }) => ({ ...token, name: session.name }), session: ({ session }) => ({ ...session }) }",
    ],
    ["Session tokens beyond ten cookies", "jwt: ({ token }) => token", "session: () => 1"],
    ["Tokens without kid", "secret: [one, two]", "secret: one"],
    ["Sign-in parameters", "redirect_uri: x", "scope: x"],
    ["E-mail link", 'import R from "@auth/core/providers/resend"', 'import type R from "@auth/core/providers/resend"'],
    ["Sessions with credentials", 'import C from "@auth/core/providers/credentials"\n{ adapter: A }', "{ adapter: A }"],
    [
      "csrf.checkOrigin: false in SvelteKit, behind a proxy",
      "",
      "",
      { "svelte.config.js": "kit: { csrf: { checkOrigin: false } }" },
    ],
    ["updateAge of sessions of a day or less", "session: { maxAge: 3600 }", "session: {}"],
    ["CSRF cookie", 'fetch("/auth/csrf"); body.csrfToken', "body.token"],
    ["Redirect proxy", "redirectProxyUrl: x", "redirect: x"],
    ["state", 'checks: ["pkce"]', "check: 1"],
    ["Linking an account", "{ adapter: A }", "{}"],
    ["Debug log", "debug: true", "// debug: true"],
    ["skipCSRFCheck: true", "skipCSRFCheck: true", "/* skipCSRFCheck: true */"],
    ["A string that signIn returns", 'signIn() { return "/join" }', "signIn() { return true }"],
    ["A throw in jwt or session", "jwt() { throw new Error() }", "signIn() { throw new Error() }"],
    ["token in callbacks and events", "jwt({ token }) { return Token.strict().parse(token) }", "Token.strict()"],
    ["What sendVerificationRequest gets", "sendVerificationRequest(params) {}", "send(params) {}"],
    [
      "Several e-mail providers",
      'import N from "@auth/core/providers/nodemailer"\nimport R from "@auth/core/providers/resend"',
      'import N from "@auth/core/providers/nodemailer"',
    ],
    [
      "Several e-mail providers",
      'import N from "@auth/core/providers/nodemailer"\n{ id: "staff", type: "email" }',
      '{ id: "staff", type: "email" }',
    ],
    ["simpleWebAuthn of a provider", "simpleWebAuthn: x", "webAuthn: x"],
    ["Ids of accounts", "{ adapter: A }", "{}"],
    ["Profile without id", "profile(profile) { return {} }", "const profile = 1"],
    ["private_key_jwt", 'token_endpoint_auth_method: "private_key_jwt"', 'token_endpoint_auth_method: "none"'],
    ["Token answers", "account.expires_at", "account.id"],
    ["Sign-in by e-mail", 'import N from "@auth/core/providers/nodemailer"\n{ adapter: A }', "{ adapter: A }"],
    ["emailVerified", 'import N from "@auth/core/providers/nodemailer"', "{ adapter: A }"],
    [
      "emailVerified set by the events linkAccount or createUser",
      "events: { async linkAccount({ user }) { await db.user.update({ id: user.id, emailVerified: new Date() }) } }",
      "events: { async linkAccount({ user }) { await welcome(user) } }",
    ],
    [
      "An address that the provider calls unverified",
      "{ adapter: A, allowDangerousEmailAccountLinking: true }",
      "{ adapter: A }",
    ],
    ["allowDangerousEmailAccountLinking", "allowDangerousEmailAccountLinking: true", "linking: true"],
    [
      "The first proof of an address (a mail link, or a link by a verified address)",
      'import P from "@auth/core/providers/passkey"\n{ adapter: A }',
      "{ adapter: A }",
    ],
    ["Users without an address", "{ adapter: A }", "{}"],
    ["webauthn-options", 'import W from "@auth/core/providers/webauthn"', "{}"],
    ["deleteUser, unlinkAccount of the adapter", "{ adapter: A }", "{}"],
    ['trigger: "signUp"', 'if (trigger === "signUp") {}', "signUp()"],
    ["Pictures of buttons", "{}", 'pages: { signIn: "/login" }'],
    ["Host, without trustHost", "{}", "trustHost: true"],
    ["Secret of less than 32 characters", "", "", { ".env": "AUTH_SECRET=short" }],
    ["getToken", "getToken({ req })", "getName()"],
    ['signIn("github", { redirect: false }) of the client', "redirect: false", "redirect: true"],
    ["Warnings of experimental features", 'import W from "@auth/core/providers/webauthn"', "{}"],
    ["Tries of signing in", 'import C from "@auth/core/providers/credentials"', "{}"],
    ["SessionProvider of next-auth/react", "<SessionProvider>", "<Provider>"],
    ["Type of the jwt callback", "jwt: ({ token }) => token", "", { "tsconfig.json": "{}" }],
  ])("%s: is listed where %j says so, and not for %j", async (title, config, without, files) => {
    expect(await concerning(config, files)).toContain(title)
    expect(await concerning(without)).not.toContain(title)
  })

  it.each([
    [[3], 'authorize: async (c) => {\nif (!c) throw Error("}")\n},\njwt() { throw new Error() }'],
    [[3], "async authorize(c): Promise<{ id: string } | null> {\nthrow new Error()\n}"],
    [
      [3, 4],
      "async function authorize(c) {\nthrow new Error()\nthrow new Error()\n}\nfunction other() { throw new Error() }",
    ],
    [[], "authorize,\njwt() { throw new Error() }"],
    [[], "({ authorize: check })\nthrow new Error()"],
    [[], "authorize() { throw new CredentialsSignin() }"],
  ])("an error thrown in authorize stands in the lines %j", async (lines, source) => {
    const folder = projectOf({
      "package.json": { dependencies: { "@auth/core": "^0.41.0" } },
      "auth.ts": `import { Auth } from "@auth/core"\n${source}`,
    })
    const { differences } = JSON.parse((await move(folder, "--json")).out) as Answer
    const found = differences.find(({ title }) => title === "An Error thrown in authorize")
    expect(found?.places ?? []).toEqual(lines.map((line) => ({ path: "auth.ts", line })))
  })

  it.each([
    ["CSRF in SvelteKit", "@auth/sveltekit", ""],
    ["signIn and signOut of SvelteKit", "@auth/sveltekit", ""],
    ["Form actions of SvelteKit", "@auth/sveltekit", "export const actions = { default: signIn }"],
    ["signIn and signOut of Next.js with redirect: false", "next-auth", 'signIn("credentials", { redirect: false })'],
    ["getSession(request, config) of Express", "@auth/express", "await getSession(req, config)"],
  ])("%s: is listed for the framework", async (title, name, config) => {
    expect(await concerning(config, { "package.json": { dependencies: { [name]: "1" } } })).toContain(title)
    expect(await concerning(config)).not.toContain(title)
  })

  it("leaves no row of the guide out", async () => {
    const test = readFileSync(fileURLToPath(import.meta.url), "utf8")
    const folder = projectOf({ "package.json": { dependencies: { "@auth/core": "1" } } })
    const { differences } = JSON.parse((await move(folder, "--json")).out) as Answer
    const always = differences.filter(({ concerns }) => concerns === "all").map(({ title }) => title)
    const untested = Object.keys(guideRows).filter(
      (title) => !always.includes(title) && !test.includes(JSON.stringify(title)) && !test.includes(`'${title}'`),
    )
    expect(untested).toEqual([])
    expect(always).toHaveLength(6)
    expect(existsSync(join(folder, "auth-client.ts"))).toBe(false)
  })

  it("says where", async () => {
    const folder = projectOf({ ...express, "README.md": "getSession(", "dist/old.js": "getSession(" })
    const { out } = await move(folder)
    expect(out).toContain(
      "Store unavailable (auth.js:7)\n    Auth.js: null, as if signed out\n    Here:    503, and the cookie stays",
    )
  })
})
