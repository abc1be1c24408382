/** Mistakes in configurations, made on purpose: each is found under its code. And configurations that are right. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { recordVerbs } from "@latchkey/core/records"

/** One mistake. What it does not say is as in a configuration that is right. */
export interface Mistake {
  readonly name: string
  /** The finding. */
  readonly code: string
  /** A part of what the finding says, or of its remedy. */
  readonly says?: string
  /** Members of the configuration, as code; `providers` stays unless it is given. */
  readonly config?: string
  /** Replaces or, with `undefined`, takes away variables of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly files?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Further dependencies of the project. */
  readonly dependencies?: Readonly<Record<string, string>>
}

const good = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
const other = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/** Variables of a configuration that is right. */
export const goodEnv: Readonly<Record<string, string>> = {
  AUTH_SECRET: good,
  AUTH_GITHUB_ID: "0123456789abcdef0123",
  AUTH_GITHUB_SECRET: "b6589fc6ab0dc82cf12099d1c2d40ab994e8410c",
}

/** A provider as an object, so that the module imports nothing. */
export const github = `{ id: "github", name: "GitHub", type: "oauth", authorization: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token", userinfo: "https://api.github.com/user" }`
const oidc = (id: string, more: string): string => `{ id: "${id}", name: "${id}", type: "oidc", ${more} }`
const production = { args: ["--mode", "production"] }
const atHome = { AUTH_URL: "https://app.example.com" }
const mail = (more: string): string =>
  `{ id: "mail", name: "Mail", type: "email", from: "a@b.test", sendVerificationRequest() {}, ${more} }`
const adapter = (...left: string[]): string =>
  `{ ${[
    "createUser",
    "getUser",
    "getUserByEmail",
    "getUserByAccount",
    "updateUser",
    "linkAccount",
    "createSession",
    "getSessionAndUser",
    "updateSession",
    "deleteSession",
    "createVerificationToken",
    "useVerificationToken",
  ]
    .filter((name) => !left.includes(name))
    .map((name) => `${name}() {}`)
    .join(", ")} }`

