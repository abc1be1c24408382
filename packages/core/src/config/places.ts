/** Addresses that depend on what an application was given: `{issuer}` and `{clientId}` stand for the options of that name. */
import { isPlain } from "./members.js"

type Merged = Readonly<Record<PropertyKey, unknown>>
type Values = Readonly<Record<string, string | undefined>>

const place = /\{(issuer|clientId)\}/g

/** The provider with its places filled. What cannot be filled is left out, as if it had not been written. */
export function fillPlaces(merged: Merged): Merged {
  const clientId = filledText(merged.clientId)
  const issuer = typeof merged.issuer === "string" ? fill(merged.issuer, { clientId }) : merged.issuer
  const values = { clientId, issuer: filledText(issuer)?.replace(/\/+$/, "") }
  return Object.assign(Object.create(null), merged, {
    // Kept as it is where the client id is missing: that is the mistake to report then.
    issuer: issuer ?? merged.issuer,
    wellKnown: filled(merged.wellKnown, values),
    jwks_endpoint: filled(merged.jwks_endpoint, values),
    authorization: endpoint(merged.authorization, values),
    token: endpoint(merged.token, values),
    userinfo: endpoint(merged.userinfo, values),
  })
}

function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

function endpoint(given: unknown, values: Values): unknown {
  if (!isPlain(given)) return filled(given, values)
  const { url, params } = given as { url?: unknown; params?: unknown }
  return {
    ...given,
    ...(url !== undefined && { url: filled(url, values) }),
    ...(isPlain(params) && { params: filledMembers(params, values) }),
  }
}

function filledMembers(params: object, values: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, filled(value, values)]))
}

function filled(value: unknown, values: Values): unknown {
  return typeof value === "string" ? fill(value, values) : value
}

function fill(text: string, values: Values): string | undefined {
  const names = [...text.matchAll(place)].map(([, name = ""]) => name)
  if (names.some((name) => values[name] === undefined)) return undefined
  return text.replace(place, (_, name: string) => values[name] ?? "")
}
