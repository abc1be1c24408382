/** A Keycloak of our own, from the folder that `KEYCLOAK_HOME` names, with one realm. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { guardOf, runServer, type Server, temporaryFolder } from "../../../tools/servers/server.js"

/** A running Keycloak. */
export interface Keycloak {
  readonly issuer: string
  /** What stands in its file `version.txt`. */
  readonly version: string
  /** Calls the admin API of the realm; answers what it answers. */
  admin<T = unknown>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<T>
  /** Registers a client; answers its id and secret. */
  addClient(settings: ClientSettings): Promise<{ readonly clientId: string; readonly clientSecret: string }>
  /** A key that signs from now on for this family of algorithms. */
  addKey(kind: "rsa" | "ecdsa" | "eddsa"): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** What differs between clients. */
export interface ClientSettings {
  readonly callback: string
  /** Members of the client as the admin API knows them. */
  readonly over?: Readonly<Record<string, unknown>>
  /** Attributes of it, beside PKCE being required. */
  readonly attributes?: Readonly<Record<string, string>>
}

/** The person who can sign in. */
export const ada = { username: "ada", password: "a pass phrase for Ada" } as const

const administrator = { username: "admin", password: "the administrator of a test" } as const
const realm = "lovelace"

function homeOf(env: NodeJS.ProcessEnv): string {
  const home = env["KEYCLOAK_HOME"]
  if (home && existsSync(join(home, "bin/kc.sh"))) return home
  const found = home ? `${home} has no bin/kc.sh` : "the variable is not set"
  throw new Error(
    `KEYCLOAK_HOME has to name the folder of an unpacked Keycloak, and ${found}. ` +
      "Download keycloak-<version>.zip (also the Maven artefact org.keycloak:keycloak-quarkus-dist, type zip), unpack it, " +
      "and install Java 17 or later: see docs/security/other-providers.md.",
  )
}

/** Starts it with an empty database. The first start of an unpacked Keycloak takes longer, because it is built then. */
export async function startKeycloak(): Promise<Keycloak> {
  const home = homeOf(process.env)
  const folder = temporaryFolder({})
  const { username, password } = administrator
  const java = process.env["JAVA_HOME"]
  const server = await runServer(
    {
      title: "Keycloak",
      folder,
      owner: {},
      program: "env",
      args: (port) => [
        ...(java ? [`JAVA_HOME=${java}`] : []),
        "JAVA_OPTS_KC_HEAP=-Xms64m -Xmx512m",
        `KC_BOOTSTRAP_ADMIN_USERNAME=${username}`,
        `KC_BOOTSTRAP_ADMIN_PASSWORD=${password}`,
        join(home, "bin/kc.sh"),
        "start-dev",
        "--db=dev-file",
        `--db-url=jdbc:h2:file:${join(folder, "data")};NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE`,
        "--http-host=127.0.0.1",
        `--http-port=${port}`,
      ],
      ready: /Listening on: http/,
      patience: 240_000,
      quit: "SIGTERM",
      url: (port) => `http://127.0.0.1:${port}`,
    },
    guardOf(folder, "SIGTERM"),
  )
  try {
    return await withRealm(server)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function withRealm(server: Server): Promise<Keycloak> {
  const { url } = server
  await call(`${url}/admin/realms`, "POST", await signedIn(url), {
    realm,
    enabled: true,
    sslRequired: "none",
    users: [
      {
        username: ada.username,
        email: "ada@example.com",
        emailVerified: true,
        firstName: "Ada",
        lastName: "Lovelace",
        enabled: true,
        credentials: [{ type: "password", value: ada.password }],
      },
    ],
  })
  const admin: Keycloak["admin"] = async (method, path, body) =>
    call(`${url}/admin/realms/${realm}${path}`, method, await signedIn(url), body)
  let count = 0
  return {
    issuer: `${url}/realms/${realm}`,
    version: await versionOf(url),
    admin,
    async addClient({ callback, over = {}, attributes = {} }) {
      count += 1
      const [clientId, clientSecret] = [`application-${count}`, `a secret of 40 characters, + and % : ${count}`]
      await admin("POST", "/clients", {
        clientId,
        secret: clientSecret,
        redirectUris: [callback],
        standardFlowEnabled: true,
        ...over,
        attributes: { "pkce.code.challenge.method": "S256", ...attributes },
      })
      return { clientId, clientSecret }
    },
    async addKey(kind) {
      count += 1
      await admin("POST", "/components", {
        name: `${kind}-${count}`,
        providerId: `${kind}-generated`,
        providerType: "org.keycloak.keys.KeyProvider",
        config: { priority: [String(1000 + count)] },
      })
    },
    restart: () => server.restart(),
    stop: () => server.stop(),
  }
}

async function signedIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: "password", client_id: "admin-cli", ...administrator })
  const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: "POST", body })
  return ((await response.json()) as { access_token: string }).access_token
}

async function versionOf(url: string): Promise<string> {
  const { systemInfo } = await call<{ systemInfo: { version: string } }>(
    `${url}/admin/serverinfo`,
    "GET",
    await signedIn(url),
  )
  return systemInfo.version
}

async function call<T>(url: string, method: string, token: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  const text = await response.text()
  if (!response.ok) throw new Error(`Keycloak answered ${method} ${url} with ${response.status}: ${text}`)
  return (text === "" ? undefined : JSON.parse(text)) as T
}
