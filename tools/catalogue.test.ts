/** The tools around the provider catalogue: its pages, and the beginning of a new provider. */
import { describe, expect, it } from "vitest"
import { indexOf, type Listed, loadProviders } from "./catalogue.mjs"
import { fixtureFile, functionName, providerFile } from "./new-provider.mjs"
import { pageOf } from "./provider-page.mjs"

const ids = ["apple", "mastodon", "lichess", "passage", "resend", "credentials"]
const loaded = await loadProviders(ids)
const page = (id: string): string => pageOf(loaded.find((one) => one.id === id) as Listed)

describe("the page of a provider", () => {
  it.each([
    ["apple", "| checks | nonce, state |"],
    ["apple", "`https://<your host>/auth/callback/apple`"],
    ["apple", "| scopes | `name email` |"],
    ["mastodon", "`AUTH_MASTODON_ID`, `AUTH_MASTODON_SECRET`, `AUTH_MASTODON_ISSUER`"],
    ["mastodon", 'import { Mastodon } from "@latchkey/core/providers/mastodon"'],
    ["lichess", "Set `AUTH_LICHESS_ID`, or give"],
    ["resend", "Set `AUTH_RESEND_KEY`, or give `apiKey`."],
    ["credentials", "credentials: { email:"],
    ["apple", "| `id` | `sub` |"],
    ["apple", "| `name` | several members |"],
    ["apple", "| `image` | nothing |"],
    ["apple", "Also in it: `iss`, `aud`"],
    ["lichess", "// providers.ts\nimport"],
    ["passage", "**Nobody can sign in there any more.** Passage by 1Password ended"],
  ])("of %s holds %s", (id, text) => {
    expect(page(id)).toContain(text)
  })

  it("shows no configuration of a product that is gone", () => {
    expect(page("passage")).not.toContain("AUTH_PASSAGE_ID")
  })
})

describe("the index", () => {
  it("counts what it lists", () => {
    expect(indexOf(loaded)).toContain(`${ids.length} providers come with the package.`)
    expect(indexOf(loaded)).toContain("| [Passage](passage.md) (ended) | `passage` | OpenID Connect |")
  })
})

describe("a new provider", () => {
  it.each([
    ["some-service", "SomeService"],
    ["42-school", "P42School"],
    ["x", "X"],
  ])("%s has the function %s", (id, name) => {
    expect(functionName(id)).toBe(name)
    expect(providerFile(id)).toContain(`export default ${name}\n`)
  })

  it.each(["oauth", "oidc"] as const)("of %s begins with a fixture of its kind", (kind) => {
    expect(JSON.parse(fixtureFile("some-service", kind))).toMatchObject({ id: "some-service", type: kind })
    expect(providerFile("some-service", kind)).toContain(`return ${kind}(`)
  })
})
