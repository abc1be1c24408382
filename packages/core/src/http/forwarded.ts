/** Forwarded headers that are not trusted. Where they contradict the address in use, a warning names them. */
import { quoted } from "../std/text.js"
import type { HeaderReader } from "./headers.js"

const ports: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

/**
 * Names the forwarded headers that speak of another address than the believed one; `undefined` when none does. Whoever
 * sends a request can write them, so this is for the log.
 */
export function ignoredForwarding(headers: HeaderReader, origin: string): string | undefined {
  // Nearly every request: nothing is forwarded, and the address need not be taken apart.
  if (!headers.get("X-Forwarded-Proto") && !headers.get("X-Forwarded-Host")) return undefined
  const { host, protocol } = new URL(origin)
  const believed = {
    "X-Forwarded-Proto": [protocol.slice(0, -1)],
    "X-Forwarded-Host": [host, `${host}:${ports[protocol]}`],
  }
  const ignored = Object.entries(believed).flatMap(([name, values]) => {
    const value = headers.get(name)
    // Each proxy on the way adds one behind a comma; the first is what the browser asked for.
    const first = value?.split(",", 1)[0]?.trim().toLowerCase()
    return !value || !first || values.includes(first) ? [] : [`${name} ${quoted(value)}`]
  })
  if (ignored.length === 0) return undefined
  return `${ignored.join(" and ")} of the request ${ignored.length > 1 ? "were" : "was"} not read; the address is taken to be ${quoted(origin, 256)}.`
}
