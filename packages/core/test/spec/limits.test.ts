/** Numbers of the specification, and what it says of versions. */
import { readFileSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { actions } from "../../src/http/endpoints.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { SemverString } from "../../src/types/identity.js"
import { passkeyConfig } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const start = new Date("2026-03-01T12:00:00.000Z")
const day = 86_400
const cookie = "__Secure-authjs.session-token"

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }))
afterEach(() => void vi.useRealTimers())
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)

it.each([
  [31, ["secret-too-short"]],
  [32, []],
])("a secret of %i characters is warned of: %j [spec limits secret-length]", async (length, expected) => {
  const world = await makeWorld({ config: { secret: "s".repeat(length) } })
  await world.browser().session()
  expect(world.warnings).toEqual(expected)
})

describe.each(["jwt", "database"] as const)("a session, %s strategy", (strategy) => {
  const signedIn = async (session: object = {}) => {
    const { browser, signInAtOp } = await makeWorld({ config: { session: { strategy, ...session } } })
    const person = browser()
    await signInAtOp(person)
    const endAfter = async (seconds: number): Promise<Date | undefined> => {
      vi.setSystemTime(after(seconds))
      const read = (await person.session()) as { expires: string } | null
      return read ? new Date(read.expires) : undefined
    }
    return { endAfter, person }
  }

  it("lives 30 days from its last extension by default [spec limits session.maxAge]", async () => {
    const { endAfter, person } = await signedIn()
    expect(person.jar.get(cookie)?.expires).toBe(after(2_592_000).getTime())
    expect(await endAfter(2 * day)).toEqual(after(2_592_000 + 2 * day))
    expect(await endAfter(2_592_000 + 2 * day - 1)).toBeDefined()
    vi.setSystemTime(start)
    const other = await signedIn()
    expect(await other.endAfter(2_592_000 + 20)).toBeUndefined()
  })

  it("lives as long as `maxAge` says [spec limits session.maxAge]", async () => {
    const { endAfter } = await signedIn({ maxAge: 3600 })
    expect(await endAfter(0)).toEqual(after(3600))
    expect(await endAfter(3600 + 20)).toBeUndefined()
  })

  it("is extended a day after the last time by default [spec limits session.updateAge]", async () => {
    const { endAfter } = await signedIn()
    expect(await endAfter(day - 1)).toEqual(after(2_592_000))
    expect(await endAfter(day)).toEqual(after(2_592_000 + day))
    expect(await endAfter(day + 1)).toEqual(after(2_592_000 + day))
  })

  it("is extended at every access with `updateAge: 0` [spec limits session.updateAge]", async () => {
    const { endAfter } = await signedIn({ updateAge: 0 })
    for (const seconds of [1, 2, 3]) expect(await endAfter(seconds)).toEqual(after(2_592_000 + seconds))
  })
})

it("the package of the framework integration says that it is experimental [spec versioning 1]", () => {
  const { description, version } = JSON.parse(
    readFileSync(new URL("../../../express/package.json", import.meta.url), "utf8"),
  ) as Record<string, string>
  expect(description).toMatch(/experimental/i)
  expect(version).toMatch(/^0\./)
})

it.each([
  [
    "passkeys without the switch answer an error",
    {},
    500,
    ["ExperimentalFeatureNotEnabled", "ExperimentalFeatureNotEnabled"],
    [],
  ],
  [
    "passkeys with it answer, and a warning is logged",
    { experimental: { enableWebAuthn: true } },
    200,
    [],
    ["experimental-webauthn"],
  ],
])("%s [spec versioning 2]", async (_, experimental, status, errors, warnings) => {
  const world = await makeWorld({ config: { providers: [Passkey()], ...experimental } })
  expect((await world.browser().get("/auth/webauthn-options/passkey")).status).toBe(status)
  expect(world.errors.map(({ name }) => name)).toEqual(errors)
  expect(world.warnings).toEqual(warnings)
})

it.each([
  ["v1", true],
  ["v13.0", true],
  ["v13.0.1", true],
  ["13.0.1", false],
  ["v1.2.3.4", false],
])("a version string has one to three numbers behind a v: %s is valid: %s [spec versioning 3]", (version, isFit) => {
  expectTypeOf<"v1" | "v1.2" | "v1.2.3">().toExtend<SemverString>()
  expectTypeOf<"1.2.3">().not.toExtend<SemverString>()
  const passkey = Passkey({ simpleWebAuthnBrowserVersion: version as SemverString })
  const auth = createAuth(
    { secret: "s".repeat(32), adapter: {}, logger: { warn: () => undefined }, ...passkeyConfig, providers: [passkey] },
    { env: {} },
  )
  expect(auth.problems()).toHaveLength(isFit ? 0 : 1)
})

it("no path has a version: each action stands directly below the base path [spec versioning 4]", async () => {
  const { browser } = await makeWorld({ config: passkeyConfig })
  for (const action of actions) {
    const rest = action === "callback" || action === "webauthn-options" ? "/passkey" : ""
    expect((await browser().get(`/auth/${action}${rest}`)).status).not.toBe(404)
    expect((await browser().get(`/auth/v1/${action}${rest}`)).status).toBe(404)
  }
})
