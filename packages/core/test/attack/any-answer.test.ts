/**
 * Answers put together at random: of a provider at each of its endpoints, of the adapter, and of an authenticator. Whatever
 * comes, the request is answered, and nobody is signed in who has not proven who they are. `npm run fuzz` makes many more.
 */
import { softwarePasskey } from "@latchkey/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import { sessionCookie } from "../support/journeys.js"
import { leaks } from "../support/logged.js"
import type { OpEndpoint } from "../support/op.js"
import { optionsOf } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"
import { text } from "./support/fragments.js"

const numRuns = Math.ceil(Number(process.env["LATCHKEY_FUZZ"] ?? 300) / 3)
const patience = 20_000 + numRuns * 300
const prototypeKeys = Reflect.ownKeys(Object.prototype)

/** Values as JSON can hold them, and what services wrongly send. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 2 }),
  fc.double(),
  fc.constantFrom(null, true, [], {}),
)
const names: Readonly<Record<OpEndpoint, readonly string[]>> = {
  discovery: [
    "issuer",
    "token_endpoint",
    "jwks_uri",
    "authorization_endpoint",
    "userinfo_endpoint",
    "id_token_signing_alg_values_supported",
  ],
  jwks: ["keys"],
  token: ["access_token", "id_token", "token_type", "expires_in", "refresh_token", "error", "scope"],
  userinfo: ["sub", "email", "email_verified", "name"],
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Any answer, and one that is honest but for a member or two. */
const answerOf = (endpoint: OpEndpoint): fc.Arbitrary<Answer | Record<string, unknown>> =>
  fc.oneof(
    fc.record({
      status: fc.constantFrom(200, 201, 204, 301, 302, 304, 400, 401, 429, 500, 503),
      type: fc.constantFrom("application/json", "text/html", "application/jwt", "", "application/json; charset=utf-16"),
      body: fc.oneof(
        text,
        value.map((one) => JSON.stringify(one) ?? ""),
      ),
    }),
    fc.dictionary(fc.constantFrom(...names[endpoint]), value, { minKeys: 1, maxKeys: 2 }).map((over) => ({ over })),
  )

async function respond(answer: Answer | Record<string, unknown>, honest: () => Promise<Response>): Promise<Response> {
  if ("over" in answer) {
    const whole = (await (await honest()).json()) as object
    return Response.json({ ...whole, ...(answer["over"] as object) })
  }
  const { status, type, body } = answer as Answer
  const isBodiless = status === 204 || status === 304
  return new Response(isBodiless ? null : body, { status, headers: type === "" ? {} : { "content-type": type } })
}

function assertQuiet(world: World, secrets: readonly string[] = []): void {
  expect(Reflect.ownKeys(Object.prototype)).toEqual(prototypeKeys)
  expect(leaks(world, [], secrets)).toEqual([])
  for (const log of [world.errors, world.warnings, world.debugs]) log.length = 0
}

describe.each(Object.keys(names) as OpEndpoint[])("any answer of the %s endpoint", (endpoint) => {
  it("is taken for honest or refused, and signs nobody in but the person of the provider", {
    tags: ["threat:PP-15"],
    timeout: patience,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(answerOf(endpoint), async (answer) => {
        // A world of its own: what a provider says of itself is kept.
        const world = await makeWorld({ strategy: "jwt", provider: { idToken: endpoint !== "userinfo" } })
        world.op.faults[endpoint] = (_, honest) => respond(answer, honest)
        const browser = world.browser()
        const visit = await world.signInAtOp(browser)
        expect(visit.status).toBeLessThan(500)
        const session = (await browser.session()) as { user?: { email?: unknown } } | null
        if (visit.location?.includes("error=") ?? visit.status >= 400) expect(session).toBeNull()
        if (session && endpoint !== "userinfo") expect(session.user?.email).toBe("ada@op.test")
        assertQuiet(world)
      }),
      { numRuns },
    )
  })
})

