/**
 * Requests put together at random from what parsers disagree about. Whatever is sent, the service answers; it leads
 * nowhere but to itself and its provider, and gives away nothing. `npm run fuzz` makes many more of them.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { oddBearers } from "../../../../e2e/support/hostile-headers.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { TestBrowser, Visit } from "../support/browser.js"
import { credentialsProvider } from "../support/credentials.js"
import { sessionCookie } from "../support/journeys.js"
import { leaks } from "../support/logged.js"
import { makeWorld, type World } from "../support/world.js"
import { bodyKind, headers, method, parameters, path, text } from "./support/fragments.js"
import kept from "./support/kept-requests.json" with { type: "json" }

const numRuns = Number(process.env["LATCHKEY_FUZZ"] ?? 300)

interface Sent {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly fields: readonly (readonly [string, string])[]
  readonly body: string
  /** Does the request carry the token that its browser was given? */
  readonly hasToken: boolean
  readonly isSignedIn: boolean
}

/** A form as the pages of the service send it, with any one value in one of its fields: most of the others are refused early. */
const form: fc.Arbitrary<Sent> = fc.record({
  method: fc.constant("POST"),
  path: fc.constantFrom("/auth/signout", "/auth/signin/op", "/auth/signin/mail", "/auth/signin", "/auth/session"),
  query: fc.constant([]),
  headers: fc.constant({}),
  fields: fc.tuple(fc.constantFrom("callbackUrl", "email", "redirectTo", "data"), text).map((field) => [field]),
  body: fc.constantFrom("form", "json"),
  hasToken: fc.constant(true),
  isSignedIn: fc.boolean(),
})

const anyRequest: fc.Arbitrary<Sent> = fc.record({
  method,
  path,
  query: parameters,
  headers,
  fields: parameters,
  body: bodyKind,
  hasToken: fc.boolean(),
  isSignedIn: fc.boolean(),
})

const request = fc.oneof(form, anyRequest)

const open = (strategy: "jwt" | "database"): Promise<World> =>
  makeWorld({
    strategy,
    second: { id: "second" },
    more: [credentialsProvider(async () => null), Passkey()],
    config: { experimental: { enableWebAuthn: true } },
  })

function bodyOf({ body, fields }: Sent, token: string | undefined): { type?: string; body?: string } {
  const all = token === undefined ? fields : [["csrfToken", token] as const, ...fields]
  if (body === "none") return {}
  if (body === "form" || body === "text") {
    const type = body === "form" ? "application/x-www-form-urlencoded" : "text/plain"
    return { type, body: new URLSearchParams(all.map(([name, value]) => [name, value])).toString() }
  }
  const json = JSON.stringify(Object.fromEntries(all))
  if (body === "json") return { type: "application/json", body: json }
  if (body === "nested json") return { type: "application/json", body: `{"data":[${json}],"csrfToken":{"a":${json}}}` }
  return { type: "application/json", body: json.slice(0, -3) }
}

async function send(browser: TestBrowser, sent: Sent): Promise<Visit> {
  const token = sent.hasToken ? await browser.csrfToken() : undefined
  const isBodied = !["GET", "HEAD"].includes(sent.method)
  const { type, body } = isBodied ? bodyOf(sent, token) : {}
  const query = new URLSearchParams(sent.query.map(([name, value]) => [name, value]))
  return browser.send(`https://app.test${sent.path}?${query}`, {
    method: sent.method,
    headers: { ...(type !== undefined && { "content-type": type }), ...sent.headers },
    ...(body !== undefined && { body }),
  })
}

/** The cookies that the service sets, and how each has to be written. */
const cookieName =
  /^(__Secure-|__Host-)authjs\.(session-token|callback-url|csrf-token|pkce\.code_verifier|state|nonce|challenge|device)(\.\d+)?$/

