/** One id of a provider for several issuers, where accounts are kept together. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../adapters/memory.js"
import { GitHub } from "../providers/github.js"
import { Keycloak } from "../providers/keycloak.js"
import { MicrosoftEntraID } from "../providers/microsoft-entra-id.js"
import type { Adapter } from "../types/adapter.js"
import type { Provider } from "../types/provider.js"
import { type Caches, createCaches } from "./caches.js"
import { resolveSettings } from "./resolve.js"

const secret = "a secret of at least 32 characters"
const client = { clientId: "app", clientSecret: "secret of the app" }

function warningsOf(caches: Caches, providers: readonly Provider[], adapter?: Adapter) {
  const config = { secret, providers: [...providers], ...(adapter && { adapter }) }
  const { warnings, warningDetails } = resolveSettings(config, { env: {}, caches })
  return warnings.includes("id-of-several-issuers") ? warningDetails["id-of-several-issuers"] : undefined
}

const realm = (name: string, more: { id?: string } = {}): Provider =>
  Keycloak({ ...client, issuer: `https://id.test/realms/${name}`, ...more })

describe("a provider with one id in several configurations", { tags: ["threat:I9-09"] }, () => {
  it("is named in a warning where one adapter keeps the accounts of two issuers, each time it is resolved", () => {
    const [caches, adapter] = [createCaches(), memoryAdapter()]
    expect(warningsOf(caches, [realm("red")], adapter)).toBeUndefined()
    for (let time = 0; time < 2; time += 1)
      expect(warningsOf(caches, [realm("blue"), GitHub(client)], adapter)).toBe('Providers: "keycloak".')
    expect(warningsOf(caches, [realm("red")], adapter)).toBeUndefined()
  })

  it("is named where it has no issuer, and another token endpoint", () => {
    const [caches, adapter] = [createCaches(), memoryAdapter()]
    const at = (host: string): Provider => ({
      id: "own",
      name: "Own",
      type: "oauth",
      ...client,
      authorization: `https://${host}/authorize`,
      token: `https://${host}/token`,
      userinfo: `https://${host}/userinfo`,
    })
    expect(warningsOf(caches, [at("red.test")], adapter)).toBeUndefined()
    expect(warningsOf(caches, [at("red.test")], adapter)).toBeUndefined()
    expect(warningsOf(caches, [at("blue.test")], adapter)).toBe('Providers: "own".')
  })

  it("is not named where each has an id or an adapter of its own, or there is none", () => {
    const [caches, adapter] = [createCaches(), memoryAdapter()]
    const found = [
      warningsOf(caches, [realm("red")]),
      warningsOf(caches, [realm("blue")]),
      warningsOf(caches, [realm("red")], memoryAdapter()),
      warningsOf(caches, [realm("blue")], memoryAdapter()),
      warningsOf(caches, [realm("red", { id: "red" })], adapter),
      warningsOf(caches, [realm("blue", { id: "blue" })], adapter),
    ]
    expect(found).toEqual(Array(found.length).fill(undefined))
  })

  it("is named where `issuerOf` lets in several, each of which counts its people itself", () => {
    const tenants = (more: object): Provider =>
      ({
        id: "own",
        name: "Own",
        type: "oidc",
        ...{ ...client, issuer: "https://id.test/common" },
        issuerOf: ({ tid }: { tid?: unknown }) => `https://id.test/${tid}`,
        ...more,
      }) as Provider
    const profile = ({ tid, sub }: Record<string, unknown>) => ({ id: `${tid} ${sub}` })
    const [caches, adapter] = [createCaches(), memoryAdapter()]
    expect(warningsOf(caches, [tenants({})], adapter)).toBe('Providers: "own".')
    expect(warningsOf(caches, [tenants({ issuer: "https://id.test/all" })], adapter)).toBe('Providers: "own".')
    const found = [
      warningsOf(createCaches(), [tenants({})]),
      warningsOf(createCaches(), [tenants({ profile })], adapter),
      warningsOf(createCaches(), [MicrosoftEntraID(client)], adapter),
    ]
    expect(found).toEqual(Array(found.length).fill(undefined))
  })
})
