/** Objects of the library may be printed, logged as JSON or cloned by accident, and show no secret. */
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { setEnvDefaults } from "../../src/config/environment.js"
import type { Settings } from "../../src/config/settings.js"
import { createAuth } from "../../src/engine/auth.js"
import { inspectAuth } from "../../src/engine/inspect.js"
import { settingsOf } from "../../src/engine/service.js"
import { providerIds } from "../../src/providers/ids.js"
import Resend from "../../src/providers/resend.js"
import type { AuthConfig } from "../../src/types/config.js"
import { load } from "../providers/entries.js"
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
  it.each(things)("of %s shows no secret", { tags: ["threat:A-012"] }, async (_thing, pick) => {
    const text = print(pick(await open()))
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })
})

it("printed settings show the resolved values", async () => {
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

it("a concealed member can be read by its name", async () => {
  const { keyring, providers } = settingsIn(await open())
  expect(keyring.secrets).toEqual([worldSecret])
  expect(providers.get("op")?.config).toMatchObject({ clientSecret: "op-secret" })
})

describe("what a provider function returns", () => {
  const secret = "secret-of-the-application"
  const byType: Readonly<Record<string, object>> = {
    oauth: { clientId: "client", clientSecret: secret, apiKey: secret, headers: { "X-API-Key": secret } },
    email: { apiKey: secret, secret, server: `smtps://user:${secret}@mail.test`, from: "a@app.test" },
  }
  const make = async (id: string, type = "oauth") =>
    (await load(id))(byType[type] ?? {}) as unknown as Record<string, unknown>
  const mails = ["email", "forwardemail", "loops", "mailgun", "nodemailer", "postmark", "resend", "sendgrid"]
  // Three take no secret.
  const others = providerIds.filter((id) => !["credentials", "passkey", "webauthn", ...mails].includes(id))
  const cases = [...others.map((id) => [id, "oauth"] as const), ...mails.map((id) => [id, "email"] as const)]

  // `structuredClone` copies members without asking: a provider without functions is cloned with what it holds.
  describe.each(ways.filter(([name]) => name !== "a clone"))("%s", (_, print) => {
    it.each(cases)("of %s shows no secret, nor does a copy", async (id, type) => {
      const provider = await make(id, type)
      expect(provider["type"]).toMatch(type === "email" ? /^email$/ : /^(oauth|oidc)$/)
      expect(print(provider)).not.toContain(secret)
      expect(print({ ...provider, id: "other" })).not.toContain(secret)
    })
  })

  it.each([
    ["github", "oauth", { clientId: "client", clientSecret: "[concealed]" }],
    ["resend", "email", { from: "a@app.test", apiKey: "[concealed]" }],
  ])("%s: has them as members", async (id, type, shown) => {
    const { options } = await make(id, type)
    expect(options).toEqual(byType[type])
    expect(JSON.parse(JSON.stringify(options))).toMatchObject(shown)
  })

  it("is filled from the environment for frameworks, and prints no secret either", async () => {
    const config: AuthConfig = { providers: [(await load("github"))({})] }
    setEnvDefaults({ AUTH_GITHUB_ID: "client", AUTH_GITHUB_SECRET: secret }, config)
    const [filled] = config.providers as unknown as [Record<string, unknown>]
    expect(filled).toMatchObject({ clientId: "client", clientSecret: secret })
    expect(inspect(filled, { depth: null }) + JSON.stringify(filled)).not.toContain(secret)
  })
})

it("printing a copy of the provider that callbacks get shows no more", async () => {
  const { auth } = await open()
  const config = settingsOf(auth)?.providers.get("op")?.config
  expect(inspect({ ...config }, { depth: null })).not.toContain("op-secret")
})