const credentials: readonly Mistake[] = [
  { name: "no client id", code: "client-incomplete", says: "Set AUTH_GITHUB_ID", env: { AUTH_GITHUB_ID: undefined } },
  { name: "no client secret", code: "client-incomplete", says: "AUTH_GITHUB_SECRET", env: { AUTH_GITHUB_SECRET: "" } },
  {
    name: "the name of Auth.js v4",
    code: "client-incomplete",
    says: "GITHUB_ID is set, and nothing reads it",
    env: { AUTH_GITHUB_ID: undefined, GITHUB_ID: "x1" },
  },
  {
    name: "the name of another library",
    code: "client-incomplete",
    says: "GITHUB_CLIENT_SECRET is set",
    env: { AUTH_GITHUB_SECRET: undefined, GITHUB_CLIENT_SECRET: "x1" },
  },
  {
    name: "a misspelt variable",
    code: "client-incomplete",
    says: "AUTH_GITUB_ID is set",
    env: { AUTH_GITHUB_ID: undefined, AUTH_GITUB_ID: "x1" },
  },
  {
    name: "a misspelt variable in a file",
    code: "unread-variable",
    says: "Did you mean AUTH_GITHUB_ID?",
    files: { ".env": "AUTH_GITHB_ID=x\n" },
  },
  {
    name: "the address of Auth.js v4",
    code: "unread-variable",
    says: "Did you mean AUTH_URL?",
    files: { ".env": "NEXTAUTH_URL=http://localhost:3000\n" },
  },
  {
    name: "the secret of Auth.js v4",
    code: "unread-variable",
    says: "AUTH_SECRET",
    files: { ".env": "NEXTAUTH_SECRET=abc\n" },
  },
  {
    name: "a variable of a provider that is not there",
    code: "unread-variable",
    says: "add the provider",
    files: { ".env": "AUTH_LINKEDIN_APPLICATION=1\n" },
  },
  { name: "the id of an example", code: "client-placeholder", env: { AUTH_GITHUB_ID: "your-client-id" } },
  { name: "the secret of an example", code: "client-placeholder", env: { AUTH_GITHUB_SECRET: "<client secret>" } },
  {
    name: "an id of an example in one word",
    code: "client-placeholder",
    env: { AUTH_GITHUB_ID: "yourClientId" },
  },
  {
    name: "an own secret of an example",
    code: "client-placeholder",
    env: { AUTH_GITHUB_SECRET: "MY_GITHUB_CLIENT_SECRET" },
  },
  { name: "the id in both places", code: "client-swapped", env: { AUTH_GITHUB_SECRET: "0123456789abcdef0123" } },
  {
    name: "quotes that became part of the id",
    code: "client-quoted",
    config: `providers: [${oidc("acme", 'issuer: "https://id.acme.test", clientSecret: "s1", clientId: "\\"quoted\\""')}]`,
  },
  {
    name: "the id of another service",
    code: "client-shape",
    says: "20 hexadecimal digits",
    env: { AUTH_GITHUB_ID: "1234.apps.googleusercontent.com" },
  },
  {
    name: "an id of Google that is none",
    code: "client-shape",
    says: "googleusercontent",
    config: `providers: [${oidc("google", 'issuer: "https://accounts.google.com", clientId: "0123", clientSecret: "s1"')}]`,
  },
  {
    name: "the discovery document as issuer",
    code: "issuer-discovery",
    config: `providers: [${oidc("acme", 'issuer: "https://id.acme.test/.well-known/openid-configuration", clientId: "c1", clientSecret: "s1"')}]`,
  },
  {
    name: "the issuer of an example",
    code: "issuer-placeholder",
    config: `providers: [${oidc("keycloak", 'issuer: "https://id.example.com", clientId: "c1", clientSecret: "s1"')}]`,
  },
  {
    name: "an issuer with a query",
    code: "issuer-query",
    config: `providers: [${oidc("acme", 'issuer: "https://id.acme.test/?p=policy", clientId: "c1", clientSecret: "s1"')}]`,
  },
]

/** Bodies of a `jwt` callback that let a client write every claim of its token. */
const takenWhole: readonly Mistake[] = [
  ["spread over the token", "({ token, session, trigger }) => trigger === 'update' ? { ...token, ...session } : token"],
  ["its user, spread over the token", "({ token, session }) => ({ ...token, ...session?.user })"],
  ["spread from the parameters, where there is one", "(given) => ({ ...given.token, ...(given.session ?? {}) })"],
  ["assigned to the token", "({ token, session }) => Object.assign(token, session)"],
  [
    "spread over the user in the token",
    "({ token, session }) => ({ ...token, user: { ...token.user, ...session.user } })",
  ],
].map(([name, jwt]) => ({
  name: `an update that is ${name}`,
  code: "update-taken-whole",
  says: "such as a role",
  config: `callbacks: { jwt: ${jwt} }`,
}))

