/** A Glewlwyd of our own, from Debian's package, with its plugin for OpenID Connect. */
import { generateKeyPairSync, type JsonWebKey } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { guardOf, runProgram, runServer, type Server, temporaryFolder } from "../../../tools/servers/server.js"
import type { Page, Person } from "./person.js"

/** A running Glewlwyd. */
export interface Glewlwyd {
  readonly issuer: string
  readonly version: string
  /** Calls its API as the administrator. */
  admin<T = unknown>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<T>
  /** Registers a client; answers its id and secret. */
  addClient(callback: string, over?: Readonly<Record<string, unknown>>): Promise<Client>
  /** What its page does when somebody types their name and password and agrees; `hold` ends the way before that host. */
  agree(person: Person, page: Page, options: { client: Client; hold?: string }): Promise<Page>
  /** Signs with a new key from now on; the old keys stay in the set. */
  rotate(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** A registered client. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

const program = "/usr/bin/glewlwyd"
const schema = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
const administrator = { username: "admin", password: "password" } as const
/** The person who can sign in. */
export const grace = { username: "grace", password: "a pass phrase for Grace" } as const

const curves = { ES256: "P-256", ES384: "P-384", ES512: "P-521" } as const

/** A private key of the provider; its id is its algorithm unless another is given. */
function newKey(alg: string, kid: string = alg): JsonWebKey {
  const { privateKey } = alg.startsWith("ES")
    ? generateKeyPairSync("ec", { namedCurve: curves[alg as keyof typeof curves] })
    : alg === "EdDSA"
      ? generateKeyPairSync("ed25519")
      : generateKeyPairSync("rsa", { modulusLength: 2048 })
  return { ...privateKey.export({ format: "jwk" }), alg, kid }
}

const plugin = (issuer: string, keys: readonly JsonWebKey[]): object => ({
  module: "oidc",
  name: "oidc",
  display_name: "OpenID Connect",
  order_rank: 0,
  readonly: false,
  parameters: {
    iss: issuer,
    "jwks-private": JSON.stringify({ keys }),
    "client-sign_kid-parameter": "sign_kid",
    "jwks-show": true,
    "access-token-duration": 3600,
    "refresh-token-duration": 1209600,
    "code-duration": 600,
    "refresh-token-rolling": true,
    "allow-non-oidc": false,
    "auth-type-code-enabled": true,
    "auth-type-code-revoke-replayed": true,
    "auth-type-refresh-enabled": true,
    "auth-type-token-enabled": false,
    "auth-type-password-enabled": false,
    "auth-type-client-enabled": false,
    "auth-type-implicit-enabled": false,
    "pkce-allowed": true,
    "pkce-required": true,
    "pkce-method-plain-allowed": false,
    "subject-type": "public",
    "name-claim": "mandatory",
    "email-claim": "mandatory",
    "scope-claim": "no",
    "oauth-as-iss-id": true,
    "request-parameter-allow": true,
    "request-maximum-exp": 3600,
    "client-pubkey-parameter": "pubkey",
    "client-jwks-parameter": "jwks",
    "client-jwks_uri-parameter": "jwks_uri",
    "allowed-scope": ["openid"],
  },
})

function configuration(port: number, folder: string): string {
  const lines = [
    `port=${port}`,
    `bind_address="127.0.0.1"`,
    `external_url="http://127.0.0.1:${port}"`,
    `login_url="login.html"`,
    `api_prefix="api"`,
    `static_files_path="/usr/share/glewlwyd/webapp/"`,
    `log_mode="console"`,
    `log_level="INFO"`,
    `cookie_domain="127.0.0.1"`,
    "cookie_secure=0",
    `user_module_path="/usr/lib/glewlwyd/user"`,
    `client_module_path="/usr/lib/glewlwyd/client"`,
    `user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"`,
    `plugin_module_path="/usr/lib/glewlwyd/plugin"`,
    `hash_algorithm="SHA512"`,
    `database={ type="sqlite3" path="${join(folder, "data")}" };`,
  ]
  return `${lines.join("\n")}\n`
}

/** Starts it with an empty database. */
export async function startGlewlwyd(): Promise<Glewlwyd> {
  if (!existsSync(program) || !existsSync("/usr/bin/sqlite3")) {
    throw new Error("The tests with Glewlwyd need its package and sqlite3: sudo apt-get install glewlwyd sqlite3")
  }
  const folder = temporaryFolder({})
  const script = join(folder, "schema.sql")
  writeFileSync(script, gunzipSync(readFileSync(schema)))
  await runProgram("sqlite3", [join(folder, "data"), `.read ${script}`], {}, folder)
  const version = (await runProgram(program, ["--version"], {}, folder)).trim()
  const server = await runServer(
    {
      title: "Glewlwyd",
      folder,
      owner: {},
      program,
      args(port) {
        const path = join(folder, "glewlwyd.conf")
        writeFileSync(path, configuration(port, folder))
        return [`--config-file=${path}`]
      },
      ready: /Glewlwyd started/i,
      quit: "SIGTERM",
      url: (port) => `http://127.0.0.1:${port}`,
    },
    guardOf(folder, "SIGTERM"),
  )
  try {
    return await withPlugin(server, version)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function withPlugin(server: Server, version: string): Promise<Glewlwyd> {
  const { url } = server
  const issuer = `${url}/api/oidc`
  const admin: Glewlwyd["admin"] = async (method, path, body) =>
    call(`${url}/api${path}`, method, await signedIn(url), body)
  let keys = ["RS256", "PS256", "ES256", "ES384", "EdDSA"].map((alg) => newKey(alg))
  let count = 0
  await admin("POST", "/mod/plugin/", plugin(issuer, keys))
  await keepSignKid(admin)
  const scope = ["g_profile", "openid"]
  await admin("POST", "/user/", { ...grace, name: "Grace Hopper", email: "grace@example.com", enabled: true, scope })
  return {
    issuer,
    version,
    admin,
    async addClient(callback, over = {}) {
      count += 1
      const [clientId, clientSecret] = [`application-${count}`, `a-secret-of-more-than-32-characters-${count}`]
      await admin("POST", "/client/", {
        client_id: clientId,
        name: clientId,
        client_secret: clientSecret,
        confidential: true,
        enabled: true,
        redirect_uri: [callback],
        authorization_type: ["code", "refresh_token"],
        token_endpoint_auth_method: ["client_secret_basic"],
        scope: [],
        ...over,
      })
      return { clientId, clientSecret }
    },
    async agree(person, page, { client, ...options }) {
      const { status } = await person.call(`${url}/api/auth/`, "POST", grace)
      if (status !== 200) return { ...page, status }
      await person.call(`${url}/api/auth/grant/${client.clientId}/`, "PUT", { scope: "openid" })
      return person.open(`${page.url.searchParams.get("callback_url")}&g_continue`, options)
    },
    async rotate() {
      count += 1
      keys = [newKey("RS256", `made-later-${count}`), ...keys]
      await admin("PUT", "/mod/plugin/oidc", plugin(issuer, keys))
      await admin("PUT", "/mod/plugin/oidc/reset")
    },
    restart: () => server.restart(),
    stop: () => server.stop(),
  }
}

/** Lets clients say which key signs for them. */
async function keepSignKid(admin: Glewlwyd["admin"]): Promise<void> {
  const clients = await admin<{ parameters: { "data-format": object } }>("GET", "/mod/client/database")
  const { parameters } = clients
  const format = { ...parameters["data-format"], sign_kid: { multiple: false, read: true, write: true } }
  await admin("PUT", "/mod/client/database", { ...clients, parameters: { ...parameters, "data-format": format } })
  await admin("PUT", "/mod/client/database/reset")
}

async function signedIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(administrator),
  })
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")
}

async function call<T>(url: string, method: string, cookie: string, body?: object): Promise<T> {
  const headers = { cookie, "content-type": "application/json" }
  const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  const text = await response.text()
  if (!response.ok) throw new Error(`Glewlwyd answered ${method} ${url} with ${response.status}: ${text}`)
  return (text === "" ? undefined : JSON.parse(text)) as T
}