function assertCookies(visit: Visit): void {
  for (const line of visit.headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.toLowerCase().split("; ")
    expect(line.slice(0, line.indexOf("="))).toMatch(cookieName)
    expect(pair).toMatch(/^[\x21-\x7e]*$/)
    expect(attributes).toEqual(expect.arrayContaining(["path=/", "httponly", "secure", "samesite=lax"]))
    expect(attributes.some((attribute) => attribute.startsWith("domain"))).toBe(false)
  }
}

async function assertHarmless(world: World, sent: Sent, member: string): Promise<void> {
  const browser = world.browser()
  if (sent.isSignedIn) browser.setCookie(sessionCookie, member)
  const visit = await send(browser, sent)
  expect(visit.status).toBeLessThan(500)
  const target = visit.location === undefined ? undefined : new URL(visit.location)
  if (target?.origin === world.op.issuer)
    expect(target.searchParams.get("redirect_uri")).toMatch(/^https:\/\/app\.test\//)
  else if (target) expect(target.origin).toBe("https://app.test")
  assertCookies(visit)
  expect(visit.headers.get("cache-control")).toMatch(/no-store/)
  expect(visit.headers.get("x-content-type-options")).toBe("nosniff")
  expect([...visit.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
  expect(visit.text).not.toContain("<script>alert(1)")
  expect(visit.text).not.toContain("<svg onload")
  expect(visit.text + (visit.location ?? "")).not.toContain(member)
  expect(Reflect.ownKeys(Object.prototype)).toEqual(prototypeKeys)
  expect(leaks(world, [browser], [member])).toEqual([])
  for (const log of [world.errors, world.warnings, world.debugs]) log.length = 0
}

const prototypeKeys = Reflect.ownKeys(Object.prototype)

describe.each(["jwt", "database"] as const)("any request, %s", (strategy) => {
  it("is answered without a fault, leads nowhere else, sets no cookie but ours, and gives away nothing", {
    tags: [
      "threat:A-104",
      "threat:A-108",
      "threat:A-114",
      "threat:A-116",
      "threat:A-132",
      "threat:V3-03",
      "threat:V3-09",
      "threat:V3-11",
      "threat:V3-04",
      "threat:V3-06",
    ],
    timeout: 20_000 + numRuns * 100,
  }, async () => {
    const world = await open(strategy)
    const browser = world.browser()
    await world.signInByMail(browser, "ada@op.test")
    const member = browser.cookie(sessionCookie) ?? ""
    for (const sent of kept) await assertHarmless(world, sent as unknown as Sent, member)
    await fc.assert(
      fc.asyncProperty(request, (sent) => assertHarmless(world, sent, member)),
      { numRuns },
    )
  })

  it("without a session gives no session, whatever it says of who sends it", {
    tags: ["threat:A-039", "threat:A-081", "threat:A-151", "threat:A-152"],
    timeout: 20_000 + numRuns * 100,
  }, async () => {
    const world = await open(strategy)
    await world.signInByMail(world.browser(), "ada@op.test")
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const browser = world.browser()
        await send(browser, { ...sent, isSignedIn: false })
        expect(browser.cookie(sessionCookie)).toBeUndefined()
        expect(await browser.session()).toBeNull()
      }),
      { numRuns: Math.ceil(numRuns / 3) },
    )
  })
})

it.each(["jwt", "database"] as const)(
  "no Authorization header is a session, or a fault, %s",
  {
    tags: ["threat:A-002", "threat:A-151"],
  },
  async (strategy) => {
    const world = await open(strategy)
    const browser = world.browser()
    await world.signInByMail(browser, "ada@op.test")
    const token = browser.cookie(sessionCookie) ?? ""
    const own = ["Bearer", "bearer", "Basic", "Token", "Session", "DPoP"].map((scheme) => `${scheme} ${token}`)
    for (const authorization of [...oddBearers, ...own, token]) {
      const visit = await world.browser().get("/auth/session", { authorization })
      expect([visit.status, visit.text], authorization.slice(0, 40)).toEqual([200, "null"])
      const source = { url: "https://app.test/", headers: new Headers({ authorization }) }
      expect((await world.auth.session(source)).session).toBeNull()
    }
    expect(world.errors).toEqual([])
  },
)
