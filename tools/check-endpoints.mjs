/**
 * Asks the discovery document of each provider, one after the other, and reports where an entry differs from it.
 * For people with internet; it is no part of the tests. `--help` tells the rest.
 */
import { fileURLToPath } from "node:url"
import { loadProviders, providerIds } from "./catalogue.mjs"

const help = `Usage: node tools/check-endpoints.mjs [--timeout <seconds>] [<id> | <id>=<issuer> ...]

Asks the discovery document of each provider and compares issuer and endpoints with the entry. Without ids all
providers are asked whose issuer is known; <id>=<issuer> names one that is not. One request at a time, 10 seconds each.
Ends with 1 when an entry differs or a document could not be read.
`
const place = "/.well-known/openid-configuration"
/** Documents have a few kilobytes. */
const mostBytes = 256 * 1024

/** Members of a document, and how an entry writes each down. */
const members = {
  authorization_endpoint: (provider) => addressOf(provider.authorization),
  token_endpoint: (provider) => addressOf(provider.token),
  userinfo_endpoint: (provider) => addressOf(provider.userinfo),
  jwks_uri: (provider) => addressOf(provider.jwks_endpoint),
}

function addressOf(endpoint) {
  const url = typeof endpoint === "object" && !(endpoint instanceof URL) ? endpoint?.url : endpoint
  return url === undefined ? undefined : String(url)
}

/** Where the document of a provider is and which issuer it should name; `undefined` when nobody can tell. */
export function questionOf(provider, given) {
  const stated = given ?? provider.issuer
  const filled = (text) => (stated === undefined ? text : text?.replaceAll("{issuer}", stated.replace(/\/+$/, "")))
  const url = filled(provider.wellKnown) ?? (stated && stated.replace(/\/$/, "") + place)
  if (provider.discontinued || !url || url.includes("{") || !URL.canParse(url)) return undefined
  const beside = url.endsWith(place) ? url.slice(0, -place.length) : undefined
  const expected = stated ?? beside
  return { url, issuer: provider.discoveryIssuer && expected ? provider.discoveryIssuer(expected) : expected, filled }
}

/** Lines that say where the entry and the document differ. */
export function differences(provider, { issuer, filled }, document) {
  const lines = issuer !== undefined && document.issuer !== issuer ? [line("issuer", issuer, document.issuer)] : []
  for (const [member, read] of Object.entries(members)) {
    const written = filled(read(provider))
    // What the entry leaves to discovery cannot differ, and some documents are silent about endpoints that exist.
    if (!written || written.includes("{") || document[member] === undefined) continue
    if (withoutQuery(written) !== withoutQuery(document[member])) lines.push(line(member, written, document[member]))
  }
  return lines
}

const line = (member, written, found) =>
  `${member} is ${JSON.stringify(found)}, the entry has ${JSON.stringify(written)}`

function withoutQuery(address) {
  return String(address).replace(/[?#].*$/, "")
}

/** The document; throws an error with a sentence when there is none. */
async function documentAt(url, { fetch, timeout }) {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(timeout),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`answered ${response.status}`)
  }
  const document = JSON.parse(await textOf(response))
  if (typeof document !== "object" || document === null) throw new Error("answered no document")
  return document
}

async function textOf(response) {
  const chunks = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > mostBytes) throw new Error(`answered more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

async function verdictOf(provider, question, means) {
  try {
    const lines = differences(provider, question, await documentAt(question.url, means))
    return { state: lines.length > 0 ? "differs" : "agrees", lines }
  } catch (error) {
    // A provider of OAuth 2 may name an issuer (RFC 9207) and publish no document.
    if (provider.type === "oauth" && error.message === "answered 404") return { state: "silent", lines: [] }
    const reason = error.cause?.code ?? error.cause?.message
    return { state: "unread", lines: [`${question.url}: ${error.message}${reason ? ` (${reason})` : ""}`] }
  }
}

/**
 * Asks one provider after the other. `issuers` holds those the entries do not know, by id; `report` hears each verdict.
 * The answer counts verdicts: `agrees`, `differs`, `unread`, `silent` and, for those without an address, `skipped`.
 */
export async function checkEndpoints({ providers, fetch, issuers = {}, timeout = 10_000, report = () => {} }) {
  const counts = { agrees: 0, differs: 0, unread: 0, silent: 0, skipped: 0 }
  for (const { id, provider } of providers) {
    const question = questionOf(provider, issuers[id])
    const verdict = question ? await verdictOf(provider, question, { fetch, timeout }) : { state: "skipped", lines: [] }
    counts[verdict.state]++
    report({ id, ...verdict })
  }
  return counts
}

/** What the command line asks for; throws with a sentence when it makes no sense. */
export function readArguments(args, known) {
  const ids = []
  const issuers = {}
  let timeout = 10_000
  for (let at = 0; at < args.length; at++) {
    if (args[at] === "--timeout") {
      timeout = Number(args[++at]) * 1000
      if (!(timeout > 0 && timeout <= 120_000)) throw new Error("--timeout takes seconds, 120 at most.")
      continue
    }
    const [, id, issuer] = /^([^=]+)(?:=(.+))?$/.exec(args[at]) ?? []
    if (!known.includes(id)) throw new Error(`There is no provider "${id ?? args[at]}".`)
    if (issuer && !/^https:\/\//.test(issuer)) throw new Error(`The issuer of ${id} has to begin with https://.`)
    ids.push(id)
    if (issuer) issuers[id] = issuer
  }
  return { ids: ids.length > 0 ? ids : known, issuers, timeout }
}

async function main(args) {
  if (args.includes("--help")) return process.stdout.write(help)
  const { ids, ...options } = readArguments(args, await providerIds())
  const report = ({ id, state, lines }) => {
    if (state !== "skipped")
      process.stdout.write([`${state.padEnd(8)} ${id}`, ...lines].join("\n         ").concat("\n"))
  }
  const counts = await checkEndpoints({ providers: await loadProviders(ids), fetch, report, ...options })
  const summary = Object.entries(counts).map(([state, count]) => `${count} ${state}`)
  process.stdout.write(`${summary.join(", ")}\n`)
  if (counts.differs + counts.unread > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error.message}\n\n${help}`)
    process.exitCode = 2
  })
}
