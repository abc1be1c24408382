/** What the browser posts after a ceremony: read strictly, with the members that count and no others. */
import { fromBase64url, toBase64url } from "../../std/bytes.js"
import { isMembers, type Members } from "../../std/json.js"
import type { CeremonyResponse } from "./ceremony.js"

/** The two ceremonies of WebAuthn (§7.1, §7.2). */
export type Ceremony = "register" | "authenticate"

// Far above what authenticators send, far below what would cost something.
const longestData = 64 * 1024
const longestClientData = 16 * 1024
// WebAuthn §7.1: an id has at most 1023 bytes.
const longestId = 1023

const members: Readonly<Record<Ceremony, readonly string[]>> = {
  register: ["clientDataJSON", "attestationObject"],
  authenticate: ["clientDataJSON", "authenticatorData", "signature", "userHandle"],
}

/** @throws Error that names the member that is invalid, without its value. */
export function readResponse(ceremony: Ceremony, data: unknown): CeremonyResponse {
  const posted = membersOf(parse(data), "data")
  const { id, rawId, type } = posted
  if (typeof id !== "string" || !isCredentialId(id)) throw invalidMember("id")
  if (rawId !== id) throw invalidMember("rawId")
  if (type !== "public-key") throw invalidMember("type")
  const given = membersOf(posted["response"], "response")
  const response = pick(given, members[ceremony])
  expectClientData(response["clientDataJSON"] ?? "")
  return { id, rawId, type, response, transports: ceremony === "register" ? transportsOf(given["transports"]) : [] }
}

function parse(data: unknown): unknown {
  if (typeof data !== "string") return data
  if (data.length > longestData) throw invalidMember("data")
  try {
    return JSON.parse(data)
  } catch {
    throw invalidMember("data")
  }
}

function isCredentialId(id: string): boolean {
  if (id === "" || id.length > longestId * 2) return false
  try {
    const bytes = fromBase64url(id)
    // Two spellings of the same bytes would be two ids of one credential.
    return bytes.length <= longestId && toBase64url(bytes) === id
  } catch {
    return false
  }
}

function pick(given: Members, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    // An authenticator may keep it to itself (WebAuthn Level 3 §5.2.2).
    if (name === "userHandle" && (value === undefined || value === null)) continue
    if (typeof value !== "string" || value.length > longestData) throw invalidMember(name)
    picked[name] = value
  }
  return picked
}

/** WebAuthn §7.1 steps 5 to 11 beyond what the library does: real UTF-8, an object, and not from inside a foreign frame. */
function expectClientData(text: string): void {
  if (text.length > longestClientData) throw invalidMember("clientDataJSON")
  const clientData = membersOf(parseClientData(text), "clientDataJSON")
  const { crossOrigin } = clientData
  if (crossOrigin !== undefined && crossOrigin !== false) throw invalidMember("clientDataJSON.crossOrigin")
  if (Object.hasOwn(clientData, "topOrigin")) throw invalidMember("clientDataJSON.topOrigin")
}

function parseClientData(text: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(fromBase64url(text)))
  } catch {
    throw invalidMember("clientDataJSON")
  }
}

const transport = /^[a-z][a-z-]{1,31}$/
const mostTransports = 10

/** What the browser says of the ways to the authenticator; anything odd is left out. */
function transportsOf(given: unknown): readonly string[] {
  if (!Array.isArray(given)) return []
  const known = given.filter((way): way is string => typeof way === "string" && transport.test(way))
  return [...new Set(known)].slice(0, mostTransports)
}

function membersOf(value: unknown, name: string): Members {
  if (isMembers(value)) return value
  throw invalidMember(name)
}

function invalidMember(name: string): Error {
  return new Error(`The member ${name} of the response is missing or invalid.`)
}
