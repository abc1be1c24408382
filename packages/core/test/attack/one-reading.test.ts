/** What was verified of an ID token is what is used: every form that two readers could read differently is refused, or read once. */
import { createSign } from "node:crypto"
import { exportPKCS8 } from "jose"
import { describe, expect, it } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { makeOpKey } from "../support/op.js"
import { makeWorld, type World } from "../support/world.js"

const part = (json: string): string => Buffer.from(json).toString("base64url")

/** A token that the provider has signed, of a header and a payload as they are written. */
async function signed(world: World, header: string, payload: string): Promise<string> {
  const [key] = world.op.keys
  if (!key) throw new Error("The provider has no key.")
  const text = `${part(header)}.${part(payload)}`
  const signature = createSign("sha256")
    .update(text)
    .sign(await exportPKCS8(key.privateKey), "base64url")
  return `${text}.${signature}`
}

const headerOf = (world: World): string => JSON.stringify({ alg: "RS256", kid: world.op.keys[0]?.kid })

/** Signs in with what is made of the honest claims. */
async function signInWith(make: (world: World, claims: Record<string, unknown>) => Promise<unknown>) {
  const world = await makeWorld()
  world.op.sign = async (claims) => (await make(world, claims)) as string
  const browser = world.browser()
  const visit = await world.signInAtOp(browser)
  return { world, visit, isSignedIn: browser.cookie(sessionCookie) !== undefined }
}

const unverified = (claims: object): string => part(JSON.stringify({ ...claims, sub: "victim" }))

const forms: Readonly<Record<string, (world: World, claims: Record<string, unknown>) => Promise<unknown>>> = {
  "a signature of another payload": async (world, claims) => {
    const [first, , last] = (await signed(world, headerOf(world), JSON.stringify(claims))).split(".")
    return `${first}.${unverified(claims)}.${last}`
  },
  "four parts": async (world, claims) =>
    `${await signed(world, headerOf(world), JSON.stringify(claims))}.${unverified(claims)}`,
  "the general JSON serialisation, with a payload of its own": async (world, claims) => {
    const [header, , signature] = (await signed(world, headerOf(world), JSON.stringify(claims))).split(".")
    return { payload: unverified(claims), signatures: [{ protected: header, signature }] }
  },
  "the flattened JSON serialisation, as text": async (world, claims) => {
    const [header, payload, signature] = (await signed(world, headerOf(world), JSON.stringify(claims))).split(".")
    return JSON.stringify({ protected: header, payload, signature, header: { alg: "none" } })
  },
  "a list of tokens": async (world, claims) => [await signed(world, headerOf(world), JSON.stringify(claims))],
  "a header that is no object": async (world, claims) => signed(world, '["RS256"]', JSON.stringify(claims)),
  "a key of its own in the header, which is not the provider's": async (world, claims) => {
    const other = await makeOpKey()
    const header = JSON.stringify({ alg: "RS256", jwk: other.jwk, kid: world.op.keys[0]?.kid })
    const text = `${part(header)}.${unverified(claims)}`
    return `${text}.${createSign("sha256")
      .update(text)
      .sign(await exportPKCS8(other.privateKey), "base64url")}`
  },
  "spaces inside the signature": async (world, claims) => {
    const token = await signed(world, headerOf(world), JSON.stringify(claims))
    return `${token.slice(0, -4)} ${token.slice(-4)}`.replace(/\.([^.]*)$/, `.${"A".repeat(4)}$1`)
  },
}

describe("an id_token in another form", () => {
  it.each(Object.keys(forms))("%s is refused", { tags: ["threat:A-061"] }, async (name) => {
    const { visit, isSignedIn, world } = await signInWith((...given) => forms[name]?.(...given) as Promise<unknown>)
    expect([visit.location, isSignedIn]).toEqual([expect.stringContaining("error=OAuthCallbackError"), false])
    expect(world.events).toEqual([])
  })

  it("is accepted as this file signs it", async () => {
    const { isSignedIn } = await signInWith((world, claims) => signed(world, headerOf(world), JSON.stringify(claims)))
    expect(isSignedIn).toBe(true)
  })

  it("with a claim twice has one meaning: the account is that of the user who is shown", {
    tags: ["threat:A-061"],
  }, async () => {
    const { world, isSignedIn } = await signInWith((at, claims) =>
      signed(at, headerOf(at), JSON.stringify(claims).replace("{", '{"sub":"victim","email":"victim@op.test",')),
    )
    const accountOf = (providerAccountId: string) =>
      world.adapter.getUserByAccount?.({ provider: "op", providerAccountId })
    expect([isSignedIn, await accountOf("victim")]).toEqual([true, null])
    expect(await accountOf("person-1")).toMatchObject({ email: "ada@op.test" })
  })
})