const hosts: readonly Mistake[] = [
  {
    name: "the provider for development in production",
    code: "issuer-local",
    config: `providers: [${oidc("dev", 'issuer: "http://127.0.0.1:4400", clientId: "c1", clientSecret: "s1"')}]`,
    env: atHome,
    ...production,
  },
  { name: "production without a host", code: "host-untrusted", says: "received none", ...production },
  {
    name: "production with a host that is not trusted",
    code: "host-untrusted",
    says: "received AUTH_TRUST_HOST=false",
    env: { AUTH_TRUST_HOST: "false" },
    ...production,
  },
  {
    name: "production with a configuration that trusts no host",
    code: "host-untrusted",
    says: "received trustHost: false",
    config: "trustHost: false",
    ...production,
  },
  {
    name: "a preview of Vercel with the address of production",
    code: "url-of-production",
    env: { ...atHome, VERCEL_ENV: "preview", VERCEL_PROJECT_PRODUCTION_URL: "app.example.com" },
    ...production,
  },
  {
    name: "a preview of Netlify with the address of production",
    code: "url-of-production",
    env: { ...atHome, NETLIFY: "true", CONTEXT: "deploy-preview", URL: "https://app.example.com" },
    ...production,
  },
  { name: "localhost in production", code: "url-local", env: { AUTH_URL: "http://localhost:3000" }, ...production },
  {
    name: "plain http in production",
    code: "url-insecure",
    env: { AUTH_URL: "http://app.example.com" },
    ...production,
  },
  { name: "plain http on another host", code: "url-insecure", env: { AUTH_URL: "http://192.168.1.7:3000" } },
  { name: "https on a development server", code: "url-https-local", env: { AUTH_URL: "https://localhost:3000" } },
  {
    name: "the address of an action",
    code: "url-path",
    env: { AUTH_URL: "https://app.example.com/auth/callback/github" },
  },
  { name: "no address", code: "InvalidConfiguration", says: "AUTH_URL", env: { AUTH_URL: "app.example.com" } },
  {
    name: "another path than basePath",
    code: "env-url-basepath-mismatch",
    config: `basePath: "/api/auth"`,
    env: { AUTH_URL: "https://app.example.com/auth" },
  },
  {
    name: "the path twice",
    code: "env-url-basepath-redundant",
    config: `basePath: "/auth"`,
    env: { AUTH_URL: "https://app.example.com/auth" },
  },
  { name: "Next.js without an address", code: "url-next", dependencies: { next: "16.0.0" } },
  {
    name: "a base path that is an address",
    code: "InvalidConfiguration",
    says: "basePath",
    config: `basePath: "https://app.example.com/auth"`,
  },
  {
    name: "a redirect proxy without a list",
    code: "redirect-proxy-origins",
    config: `redirectProxyUrl: "https://app.example.com/auth"`,
    env: { ...atHome },
  },
  {
    name: "a redirect proxy that is no address",
    code: "InvalidConfiguration",
    says: "redirectProxyUrl",
    config: `redirectProxyUrl: "app"`,
  },
]

