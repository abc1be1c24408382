/** Every provider of the catalogue signs a person in, through the whole engine, against a simulator that knows it from its fixture alone. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { createCaches } from "../../src/config/caches.js"
import { customFetch } from "../../src/config/markers.js"
import { resolveSettings } from "../../src/config/resolve.js"
import type { ResolvedOAuthProvider } from "../../src/config/settings.js"
import { providerIds } from "../../src/providers/ids.js"
import type { Profile } from "../../src/types/identity.js"
import { makeOpKey } from "../support/op.js"
import { makeWorld } from "../support/world.js"
import { fixtures, load } from "./entries.js"
import { type ExpectedUser, type Fixture, Simulator } from "./simulator.js"

const isOAuth = ({ type }: { type: string }): boolean => type === "oauth" || type === "oidc"
const all = fixtures.filter(isOAuth)
const living = all.filter(({ discontinued }) => !discontinued)
const flows = living.flatMap((fixture) => [
  { ...fixture, title: fixture.id },
  ...(fixture.variants ?? []).map((variant) => ({ ...fixture, ...variant, title: `${fixture.id} ${variant.what}` })),
])
const key = await makeOpKey("simulated")

describe("a sign-in with", () => {
  it.each(flows)("$title gives a user, an account and a session", async (fixture) => {
    const { id, options, user } = fixture
    const simulator = new Simulator(fixture, key)
    const provider = (await load(id))({ ...options, [customFetch]: simulator.fetch })
    const world = await makeWorld({ strategy: "database", config: { providers: [provider] } })
    const browser = world.browser()
    const begun = await browser.post(`/auth/signin/${id}`, { callbackUrl: "/inbox" })
    expect(world.errors.map(messageOf)).toEqual([])
    const { path, form } = simulator.authorize(begun.location ?? "")
    const visit = await (form ? browser.post(path, form, { csrf: false }) : browser.get(path))
    expect([world.errors.map(messageOf), simulator.complaints]).toEqual([[], []])
    expect(visit.location).toBe("https://app.test/inbox")
    const { user: shown } = (await browser.session()) as { user: Partial<ExpectedUser> }
    const { name = null, email = null, image = null } = shown
    expect({ name, email, image }).toEqual({ name: user.name, email: user.email, image: user.image })
    const owner = await world.adapter.getUserByAccount?.({ provider: id, providerAccountId: user.id })
    expect([owner?.name ?? null, owner?.email]).toEqual([user.name, user.email ?? ""])
  })
})

describe("a code that is refused by", () => {
  it.each(living.filter(({ refusal }) => refusal))("$id is reported with the provider's own code", async (fixture) => {
    const simulator = new Simulator(fixture, key)
    simulator.isRefusing = true
    const provider = (await load(fixture.id))({ ...fixture.options, [customFetch]: simulator.fetch })
    const world = await makeWorld({ config: { providers: [provider] } })
    const browser = world.browser()
    const begun = await browser.post(`/auth/signin/${fixture.id}`)
    const visit = await browser.get(simulator.authorize(begun.location ?? "").path)
    expect(visit.location).toContain("error=OAuthCallbackError")
    expect(world.errors[0]?.cause).toMatchObject({ error: fixture.refusal?.error })
    expect(await browser.session()).toBeNull()
  })
})

describe("an issuer", () => {
  const demanding = living.filter(({ options }) => "issuer" in options)
  it.each(demanding)(
    "of $id comes from its variable, and a missing one is reported with its name",
    async ({ id, options }) => {
      const { issuer, ...rest } = options
      const config = { providers: [(await load(id))(rest)], secret: "s".repeat(32) }
      const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_ISSUER`
      const problemsWith = (env: Record<string, string>): string[] =>
        resolveSettings(config, { env, caches: createCaches() }).problems.map(({ message }) => message)
      expect(problemsWith({})).toEqual([expect.stringContaining(variable)])
      expect(problemsWith({ [variable]: String(issuer) })).toEqual([])
    },
  )
})

function messageOf(error: Error): string {
  const { err } = (error.cause ?? {}) as { err?: Error }
  return `${error.message}${err ? ` <- ${err.message}` : ""}`
}

describe("a service that was shut down", () => {
  it.each(all.filter(({ discontinued }) => discontinued))("$id says so, and what to use instead", async (fixture) => {
    const provider = (await load(fixture.id))(fixture.options)
    const world = await makeWorld({ config: { providers: [provider] } })
    const visit = await world.browser().post(`/auth/signin/${fixture.id}`)
    expect(visit.location).toContain("/auth/error?error=Configuration")
    expect(world.errors[0]?.message).toMatch(
      new RegExp(`^"providers\\.${fixture.id}": .*(?:ended|ends) .* Use \`[a-z-]+\``),
    )
  })
})

const mappings = await Promise.all(all.map(async (fixture) => ({ ...fixture, map: await mappingOf(fixture) })))

async function resolvedOf({ id, options }: Fixture): Promise<ResolvedOAuthProvider> {
  const config = { providers: [(await load(id))(options)], secret: "s".repeat(32) }
  const settings = resolveSettings(config, { env: {}, caches: createCaches() })
  return [...settings.providers.values()][0] as ResolvedOAuthProvider
}

async function mappingOf(fixture: Fixture): Promise<(profile: object) => Promise<Partial<ExpectedUser>>> {
  const { profile: map } = await resolvedOf(fixture)
  return async (profile) => (await map(profile as never, {})) as Partial<ExpectedUser>
}

describe("the mapping of", () => {
  const samples = mappings.flatMap(({ id, map, profile, user, more = [], added = [] }) =>
    [{ profile, user }, ...more].map((sample, index) => ({ title: `${id} ${index}`, map, added, ...sample })),
  )
  it.each(samples)(
    "sample $title gives the expected user",
    { tags: ["threat:A-135"] },
    async ({ map, profile, user, added }) => {
      const { id, name = null, email = null, image = null } = await map(profile)
      const wanted = { ...user, ...Object.fromEntries(added.map((member) => [member, null])) }
      expect({ id: String(id), name, email, image }).toMatchObject({
        id: wanted.id,
        name: wanted.name,
        email: wanted.email,
        image: wanted.image,
      })
    },
  )

  it.each(mappings)(
    "$id accepts fields that are missing, null or of a wrong type",
    { tags: ["threat:A-135"] },
    async ({ map, profile, more = [] }) => {
      for (const sample of [profile, ...more.map((one) => one.profile)]) {
        for (const changed of mutationsOf(sample)) {
          const [first, second] = [await map(changed), await map(changed)]
          expect(second.id).toEqual(first.id)
          if (!isRefused(first.id))
            expect(leavesOf(changed)).toContainEqual(expect.stringMatching(endingWith(first.id)))
        }
      }
    },
  )

  it.each(mappings)("$id makes no account of a profile that says nothing", async ({ map }) => {
    for (const empty of [{}, { id: null, sub: null, data: null, response: "" }]) {
      expect(isRefused((await map(empty)).id)).toBe(true)
    }
  })
})

describe("the address", () => {
  it.each(all.filter(({ proven }) => proven !== undefined))("of $id is called proven: $proven", async (fixture) => {
    const { emailVerified } = (await resolvedOf(fixture)).config
    const { profile } = fixture
    const answer = emailVerified ? emailVerified(profile) : profile["email_verified"]
    const isUnstated = answer === undefined || answer === null || answer === "unstated"
    expect(isUnstated ? null : answer === true || answer === "true").toBe(fixture.proven)
  })

  it.each(all)("of $id is determined without an error, whatever the profile holds", async (fixture) => {
    const { emailVerified } = (await resolvedOf(fixture)).config
    for (const profile of [{}, ...mutationsOf(fixture.profile)])
      expect(() => emailVerified?.(profile as Profile)).not.toThrow()
  })
})

/** What the engine takes for no id. */
function isRefused(id: unknown): boolean {
  if (typeof id !== "string" && typeof id !== "number") return true
  return ["", "0", "undefined", "null", "NaN", "[object Object]"].includes(String(id).trim())
}