const reads = [
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "getSessionAndUser",
  "useVerificationToken",
  "createUser",
  "createSession",
  "linkAccount",
  "listAccountsByUserId",
] as const

describe.each(["jwt", "database"] as const)("any answer of the adapter, %s", (strategy) => {
  it("is a row, or a failure: nobody becomes somebody else", {
    tags: ["threat:FD-29"],
    timeout: patience,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...reads),
        fc.oneof(
          value,
          fc.constantFrom(Symbol("x"), () => 1, Number.NaN),
        ),
        async (operation, answer) => {
          const adapter = memoryAdapter()
          let isArmed = false
          const odd: Adapter = {
            ...adapter,
            [operation]: (...given: never[]) =>
              isArmed ? answer : Reflect.apply(adapter[operation] as () => unknown, adapter, given),
          }
          delete odd.transaction
          const world = await makeWorld({ strategy, adapter: odd })
          const [browser, other] = [world.browser(), world.browser()]
          await world.signInByMail(other, "grace@app.test")
          isArmed = true
          const visits = [
            await world.signInAtOp(browser),
            await other.get("/auth/session"),
            await other.get("/auth/signin"),
          ]
          isArmed = false
          for (const visit of visits) expect(visit.status).toBeGreaterThan(0)
          const session = (await browser.session()) as { user?: { email?: unknown } } | null
          expect(session?.user?.email).not.toBe("grace@app.test")
          const still = (await other.session()) as { user?: { email?: unknown } } | null
          if (still) expect(still.user?.email).toBe("grace@app.test")
          assertQuiet(world)
        },
      ),
      { numRuns },
    )
  })
})

/** A change to one member of what an authenticator has answered. */
const change = fc.tuple(
  fc.constantFrom(
    "id",
    "rawId",
    "type",
    "response.clientDataJSON",
    "response.authenticatorData",
    "response.signature",
    "response.userHandle",
    "response",
    "action",
  ),
  fc.oneof(value, fc.constant(undefined)),
)

function changed(answer: unknown, path: string, to: unknown): unknown {
  const whole = structuredClone(answer) as Record<string, unknown>
  const [first = "", second] = path.split(".")
  if (second === undefined) return { ...whole, [first]: to }
  return { ...whole, [first]: { ...(whole[first] as object), [second]: to } }
}

describe("any answer of an authenticator", () => {
  it("that is not its own signs nobody in", { tags: ["threat:WA-01"], timeout: patience }, async () => {
    const world = await makeWorld({
      strategy: "jwt",
      more: [Passkey()],
      config: { experimental: { enableWebAuthn: true } },
    })
    const authenticator = softwarePasskey()
    const owner = world.browser()
    const registering = await optionsOf(owner, { action: "register", email: "ada@op.test" })
    await owner.post(
      "/auth/callback/passkey",
      { action: "register", data: JSON.stringify(await authenticator.create(registering.options)) },
      { csrf: false, json: true },
    )
    expect(await owner.session()).not.toBeNull()
    await fc.assert(
      fc.asyncProperty(change, async ([path, to]) => {
        const browser = world.browser()
        const { options } = await optionsOf(browser, { action: "authenticate" })
        const honest = await authenticator.get(options)
        const data = path === "action" ? honest : changed(honest, path, to)
        const action = path === "action" ? String(to) : "authenticate"
        const visit = await browser.post(
          "/auth/callback/passkey",
          { action, data: JSON.stringify(data) },
          { csrf: false, json: true },
        )
        expect(visit.status).toBeLessThan(500)
        // A user handle may be missing, and an authenticator says nothing of which kind of credential it is.
        if (browser.cookie(sessionCookie) !== undefined) expect(path).toMatch(/^(?:response\.userHandle|rawId|type)$/)
        assertQuiet(world)
      }),
      { numRuns },
    )
  })
})