const options: readonly Mistake[] = [
  { name: "a misspelt group", code: "unknown-option", says: `did you mean "session"`, config: "sesion: {}" },
  { name: "a misspelt option", code: "unknown-option", says: `did you mean "trustHost"`, config: "trustHst: true" },
  {
    name: "a misspelt callback",
    code: "unknown-option",
    says: `did you mean "callbacks.signIn"`,
    config: "callbacks: { sigin: () => true }",
  },
  { name: "a misspelt event", code: "unknown-option", says: "events.", config: "events: { createUsr() {} }" },
  { name: "a page that leads to itself", code: "page-leads-to-itself", config: `pages: { signIn: "/auth/signin" }` },
  {
    name: "a page that another page leads to",
    code: "page-loop",
    says: "pages.error",
    config: `pages: { error: "/auth/signin" }`,
  },
  {
    name: "a month in milliseconds",
    code: "InvalidConfiguration",
    says: "seconds, not milliseconds",
    config: "session: { maxAge: 2592000000 }",
  },
  {
    name: "a day in milliseconds",
    code: "lifetime-long",
    says: "write 86400",
    config: "session: { maxAge: 86400000 }",
  },
  { name: "two years", code: "lifetime-long", says: "at most 34560000", config: "session: { maxAge: 63072000 }" },
  { name: "ten seconds", code: "lifetime-short", config: "session: { maxAge: 10 }" },
  {
    name: "a session that is never extended",
    code: "lifetime-update",
    config: "session: { maxAge: 3600, updateAge: 7200 }",
  },
  {
    name: "an end that comes before the time without activity is over",
    code: "lifetime-overall",
    config: "session: { maxAge: 86400, overallMaxAge: 3600 }",
  },
  {
    name: "ended sessions that open for an hour",
    code: "session-stale",
    config: 'features: [{ name: "sessions", needs: [], rows: [], sessions: { staleness: 3600 } }]',
  },
  { name: "two lifetimes", code: "lifetime-differs", config: "session: { maxAge: 86400 }, jwt: { maxAge: 3600 }" },
  {
    name: "a link that lasts a month",
    code: "link-long",
    config: `providers: [${mail("maxAge: 2592000")}], session: { strategy: "jwt" }, adapter: ${adapter()}`,
  },
  {
    name: "a lifetime as text",
    code: "InvalidConfiguration",
    says: "session.maxAge",
    config: `session: { maxAge: "1d" }`,
  },
  {
    name: "cookies for http in production",
    code: "cookies-insecure",
    config: "useSecureCookies: false",
    env: atHome,
    ...production,
  },
  {
    name: "cookies for https on http",
    code: "secure-cookies-mismatch",
    config: "useSecureCookies: true",
    env: { AUTH_URL: "http://localhost:3000" },
  },
  {
    name: "a cookie of another domain",
    code: "cookie-domain",
    config: `cookies: { sessionToken: { options: { domain: "other.test" } } }`,
    env: atHome,
  },
  {
    name: "a session cookie that signing out does not get",
    code: "cookie-path",
    config: `basePath: "/auth", cookies: { sessionToken: { options: { path: "/app" } } }`,
  },
  { name: "a strict cookie", code: "cookie-strict", config: `cookies: { state: { options: { sameSite: "strict" } } }` },
  {
    name: "providers that are no list",
    code: "InvalidConfiguration",
    says: "providers",
    config: `providers: ${github}`,
  },
  {
    name: "a provider twice",
    code: "InvalidConfiguration",
    says: "github",
    config: `providers: [${github}, ${github}]`,
  },
  {
    name: "a strategy that is none",
    code: "InvalidConfiguration",
    says: "strategy",
    config: `session: { strategy: "cookie" }`,
  },
  { name: "debugging in production", code: "debug-enabled", config: "debug: true", env: atHome, ...production },
  { name: "no protection against forged requests", code: "skip-csrf-check-ignored", config: "skipCSRFCheck: true" },
  {
    name: "a provider whose callbacks are not checked",
    code: "nothing-checked",
    says: "acme",
    config: `providers: [${oidc("acme", 'issuer: "https://id.acme.test", clientId: "c1", clientSecret: "s1", checks: ["none"]')}]`,
  },
  {
    name: "a password without a field that says whose",
    code: "person-unknown",
    says: "credentials",
    config: `providers: [{ id: "credentials", name: "Password", type: "credentials", credentials: { code: {}, password: {} }, authorize: () => null }]`,
  },
]

const sizes: readonly Mistake[] = [
  {
    name: "all tokens of an OpenID provider in the session",
    code: "session-split",
    says: "in 2 cookies",
    config: `providers: [${oidc("acme", 'issuer: "https://id.acme.test", clientId: "c1", clientSecret: "s1"')}], callbacks: { jwt: ({ token, account }) => ({ ...token, account }) }`,
  },
  {
    name: "a session that web servers refuse",
    code: "session-too-large",
    says: "expected at most 8190 bytes",
    config: `callbacks: { jwt: ({ token }) => ({ ...token, permissions: Array.from({ length: 500 }, (_, n) => "permission:" + n) }) }`,
  },
  {
    name: "a session that no cookies can carry",
    code: "session-too-large",
    says: "more than cookies can hold",
    config: `callbacks: { jwt: ({ token }) => ({ ...token, picture: "data:image/png;base64," + "A".repeat(40000) }) }`,
  },
  {
    name: "an encode that drops claims",
    code: "claim-dropped",
    says: "Keep every claim of the token",
    config: `session: { overallMaxAge: 86400 }, jwt: { encode: ({ token }) => JSON.stringify({ sub: token.sub }), decode: ({ token }) => JSON.parse(token) }`,
  },
]