function endingWith(id: unknown): RegExp {
  return new RegExp(`(?:^|:)${String(id).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)
}

const wrong: readonly unknown[] = [null, 5, true, "text", "", [], {}, [null]]

/** The value with each of its fields, however deep, removed and replaced by whatever does not belong there. */
function mutationsOf(value: object): object[] {
  const found: object[] = []
  for (const path of pathsOf(value)) {
    found.push(changedAt(value, path))
    for (const other of wrong) found.push(changedAt(value, path, { other }))
  }
  return found
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...pathsOf(inner, [...path, name])])
}

function changedAt(value: object, path: readonly string[], put?: { readonly other: unknown }): object {
  const copy = structuredClone(value)
  let holder = copy as Record<string, unknown>
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>
  const last = path.at(-1) as string
  if (put) holder[last] = put.other
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  return copy
}

/** Every text and number somewhere in a value, as text. */
function leavesOf(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

/** What one of our own modules imports of the folder of providers, and what that imports. */
function importsOf(path: string, found = new Set<string>()): Set<string> {
  const text = readFileSync(new URL(path, sources), "utf8")
  for (const [, to = ""] of text.matchAll(/^(?:import|export) (?!type )[^"]*?from "(\.[^"]+)\.js"/gm)) {
    const url = new URL(`${to}.ts`, new URL(path, sources))
    const name = url.pathname.split("/src/providers/")[1]
    if (name === undefined || found.has(name)) continue
    found.add(name)
    importsOf(name, found)
  }
  return found
}
const sources = new URL("../../src/providers/", import.meta.url)
/** Providers that are another one under a second name. */
const aliases: Readonly<Record<string, string>> = {
  email: "nodemailer",
  passkey: "webauthn",
  "azure-ad": "microsoft-entra-id",
}

describe("the catalogue", () => {
  it.each([...providerIds])("loads no other provider with %s", (id) => {
    const imports = [...importsOf(`${id}.ts`)].filter((name) => name !== `marks/${aliases[id] ?? id}.ts`)
    const others = imports.filter((name) => !/^(?:define\.ts|(?:parts|mail)\/)/.test(name))
    expect(others).toEqual(aliases[id] === undefined ? [] : [`${aliases[id]}.ts`])
  })

  it("is tested with a simulator that imports no provider file", () => {
    const imports = [...readFileSync(new URL("./simulator.ts", import.meta.url), "utf8").matchAll(/from "([^"]+)"/g)]
    expect(imports.map(([, from]) => from).sort()).toEqual(["../support/op.js", "node:crypto"])
  })

  /** Proven elsewhere: they have no service to play. */
  const own = ["credentials", "email", "nodemailer", "passkey", "webauthn"]

  it("has a fixture for every provider", () => {
    expect([...fixtures.map(({ id }) => id), ...own].sort()).toEqual([...providerIds])
  })
})
