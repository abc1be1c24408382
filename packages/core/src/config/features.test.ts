import { expect, it } from "vitest"
import { makeContext } from "../../test/support/context.js"
import { managedSessions } from "../engine/managed-sessions.js"
import { memoryAdapter } from "../memory.js"
import { passkeys } from "../passkeys.js"
import type { Feature, FeatureRow } from "../types/feature.js"

const row: FeatureRow = {
  method: "GET",
  action: "sessions",
  csrf: false,
  audience: "script",
  act: async () => undefined,
}
const plain: Feature = { name: "plain", needs: [], rows: [row] }
const demanding: Feature = { name: "demanding", needs: ["facts", "records"], rows: [] }

const settingsOf = (config: object) => makeContext({ config }).settings
const messagesOf = (config: object): string[] => settingsOf(config).problems.map(({ message }) => message)

it("switches nothing on without the option", () => {
  expect(settingsOf({}).features).toEqual({ names: [], rows: [], keepsFacts: false, sessions: undefined })
  expect(settingsOf({ features: [] }).features).toEqual(settingsOf({}).features)
})

it("joins the rows and needs of all features", () => {
  const { features, problems } = settingsOf({ features: [plain, demanding], adapter: memoryAdapter() })
  expect(features).toEqual({ names: ["plain", "demanding"], rows: [row], keepsFacts: true, sessions: undefined })
  expect(problems).toEqual([])
})

it("asks for a store of records where a feature needs one", () => {
  expect(messagesOf({ features: [demanding] })).toEqual([
    '"features.demanding": expected a store of records, received nothing. Set "records", or an "adapter" that keeps records.',
  ])
  expect(messagesOf({ features: [plain] })).toEqual([])
})

it("keeps facts for an overall end of sessions: in tokens without records, in a database with them", () => {
  const session = { overallMaxAge: 3600 }
  const inTokens = settingsOf({ session })
  expect([inTokens.features.keepsFacts, inTokens.options["session.overallMaxAge"], inTokens.problems]).toEqual([
    true,
    3600,
    [],
  ])
  expect(
    messagesOf({ session: { ...session, strategy: "database" }, adapter: { getSessionAndUser: () => null } }),
  ).toEqual([expect.stringMatching(/^"session.overallMaxAge": expected a store of records, received nothing\./)])
})

it.each([
  ["something else than a list", plain, '"features": expected a list of features, received an object.'],
  ["a function", [() => plain], '"features[0]": expected a feature, received a function. Call it.'],
  ["a string", [plain, "sessions"], '"features[1]": expected a feature, received the string "sessions".'],
  ["the same feature twice", [plain, plain], '"features[1]": expected each feature once, received the string "plain".'],
])("refuses %s", (_, features, message) => {
  const found = messagesOf({ features })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(message)
})

it.each([
  ["staleness", -1, '"managedSessions.staleness": expected seconds, 0 to 3600, received -1.'],
  ["staleness", 7200, "received 7200"],
  ["staleness", "30", 'received the string "30"'],
  ["atMost", 0, '"managedSessions.atMost": expected a whole number, 1 or more, received 0.'],
  ["atMost", 2.5, "received 2.5"],
  ["describe", "browser", '"managedSessions.describe": expected a function'],
  ["policy", { maxAge: 0 }, '"managedSessions.policy": expected an object such as { maxAge: 900, acr: "mfa" }'],
  ["policy", { acr: "loa3" }, '"managedSessions.policy"'],
])("refuses managed sessions with %s %j", (name, value, message) => {
  const features = [managedSessions({ [name]: value })]
  const found = messagesOf({ features, adapter: memoryAdapter() })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(message)
})

it.each([{ maxAge: -1 }, { acr: "strong" }, "recent"])("refuses passkeys with the policy %j", (policy) => {
  const [message, ...others] = messagesOf({
    features: [passkeys({ policy: policy as never })],
    adapter: memoryAdapter(),
  })
  expect(message).toContain('"passkeys.policy": expected an object such as { maxAge: 900, acr: "mfa" }')
  expect(others).toEqual([])
})

it("takes policies of passkeys that can work", () => {
  for (const policy of [undefined, {}, { maxAge: 60, acr: "phr", passive: true } as const])
    expect(messagesOf({ features: [passkeys({ policy })], adapter: memoryAdapter() })).toEqual([])
})

it("takes every option of managed sessions that can work", () => {
  const options = {
    staleness: 30,
    atMost: 5,
    describe: () => ({}),
    policy: { maxAge: 60, acr: "mfa", passive: true },
  } as const
  expect(messagesOf({ features: [managedSessions(options)], adapter: memoryAdapter() })).toEqual([])
})

it.each([
  [[managedSessions({ policy: { acr: "mfa" } })], "managedSessions.policy.acr."],
  [[managedSessions(), passkeys({ policy: { acr: "phr", maxAge: 900 } })], "passkeys.policy.acr."],
])("warns of a policy that no sign-in can meet: %#", (features, detail) => {
  const { warnings, warningDetails } = settingsOf({ features, adapter: memoryAdapter() })
  expect(warnings).toContain("policy-out-of-reach")
  expect(warningDetails["policy-out-of-reach"]).toBe(detail)
})

it("does not warn of a policy that asks for a recent sign-in", () => {
  const features = [managedSessions({ policy: { maxAge: 900 } }), passkeys()]
  expect(settingsOf({ features, adapter: memoryAdapter() }).warnings).not.toContain("policy-out-of-reach")
})
