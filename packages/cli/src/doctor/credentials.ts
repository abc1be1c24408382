/** Client ids, client secrets and issuers of every provider, and names in the environment that nothing reads. */
import type { ProviderInspection } from "@latchkey/core"
import { nearest } from "@latchkey/core/testing"
import { variablesOf } from "../catalogue.js"
import type { Environment } from "../world.js"
import { type Check, type Finding, found, type Patient, pages } from "./finding.js"

const error = found("error", pages.providers)
const warning = found("warning", pages.providers)

/** What stands in examples where a value has to be filled in. A value drawn at random may begin with "my" or "your". */
const placeholder =
  /^(?:<.*>|\{.*\}|\.\.\.|…|x{3,}|your[-_ ].*|(?:your|my)[a-z _-]*(?:[-_ ]|client)(?:id|secret|key|token|value|here)|change[-_ ]?me|todo|replace[-_ ]?me|(?:client[-_ ]?)?(?:id|secret)|undefined|null|example)$/i

/** What ids of a service look like, where they all look the same. */
const shapes: Readonly<Record<string, { readonly shape: RegExp; readonly like: string }>> = {
  google: { shape: /\.apps\.googleusercontent\.com$/, like: "<number>-<letters>.apps.googleusercontent.com" },
  github: {
    shape: /^(?:Iv\d\.[0-9a-f]{16}|Iv23\w{16}|Ov23\w{16}|[0-9a-f]{20})$/,
    like: "Ov23… or 20 hexadecimal digits",
  },
  "microsoft-entra-id": {
    shape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    like: "a UUID, the “Application (client) ID”",
  },
  discord: { shape: /^\d{17,20}$/, like: "17 to 20 digits" },
}

/** A variable that is there and may have been meant: of another library, or misspelt. */
function meant(name: string, env: Environment): string | undefined {
  const set = Object.keys(env).filter((key) => env[key] && key !== name)
  const [, id = "", part = ""] = /^AUTH_(.+)_(ID|SECRET|ISSUER)$/.exec(name) ?? []
  const usual = [
    `${id}_${part}`,
    `${id}_CLIENT_${part}`,
    `AUTH_${id}_CLIENT_${part}`,
    `${id}_CLIENT${part}`,
    `OAUTH_${id}_${part}`,
  ]
  return (
    usual.find((key) => set.includes(key)) ??
    nearest(
      name,
      set.filter((key) => key.startsWith("AUTH_") && key.endsWith(part)),
    )
  )
}

function missing(name: string, { env }: Patient, what: string): Finding {
  const other = meant(name, env)
  const hint = other === undefined ? `Set ${name}.` : `${other} is set, and nothing reads it: rename it to ${name}.`
  return error(
    "client-incomplete",
    `${what}: expected ${name} in the environment or the option, received nothing.`,
    hint,
  )
}

function ofProvider(provider: ProviderInspection, patient: Patient): readonly Finding[] {
  const { id, clientId, hasClientSecret, issuer, type } = provider
  const names = variablesOf(id)
  const findings: Finding[] = []
  if (clientId === undefined || clientId === "") findings.push(missing(names.id, patient, `Client id of "${id}"`))
  else findings.push(...ofClientId(provider, clientId))
  if (hasClientSecret === false) findings.push(missing(names.secret, patient, `Client secret of "${id}"`))
  const secret = patient.env[names.secret]?.trim()
  if (secret && placeholder.test(secret)) {
    findings.push(
      error(
        "client-placeholder",
        `${names.secret}: expected the secret from the provider, received the placeholder of an example.`,
        "Copy the secret from the provider's console.",
      ),
    )
  }
  if (secret && clientId && secret === clientId) {
    findings.push(
      error(
        "client-swapped",
        `Client of "${id}": expected an id and a secret, received the same value for both.`,
        "Copy each from the provider's console.",
      ),
    )
  }
  if (type === "oidc" && issuer !== undefined) findings.push(...ofIssuer({ id, issuer }, patient.isProduction))
  return findings
}

