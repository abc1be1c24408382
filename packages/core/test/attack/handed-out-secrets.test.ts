/** Whatever the library hands out may be printed, logged as JSON or cloned by accident: no secret is in it. */
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import type { Settings } from "../../src/config/settings.js"
import { createAuth } from "../../src/engine/auth.js"
import { inspectAuth } from "../../src/engine/inspect.js"
import { settingsOf } from "../../src/engine/service.js"
import Resend from "../../src/providers/resend.js"
import { makeWorld, type World, worldSecret } from "../support/world.js"

const secrets = [worldSecret, "jwt-secret-of-at-least-32-characters", "op-secret", "resend-api-key-of-the-app"]

async function open(): Promise<World> {
  return makeWorld({
    strategy: "jwt",
    provider: { clientSecret: "op-secret" },
    more: [Resend({ apiKey: "resend-api-key-of-the-app", from: "a@app.test" })],
    config: { jwt: { secret: "jwt-secret-of-at-least-32-characters" } },
  })
}

const ways: readonly (readonly [string, (value: unknown) => string])[] = [
  ["JSON", (value) => JSON.stringify(value) ?? ""],
  ["JSON of what holds it", (value) => JSON.stringify({ level: "info", value: [value] })],
  ["an inspector", (value) => inspect(value, { depth: null })],
  ["an inspector that shows everything", (value) => inspect(value, { depth: null, showHidden: true, getters: true })],
  [
    "a clone",
    (value) => {
      try {
        return inspect(structuredClone(value), { depth: null })
      } catch (error) {
        return String(error)
      }
    },
  ],
]

const settingsIn = ({ auth }: World): Settings => settingsOf(auth) ?? expect.fail("no settings")

const things: readonly (readonly [string, (world: World) => unknown])[] = [
  ["the service", ({ auth }) => auth],
  ["the inspection of a service", ({ auth }) => inspectAuth(auth)],
  ["settings", (world) => settingsIn(world)],
  ["the keys", (world) => settingsIn(world).keyring],
  ["the options of tokens", (world) => settingsIn(world).jwt],
  ["all providers", (world) => [...settingsIn(world).providers.values()]],
  ["the map of providers", (world) => settingsIn(world).providers],
  ["what callbacks get of a provider", (world) => settingsIn(world).providers.get("op")?.config],
  ["a mail provider", (world) => settingsIn(world).providers.get("resend")?.config],
  ["what is wrong with a configuration", () => createAuth({ secret: "", providers: [1 as never] }).problems()],
]

describe.each(ways)("%s", (_, print) => {
  it.each(things)("of %s shows no secret", async (_thing, pick) => {
    const text = print(pick(await open()))
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })
})

it("a print of settings says what they came to", async () => {
  const settings = settingsIn(await open())
  expect(JSON.parse(JSON.stringify(settings))).toEqual({
    basePath: "/auth",
    strategy: "jwt",
    providers: ["op", "mail", "resend"],
    problems: [],
    warnings: [],
  })
  expect(JSON.parse(JSON.stringify(settings.providers.get("op")))).toEqual({
    id: "op",
    name: "Test OP",
    type: "oidc",
  })
})

it("what is concealed is there for whoever asks for it by its name", async () => {
  const { keyring, providers } = settingsIn(await open())
  expect(keyring.secrets).toEqual([worldSecret])
  expect(providers.get("op")?.config).toMatchObject({ clientSecret: "op-secret" })
})
