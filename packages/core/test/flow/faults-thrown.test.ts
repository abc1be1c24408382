/** Every value that the application can throw, also one that throws while it is read: the request gets a response. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AuthError, CredentialsSignin } from "../../src/errors.js"
import type { AuthConfig } from "../../src/types/config.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { makeWorld } from "../support/world.js"

const no = (): never => {
  throw new Error("no")
}
const members = ["message", "name", "stack", "cause", "type", "kind", "code", "status", "allow", "extra"] as const

/** An error one of whose members cannot be read, or only the first few times. */
function withGetter(make: () => Error, member: string, reads: number): Error {
  let count = 0
  return Object.defineProperty(make(), member, {
    enumerable: true,
    configurable: true,
    get: () => (count++ < reads ? "read" : no()),
  })
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function circular(make: () => Error): Error {
  const error = make() as Error & { cause?: unknown }
  const below = new Error("below", { cause: error })
  Object.defineProperty(error, "cause", { value: { err: below, error }, configurable: true })
  return error
}

const makers: readonly (() => Error)[] = [
  () => new Error("out of order"),
  () => new AuthError("out of order"),
  () => new CredentialsSignin("wrong"),
  () => Object.assign(new Error("of another copy"), { type: "AccessDenied" }),
]
const trap = fc.constantFrom("get", "has", "getPrototypeOf", "ownKeys", "getOwnPropertyDescriptor")

const anything: fc.Arbitrary<() => unknown> = fc.constantFrom(...makers).chain((make) =>
  fc.oneof(
    fc.anything({ withBigInt: true, withNullPrototype: true }).map((value) => () => value),
    fc.constantFrom(undefined, null, Symbol("s"), () => 1).map((value) => () => value),
    fc.tuple(fc.constantFrom(...members), fc.nat(4)).map(
      ([member, reads]) =>
        () =>
          withGetter(make, member, reads),
    ),
    fc.tuple(fc.constantFrom(...members), fc.anything()).map(
      ([member, value]) =>
        () =>
          Object.defineProperty(make(), member, { value, enumerable: true, configurable: true }),
    ),
    trap.map((name) => () => new Proxy(make(), { [name]: no })),
    fc.constantFrom(
      () => revoked({}),
      () => revoked(make()),
      () => revoked(no),
      () => circular(make),
      () => new AuthError("x", { cause: new Proxy({}, { ownKeys: no }) as never }),
      () => Object.assign(make(), { cause: revoked({}) }),
    ),
  ),
)

const places: readonly (readonly [string, (fail: () => never) => Partial<AuthConfig>])[] = [
  ["the signIn callback", (fail) => ({ callbacks: { signIn: fail } })],
  ["the redirect callback", (fail) => ({ callbacks: { redirect: fail } })],
  ["the jwt callback", (fail) => ({ callbacks: { jwt: fail } })],
  ["the session callback", (fail) => ({ callbacks: { session: fail } })],
  ["an event", (fail) => ({ events: { signIn: fail, session: fail } })],
  ["authorize", () => ({})],
]

describe.each(places)("thrown by %s", (name, config) => {
  it("is answered, and named to callers in this process by an AuthError", {
    tags: ["threat:FP-18", "threat:AL-23", "threat:CF2-13"],
  }, async () => {
    let thrown: unknown
    const fail = (): never => {
      throw thrown
    }
    const { auth, ...world } = await makeWorld({
      adapter: false,
      config: config(fail),
      more: [credentialsProvider(name === "authorize" ? fail : undefined)],
    })
    const source = { url: "https://app.test/login", headers: new Headers() }
    await fc.assert(
      fc.asyncProperty(anything, async (make) => {
        thrown = make()
        const browser = world.browser()
        const visit = await browser.post("/auth/callback/credentials", rightCredentials)
        expect(visit.status).toBe(302)
        expect([200, 500]).toContain((await browser.get("/auth/session")).status)
        const call = auth.signIn(source, "credentials", { fields: rightCredentials })
        const failure: unknown = await call.then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failure !== undefined) expect(failure).toBeInstanceOf(Error)
      }),
      { numRuns: 150 },
    )
  })
})