const secrets: readonly Mistake[] = [
  { name: "no secret", code: "MissingSecret", env: { AUTH_SECRET: undefined } },
  { name: "an empty secret", code: "MissingSecret", config: `secret: " "` },
  { name: "a short secret", code: "secret-too-short", env: { AUTH_SECRET: "0123456789abcdef01" } },
  {
    name: "a secret of an example in production",
    code: "InvalidConfiguration",
    says: "Weak secret",
    env: { ...atHome, AUTH_SECRET: "secret" },
    ...production,
  },
  { name: "a secret of one character", code: "secret-repetitive", env: { AUTH_SECRET: "a".repeat(40) } },
  {
    name: "a secret in the code",
    code: "secret-in-code",
    config: `secret: "${other}"`,
    env: { AUTH_SECRET: undefined },
  },
  { name: "a secret in pages", code: "secret-public", env: { NEXT_PUBLIC_AUTH_SECRET: good } },
  { name: "a fourth secret", code: "secret-number", env: { AUTH_SECRET_4: other } },
  { name: "a rotation to the same secret", code: "secret-twice", env: { AUTH_SECRET_1: good } },
  { name: "the secret of .env.example", code: "secret-in-example", files: { ".env.example": `AUTH_SECRET=${good}\n` } },
  {
    name: "a file that is not ignored",
    code: "env-not-ignored",
    says: ".env",
    files: { ".git/HEAD": "", ".gitignore": "node_modules\n", ".env": `AUTH_SECRET=${good}\n` },
  },
  {
    name: "a dollar in a secret of Next.js",
    code: "value-expanded",
    env: { AUTH_GITHUB_SECRET: undefined, AUTH_URL: "http://localhost:3000" },
    files: { ".env": "AUTH_GITHUB_SECRET=abc$defghi\n" },
    dependencies: { next: "16.0.0" },
  },
]

const stores: readonly Mistake[] = [
  { name: "database sessions without an adapter", code: "MissingAdapter", config: `session: { strategy: "database" }` },
  { name: "mail without an adapter", code: "MissingAdapter", config: `providers: [${mail("")}]` },
  {
    name: "an adapter that is a function",
    code: "InvalidConfiguration",
    says: "adapter",
    config: `adapter: () => ({})`,
  },
  {
    name: "an adapter that cannot end sessions",
    code: "adapter-operations",
    says: "deleteSession",
    config: `adapter: ${adapter("deleteSession")}`,
  },
  {
    name: "an adapter that cannot link",
    code: "adapter-operations",
    says: "linkAccount",
    config: `adapter: ${adapter("linkAccount")}`,
  },
  {
    name: "a database out of reach",
    code: "database",
    says: "out of reach",
    config: `session: { strategy: "jwt" }, adapter: { ...${adapter()}, check() { throw new Error("out of reach") } }`,
  },
  {
    name: "tables that are not migrated",
    code: "database-pending",
    says: "received keys",
    config: `session: { strategy: "jwt" }, adapter: { ...${adapter()}, check: () => ({ pending: ["2 keys"], problems: [], notes: [] }) }`,
  },
  {
    name: "a Redis that evicts",
    code: "store-settings",
    says: "noeviction",
    config: `session: { strategy: "jwt" }, adapter: { ...${adapter()}, check: async () => ['Set it to "noeviction".'] }`,
  },
  {
    name: "a Redis that evicts, beside a database",
    code: "store-settings",
    says: "noeviction",
    config: `session: { strategy: "jwt" }, adapter: { ...${adapter()}, check: async () => [{ pending: [], problems: [], notes: [] }, ['Set it to "noeviction".']] }`,
  },
  {
    name: "a Redis for records that evicts",
    code: "store-settings",
    says: "noeviction",
    config: `adapter: ${adapter()}, records: { ${recordVerbs.map((verb) => `${verb}() {}`).join(", ")}, check: async () => ['Set it to "noeviction".'] }`,
  },
  {
    name: "passkeys without the flag",
    code: "ExperimentalFeatureNotEnabled",
    config: `providers: [{ id: "passkey", name: "Passkey", type: "webauthn" }], adapter: ${adapter()}`,
  },
  {
    name: "passkeys without the package",
    code: "package-missing",
    says: "@simplewebauthn/server",
    config: `experimental: { enableWebAuthn: true }, providers: [{ id: "passkey", name: "Passkey", type: "webauthn" }], adapter: ${adapter()}`,
  },
  {
    name: "mail without its package",
    code: "package-missing",
    says: "npm install nodemailer",
    config: `providers: [${mail("").replace('"mail"', '"nodemailer"')}], adapter: ${adapter()}`,
  },
  {
    name: "packages of two versions",
    code: "package-versions",
    files: {
      "node_modules/@latchkey/express/package.json": `{ "version": "1.0.0" }`,
      "node_modules/@latchkey/core/package.json": `{ "version": "1.1.0" }`,
    },
  },
  {
    name: "Auth.js beside",
    code: "package-auth-js",
    files: { "node_modules/@latchkey/core/package.json": `{ "version": "1.0.0" }` },
    dependencies: { "@auth/express": "0.8.0" },
  },
  {
    name: "credentials without authorize",
    code: "MissingAuthorize",
    config: `providers: [{ id: "credentials", name: "Password", type: "credentials", credentials: {} }]`,
  },
]

