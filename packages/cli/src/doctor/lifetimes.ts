/** How long sessions and links last. */
import type { AuthConfig } from "@latchkey/core"
import { type Check, type Finding, found, pages } from "./finding.js"

const error = found("error", pages.options)
const warning = found("warning", pages.options)

const day = 24 * 60 * 60
/** Browsers keep cookies for 400 days at most (RFC 6265bis §5.5). */
const cookieDays = 400

const inDays = (seconds: number): string => `${Math.round(seconds / day)} days`

function ofMaxAge(option: string, seconds: number): readonly Finding[] {
  if (seconds > cookieDays * day) {
    const isMilliseconds = seconds % (day * 1000) === 0
    const remedy = isMilliseconds
      ? `It is a number of seconds: write ${seconds / 1000}.`
      : "Write a number of seconds of at most 34560000."
    return [
      error("lifetime-long", `${option}: expected at most ${cookieDays} days, received ${inDays(seconds)}.`, remedy),
    ]
  }
  if (seconds < 60) {
    return [
      warning(
        "lifetime-short",
        `${option}: expected a minute or more, received ${seconds} seconds.`,
        "It is a number of seconds.",
      ),
    ]
  }
  return []
}

/** Seconds after which somebody who ended a session on a lost device would be surprised. */
const longestStaleness = 60

function ofStaleness(features: AuthConfig["features"] = []): readonly Finding[] {
  const { staleness = 0 } = features.find(({ sessions }) => sessions !== undefined)?.sessions ?? {}
  if (staleness <= longestStaleness) return []
  return [
    warning(
      "session-stale",
      `managedSessions: expected a staleness of at most ${longestStaleness} s, received ${staleness} s.`,
      "So long an ended session still opens in other processes: make it smaller, or leave it out.",
    ),
  ]
}

/** Lifetimes of sessions, tokens and links. */
export const lifetimes: Check = ({ inspection, written }) => {
  const { jwtMaxAge, sessionMaxAge, sessionUpdateAge, strategy } = inspection
  const findings: Finding[] = [...ofMaxAge("session.maxAge", sessionMaxAge)]
  if (sessionUpdateAge >= sessionMaxAge && written?.session?.updateAge !== undefined) {
    findings.push(
      warning(
        "lifetime-update",
        `session.updateAge: expected less than session.maxAge (${sessionMaxAge} s), received ${sessionUpdateAge} s.`,
        "Sessions would never be extended: make it smaller, or leave it out.",
      ),
    )
  }
  const overall = written?.session?.overallMaxAge
  if (overall !== undefined && overall <= sessionMaxAge) {
    findings.push(
      warning(
        "lifetime-overall",
        `session.maxAge: expected less than session.overallMaxAge (${overall} s), received ${sessionMaxAge} s.`,
        "A session ends after overallMaxAge whether somebody uses it or not: make maxAge shorter, or leave overallMaxAge out.",
      ),
    )
  }
  findings.push(...ofStaleness(written?.features))
  if (strategy === "jwt" && jwtMaxAge !== sessionMaxAge) {
    if (written?.jwt?.maxAge !== undefined) findings.push(...ofMaxAge("jwt.maxAge", jwtMaxAge))
    findings.push(
      warning(
        "lifetime-differs",
        `jwt.maxAge: expected the same as session.maxAge (${sessionMaxAge} s), received ${jwtMaxAge} s.`,
        "The shorter of the two ends the session: leave jwt.maxAge out.",
      ),
    )
  }
  for (const entry of Array.isArray(written?.providers) ? written.providers : []) {
    const provider = (typeof entry === "function" ? undefined : entry) as
      | { type?: unknown; maxAge?: unknown; options?: { maxAge?: unknown } }
      | undefined
    const maxAge = provider?.options?.maxAge ?? provider?.maxAge
    if (provider?.type === "email" && typeof maxAge === "number" && maxAge > day) {
      findings.push(
        warning(
          "link-long",
          `maxAge of the mail provider: expected a day or less, received ${inDays(maxAge)}.`,
          "Whoever has the mail can sign in with it until then: 3600 is an hour.",
        ),
      )
    }
  }
  return findings
}
