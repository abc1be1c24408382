/** Which of the service's cookies an answer sets: all that its request has set, and none of another request. */
import { cookieNameIn } from "@latchkey/core"
import type { RequestEvent } from "@sveltejs/kit"
import { setLines, valueIn } from "./cookies.js"
import { cookiesSet } from "./cookies-set.js"
import { isRemembered, remember } from "./foreign-values.js"
import { linesFetched } from "./inner-cookies.js"
import { linesPut } from "./put-cookies.js"

/** The request that is answered. */
type Event = Pick<RequestEvent, "cookies" | "locals" | "request">

/** The `Set-Cookie` fields of an answer. */
export interface AnswerCookies {
  /** All that the answer is to have. */
  readonly lines: readonly string[]
  /** Those among the fields of the response that set what its request has set. */
  readonly here: readonly string[]
  /** The response had others. */
  readonly isOther: boolean
}

/**
 * Decides which `Set-Cookie` fields an answer has. SvelteKit adds the cookies of a request to the `Response` object that an endpoint
 * returns, so an object that is returned for many requests collects the cookies of all of them. To the response of a hook that
 * does not call `resolve` it adds none.
 *
 * Fields that the application has written itself stay, and follow those that are added here: the last one counts in a browser.
 */
export function answerCookies(event: Event, { headers }: Response, isOwn: (name: string) => boolean): AnswerCookies {
  const given = headers.getSetCookie()
  const put = linesPut(event, isOwn)
  const ofService = given.filter((line) => isOwn(cookieNameIn(line)))
  if (ofService.length === 0 && put.length === 0) return { lines: given, here: [], isOther: false }
  const state = cookiesSet(event)
  const known = [...put.map(({ line }) => line), ...linesFetched(event)].map(cookieIn)
  const isHere = (line: string): boolean =>
    known.includes(cookieIn(line)) || isValue(valueIn(line), state.get(cookieNameIn(line)))
  const here = ofService.filter(isHere)
  const foreign = new Set(ofService.filter((line) => !here.includes(line) && isForeign(event, line, state)))
  const there = ofService.map(cookieIn)
  // A request of the application's own may have changed it since.
  const missing = put.filter(({ line, name, value }) => !there.includes(cookieIn(line)) && state.get(name) === value)
  for (const line of here) remember(cookieNameIn(line), valueIn(line))
  return {
    lines: [...missing.map(({ line }) => line), ...given.filter((line) => !foreign.has(line))],
    here,
    isOther: missing.length > 0 || foreign.size > 0,
  }
}

/** What the browser has sent is its own, whoever sends it back. */
function isForeign({ request }: Event, line: string, state: ReadonlyMap<string, string>): boolean {
  const name = cookieNameIn(line)
  const value = valueIn(line)
  if (!isRemembered(name, value) && !isRemembered(name, decoded(value))) return false
  const sent = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim())
  return state.has(name) || !sent.includes(`${name}=${value}`)
}

/** Takes out of a response, which the application may return again, what SvelteKit has put into it for one request. */
export function takeOut({ headers }: Response, lines: readonly string[]): void {
  if (lines.length === 0) return
  try {
    setLines(
      headers,
      headers.getSetCookie().filter((line) => !lines.includes(line)),
    )
  } catch {
    // Headers that cannot be changed: SvelteKit has added nothing to them either.
  }
}

/** SvelteKit encodes the values that were set, but not those that a request of the application's own has set. */
const isValue = (sent: string, value: string | undefined): boolean => sent === value || decoded(sent) === value

/** Name, value and domain: SvelteKit may say more of it than it does when asked. */
const cookieIn = (line: string): string =>
  [line.split(";", 1)[0], /;\s*domain=([^;]*)/i.exec(line)?.[1]?.trim().toLowerCase()].join(";")

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