export const mistakes: readonly Mistake[] = [
  ...credentials,
  ...takenWhole,
  ...hosts,
  ...options,
  ...sizes,
  ...secrets,
  ...stores,
]

/** Configurations in which nothing is wrong. */
export const right: readonly (readonly [name: string, configuration: Partial<Mistake>])[] = [
  ["a configuration that is right", {}],
  ["the same in production", { env: { AUTH_URL: "https://app.example.com" }, args: ["--mode", "production"] }],
  ["behind a proxy that is trusted", { env: { AUTH_TRUST_HOST: "true" }, args: ["--mode", "production"] }],
  [
    "at an address of its own, which makes the host no matter",
    { config: "trustHost: false", env: atHome, ...production },
  ],
  [
    "on a preview with an address of its own",
    {
      env: {
        ...atHome,
        VERCEL_ENV: "preview",
        VERCEL_PROJECT_PRODUCTION_URL: "www.example.com",
        VERCEL_URL: "x.vercel.app",
      },
      ...production,
    },
  ],
  [
    "on Vercel in production",
    { env: { ...atHome, VERCEL_ENV: "production", VERCEL_PROJECT_PRODUCTION_URL: "app.example.com" }, ...production },
  ],
  [
    "with a cookie for what may be its mount",
    {
      config: `cookies: { sessionToken: { options: { path: "/app" } } }`,
      dependencies: { express: "*", "@latchkey/express": "*" },
    },
  ],
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
  [
    "with an update of which it takes what may change",
    {
      config: `callbacks: { jwt({ token, session, trigger }) {
        if (trigger !== "update" || typeof session?.name !== "string") return token
        const { name } = { ...{ name: session.name } }
        return { ...token, name, sessions: [...(token.sessions ?? [])], seen: { ...session.seen } }
      }, session: ({ session, token }) => ({ ...session, role: token.role }) }`,
    },
  ],
  ["with pages of its own", { config: `pages: { signIn: "/signin", error: "/oops" }` }],
  [
    "with an ignored file",
    { files: { ".git/HEAD": "", ".gitignore": ".env*\n", ".env": `AUTH_SECRET=${goodEnv["AUTH_SECRET"]}\n` } },
  ],
]

/** Writes a project with the mistake, and nothing else wrong, into a folder of its own. */
export function writeProject({ config = "", env = {}, files = {}, dependencies = {} }: Partial<Mistake>): {
  readonly folder: string
  readonly env: Record<string, string>
} {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-mistake-"))
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
  return { folder, env: Object.fromEntries(merged) }
}
