/** The secrets of a configuration that no log may hold, whatever stands around them. */
import { secretsIn } from "../ports/secret-members.js"
import type { Members } from "../std/json.js"
import { urlOf } from "../std/url.js"
import { membersOf } from "./members.js"
import type { ResolvedProvider } from "./settings.js"

/** Where the secrets are: resolved ones, and what the developer wrote. */
export interface KnownSecretsGiven {
  readonly secrets: readonly string[]
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly members: Members
}

/** Secrets that no log may hold, whatever stands around them. */
export function knownSecretsOf({ secrets, providers, members }: KnownSecretsGiven): readonly string[] {
  const jwtSecret: unknown = membersOf(members.jwt).secret
  const found: unknown[] = [...secrets, ...(Array.isArray(jwtSecret) ? jwtSecret : [jwtSecret])]
  for (const { config } of providers.values()) {
    const { clientSecret, apiKey, secret, server } = membersOf(config)
    found.push(clientSecret, apiKey, secret, ...secretsOfServer(server))
  }
  return found.filter((secret): secret is string => typeof secret === "string")
}

/** What opens a mail server and the proxy before it: in their addresses or beside them, in place of a password (OAuth 2), or as the key of a certificate. */
function secretsOfServer(server: unknown): readonly unknown[] {
  const address = addressOf(server)
  if (address) return [address.password, ...secretsAmong(optionsIn(address))]
  // A transport that the application made itself keeps its options.
  return [server, membersOf(server)["options"]].flatMap((options) => secretsAmong(membersOf(options)))
}

function secretsAmong({ auth, tls, ...options }: Members): readonly unknown[] {
  const { key, pfx } = membersOf(tls)
  const addresses = [options["url"], options["connectionString"], options["proxy"]].map(addressOf)
  const passwords = addresses.map((address) => address?.password)
  return [...passwords, ...secretsIn([options, { auth, tls }, { secret: [membersOf(auth)["pass"], key, pfx] }])]
}

function addressOf(given: unknown): URL | undefined {
  return given instanceof URL ? given : typeof given === "string" ? urlOf(given) : undefined
}

/** The options in the query of an address; those of TLS have its name before theirs. */
function optionsIn({ searchParams }: URL): Members {
  const tls = Object.fromEntries(["key", "pfx"].map((name) => [name, searchParams.get(`tls.${name}`)]))
  return { ...Object.fromEntries(searchParams), tls }
}
