/**
 * Begins a provider: `node tools/new-provider.mjs <id> [oauth|oidc]` writes its file and the fixture that proves it,
 * both to be completed by hand. An existing file is never touched.
 */
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const idShape = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** `some-service` as SomeService; a leading digit is put behind a letter. */
export function functionName(id) {
  const name = id.replace(/(?:^|-)([a-z0-9])/g, (_, letter) => letter.toUpperCase())
  return /^\d/.test(name) ? `P${name}` : name
}

/** The file of the provider. */
export function providerFile(id, kind = "oauth", today = new Date()) {
  const name = functionName(id)
  const [config, options] = kind === "oidc" ? ["OIDCConfig", "OIDCUserConfig"] : ["OAuth2Config", "OAuthUserConfig"]
  const addresses =
    kind === "oidc"
      ? `      issuer: "https://${id}.example",\n`
      : `      authorization: { url: "https://${id}.example/oauth/authorize", params: { scope: "email" } },
      token: "https://${id}.example/oauth/token",
      userinfo: "https://${id}.example/api/me",\n`
  const member = kind === "oidc" ? "sub" : "id"
  return `/** ${name}. */
import type { ${config}, ${options}, UsualId } from "../types/provider.js"
import { type FurtherClaims, ${kind} } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What ${name} says of a person. */
export interface ${name}Profile extends FurtherClaims {
  ${member}: string
  name: string
  email: string
  picture: string
}

/** Sign-in with ${name}. */
export function ${name}(config: ${options}<${name}Profile> = {}): ${config}<${name}Profile, UsualId<"${id}">> {
  return ${kind}(
    {
      id: "${id}",
      name: "${name}",
${addresses}      profile: (profile) => ({
        id: idOf(profile.${member}),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.picture),
      }),
      style: { brandColor: "#444444" },
      console: "https://${id}.example/applications",
      docs: "https://${id}.example/docs",
      checked: "${today.toISOString().slice(0, 10)}",
      notes: [],
    },
    config,
  )
}

export default ${name}
`
}

/** The fixture: what the provider does, written from its documentation and not from the file above. */
export function fixtureFile(id, kind = "oauth") {
  const base = `https://${id}.example`
  const user = { id: "1", name: "Ada Byron", email: "ada@example.com", image: `${base}/ada.png` }
  const known = { name: user.name, email: user.email, picture: user.image }
  const token = {
    url: `${base}/oauth/token`,
    client: "basic",
    answer: { access_token: `access-token-${id}`, token_type: "Bearer", expires_in: 3600 },
  }
  const shared = { id, type: kind, options: { clientId: "client-id-1", clientSecret: "secret-of-the-client" } }
  const authorization = (scope) => ({ url: `${base}/oauth/authorize`, scope, params: {}, pkce: "S256" })
  const fixture =
    kind === "oidc"
      ? {
          ...shared,
          issuer: base,
          keys: `${base}/keys`,
          discovery: {
            url: `${base}/.well-known/openid-configuration`,
            document: {
              issuer: base,
              authorization_endpoint: `${base}/oauth/authorize`,
              token_endpoint: token.url,
              jwks_uri: `${base}/keys`,
            },
          },
          idToken: "RS256",
          authorization: authorization("openid profile email"),
          token,
          calls: [],
          profile: { sub: "1", ...known },
          user,
        }
      : {
          ...shared,
          authorization: authorization("email"),
          token,
          calls: [{ url: `${base}/api/me`, answer: "{profile}" }],
          profile: { id: "1", ...known },
          user,
        }
  return `${JSON.stringify(fixture, undefined, 2)}\n`
}

/** What is written for a provider, by path. */
export function filesOf(id, kind) {
  return new Map([
    [join(root, `packages/core/src/providers/${id}.ts`), providerFile(id, kind)],
    [join(root, `packages/core/test/providers/fixtures/${id}.json`), fixtureFile(id, kind)],
  ])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [id = "", kind = "oauth"] = process.argv.slice(2)
  const files = filesOf(id, kind)
  const taken = [...files.keys()].filter((path) => existsSync(path))
  if (!idShape.test(id) || !["oauth", "oidc"].includes(kind)) {
    process.stderr.write("Usage: node tools/new-provider.mjs <id in kebab case> [oauth|oidc]\n")
    process.exitCode = 1
  } else if (taken.length > 0) {
    process.stderr.write(`${taken.join(", ")}: there already.\n`)
    process.exitCode = 1
  } else {
    for (const [path, text] of files) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
    process.stdout.write(
      `${[...files.keys()].map((path) => path.slice(root.length)).join("\n")}\n\nComplete both, then:\n` +
        "  node tools/catalogue.mjs\n  npx biome check --write packages/core\n  npx vitest run packages/core/test/providers\n",
    )
  }
}
