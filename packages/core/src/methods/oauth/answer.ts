/** Reading what a provider answered, before anything is believed. */
import { Unfit } from "./faults.js"

/** A JSON object of a provider. */
export type Members = Readonly<Record<string, unknown>>

/** Refuses an HTML page where data was asked for: an error page with status 200, a captive portal, a login form. */
export function assertNoPage(response: Response, what: string): Response {
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
  if (type === "text/html" || type === "application/xhtml+xml") {
    throw new Unfit(`${what} is ${type}, expected application/json`)
  }
  return response
}

/** The body as an object. The text itself is never repeated. */
export async function readMembers(response: Response, what: string): Promise<Members> {
  return membersIn(await response.text(), what)
}

/** {@link readMembers} of a text that was read before. */
export function membersIn(text: string, what: string): Members {
  const value = parsed(text)
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members
  throw new Unfit(`${what} is no JSON object`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Lets the provider's own `conform` mend an answer; it gets a copy, and `undefined` keeps the answer. */
export async function conformed(
  response: Response,
  conform:
    | ((response: Response) => Promise<Response | undefined> | PromiseLike<Response | undefined> | Response | undefined)
    | undefined,
): Promise<Response> {
  return (await conform?.(response.clone())) ?? response
}
