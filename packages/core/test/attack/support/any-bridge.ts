/** The bridge of an integration under requests put together at random. */
import fc from "fast-check"
import { expect } from "vitest"
import { headers, method, parameters, path } from "./fragments.js"

/** A request, before the integration makes of it what its framework hands over. */
export interface AnySent {
  readonly method: string
  /** Below the base path `/auth`, with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: URLSearchParams | undefined
}

/** What is said of a bridge. */
export interface Bridge {
  readonly send: (sent: AnySent) => Promise<Response>
  /** Hosts that an answer may lead to. @default only the application's own */
  readonly hosts?: RegExp
}

const numRuns = Number(process.env["LATCHKEY_FUZZ"] ?? 300)

/** Milliseconds that {@link expectAnswers} may take. */
export const timeout: number = 20_000 + numRuns * 100

const pairs = (entries: readonly (readonly [string, string])[]): URLSearchParams =>
  new URLSearchParams(entries.map(([name, value]) => [name, value]))

/** Each request is answered, leads to no other host, and signs nobody in. */
export async function expectAnswers({ send, hosts = /^app\.test$/ }: Bridge): Promise<void> {
  const anything = fc.record({ method, path, query: parameters, headers, fields: parameters })
  await fc.assert(
    fc.asyncProperty(anything, async ({ method: verb, path: place, query, headers: given, fields }) => {
      const body = ["GET", "HEAD"].includes(verb) ? undefined : pairs(fields)
      const answer = await send({ method: verb, target: `${place}?${pairs(query)}`, headers: given, body })
      expect(answer.status).toBeLessThan(500)
      const location = answer.headers.get("location")
      if (location !== null) expect(new URL(location, "https://app.test").host).toMatch(hosts)
      for (const line of answer.headers.getSetCookie()) expect(line).not.toMatch(/session-token=[^;]/)
    }),
    { numRuns },
  )
}