function ofClientId({ id }: ProviderInspection, clientId: string): readonly Finding[] {
  if (placeholder.test(clientId)) {
    return [
      error(
        "client-placeholder",
        `Client id of "${id}": expected the id from the provider, received the placeholder of an example.`,
        "Copy the id from the provider's console.",
      ),
    ]
  }
  if (clientId !== clientId.trim() || /^["'].*["']$/.test(clientId)) {
    return [
      error(
        "client-quoted",
        `Client id of "${id}": expected the bare value, received one with spaces or quotes around it.`,
        "Remove them.",
      ),
    ]
  }
  const usual = shapes[id]
  if (!usual || usual.shape.test(clientId)) return []
  return [
    warning(
      "client-shape",
      `Client id of "${id}": expected ${usual.like}, received something else.`,
      "Check that it is the id, and of this provider.",
    ),
  ]
}

function ofIssuer({ id, issuer }: { id: string; issuer: string }, isProduction: boolean): readonly Finding[] {
  if (issuer.includes("/.well-known/")) {
    return [
      error(
        "issuer-discovery",
        `Issuer of "${id}": expected the address of the issuer, received that of its discovery document.`,
        `Set ${variablesOf(id).issuer} to what stands before /.well-known/.`,
      ),
    ]
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (!url) return []
  if (isProduction && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    return [
      error(
        "issuer-local",
        `Issuer of "${id}": expected a public address in production, received ${issuer}.`,
        "A provider for development signs anybody in: remove it from the production configuration.",
      ),
    ]
  }
  if (url.search !== "" || url.hash !== "") {
    return [
      error(
        "issuer-query",
        `Issuer of "${id}": expected an address without query and fragment, received one with them.`,
        "Leave them out (OpenID Connect Discovery 1.0 §3).",
      ),
    ]
  }
  if (/<|>|%3C|\{|%7B|your-|example\.(?:com|org)$/i.test(issuer)) {
    return [
      error(
        "issuer-placeholder",
        `Issuer of "${id}": expected your own, received the address of an example: ${issuer}.`,
        `Set ${variablesOf(id).issuer}.`,
      ),
    ]
  }
  return []
}

/** Credentials of all providers that have a client. */
export const clients: Check = (patient) =>
  [...patient.inspection.providers.values()]
    .filter(({ type }) => type === "oauth" || type === "oidc")
    .flatMap((provider) => ofProvider(provider, patient))

/** Variables that the core reads beside those of providers. */
const general = [
  "AUTH_SECRET",
  "AUTH_SECRET_1",
  "AUTH_SECRET_2",
  "AUTH_SECRET_3",
  "AUTH_URL",
  "AUTH_TRUST_HOST",
  "AUTH_REDIRECT_PROXY_URL",
  "AUTH_RECORD_SECRET",
  "AUTH_RECORD_SECRET_1",
  "AUTH_RECORD_SECRET_2",
  "AUTH_RECORD_SECRET_3",
  "AUTH_DEVELOPMENT_CHECKS",
]

/** Variables in files of the project that are named as if they were read, and are not. */
export const unread: Check = ({ env, envFiles, inspection }) => {
  const ids = [...inspection.providers.keys()]
  const known = [
    ...general,
    ...ids.flatMap((id) => Object.values(variablesOf(id))),
    ...ids.map((id) => variablesOf(id).id.replace(/_ID$/, "_KEY")),
  ]
  const ours = ids.map((id) => variablesOf(id).id.replace(/_ID$/, "_"))
  return Object.keys(env)
    .filter(
      (name) =>
        /^(?:AUTH|NEXTAUTH)_/.test(name) && env[name] && !known.includes(name) && envFiles.sourceOf(name) !== undefined,
    )
    .filter((name) => !ours.some((stem) => name.startsWith(stem)))
    .map((name) => {
      const near = name.startsWith("NEXTAUTH_") ? name.replace("NEXTAUTH_", "AUTH_") : nearest(name, known)
      const file = envFiles.sourceOf(name)
      return warning(
        "unread-variable",
        `${name} in ${file}: expected a variable that this configuration reads, received one that it does not.`,
        near === undefined ? "Remove it, or add the provider it belongs to." : `Did you mean ${near}?`,
      )
    })
}
