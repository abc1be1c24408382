import { expect, it } from "vitest"
import type { CredentialInput } from "../types/provider.js"
import {
  type AccountFields,
  accountFieldsOf,
  checkAccountFields,
  isUnlistedPlace,
  saysNobody,
} from "./account-fields.js"
import { createReport } from "./report.js"
import type { ResolvedProvider } from "./settings.js"

type Listed = Readonly<Record<string, CredentialInput>>

const password: CredentialInput = { type: "password" }
const hidden: CredentialInput = { type: "hidden" }
const apart = { areTogether: false, other: undefined, places: [], areSure: true, ofDigits: new Set<string>() }

it.each<[string, Parameters<typeof accountFieldsOf>[0], AccountFields]>([
  [
    "the one that is configured",
    { accountField: "phone" },
    { names: ["phone"], areTogether: true, places: [], areSure: true, ofDigits: new Set(["phone"]) },
  ],
  [
    "those that are configured, together",
    { accountField: ["tenant", "kennung"], credentials: { kennung: { type: "tel" }, phone: {}, password } },
    { names: ["tenant", "kennung"], areTogether: true, places: [], areSure: true, ofDigits: new Set(["kennung"]) },
  ],
  [
    "the usual names, where none is listed",
    {},
    {
      names: ["email", "username", "phone"],
      areTogether: false,
      places: [],
      areSure: false,
      ofDigits: new Set(["phone"]),
    },
  ],
  [
    "every name of a person",
    { credentials: { email: {}, phone: {}, nickname: {}, birthday: {}, tenant: {}, password } },
    {
      ...apart,
      names: ["email", "phone"],
      other: "nickname",
      places: ["nickname", "tenant"],
      ofDigits: new Set(["phone"]),
    },
  ],
  [
    "a name that several people may have, with what people keep for life",
    { credentials: { name: {}, birthday: {}, deviceId: {}, website: {}, street: hidden, password } },
    { ...apart, names: ["name"], places: ["birthday"] },
  ],
  ["details by any of their names", ...detailed("nameString", "dobString", "date_of_birth", "firstName", "gender")],
  [
    "the first of two names that several people may have, beside the other",
    { credentials: { customer: {}, nickname: {}, password } },
    { ...apart, names: ["customer"], other: "nickname", places: ["nickname"], areSure: false },
  ],
  ["one that several people may have, without a password", { credentials: { nickname: {} } }, named("nickname")],
  ["the only one of an unknown name", { credentials: { kennung: {}, password } }, named("kennung")],
  [
    "the only one of an unknown name, which may be a secret where none is asked for",
    { credentials: { kennung: {}, tenant: {} } },
    { ...apart, names: ["kennung"], places: ["tenant"], areSure: false },
  ],
  [
    "a detail where there is nothing else",
    { credentials: { age: {}, password } },
    { ...apart, names: ["age"], areSure: false },
  ],
])("says who signs in: %s", (_, given, expected) => {
  expect(accountFieldsOf(given)).toEqual(expected)
})

function named(name: string): AccountFields {
  return { ...apart, names: [name] }
}

/** A name beside these, which each tell people of that name apart. */
function detailed(...details: readonly string[]): [{ credentials: Listed }, AccountFields] {
  const credentials = Object.fromEntries(["name", ...details].map((name) => [name, {}]))
  return [{ credentials: { ...credentials, password } }, { ...named("name"), places: details }]
}

it.each([
  ["password", undefined, true],
  ["otp", undefined, true],
  ["captcha", undefined, true],
  ["email", undefined, false],
  ["kennung", {}, false],
  ["kennung", { kennung: password }, true],
])("says of %s, beside what is listed in %j, whether it names nobody: %s", (name, credentials, expected) => {
  expect(saysNobody(name, credentials)).toBe(expected)
})

it.each([
  ["tenant", undefined, true],
  ["tenant", {}, true],
  ["tenant", { tenant: {} }, false],
  ["email", undefined, false],
  ["country", undefined, true],
  ["state", undefined, false],
  ["userLocation", undefined, false],
  ["loginRegionCode", undefined, false],
  ["networkType", undefined, false],
  ["cityName", undefined, false],
  ["regionId", undefined, false],
])("says of %s, beside what is listed in %j, whether it is a place all the same: %s", (name, credentials, expected) => {
  expect(isUnlistedPlace(name, credentials)).toBe(expected)
})

function warningsOf(config: object, { limits, type = "credentials" }: { limits?: unknown; type?: string } = {}) {
  const report = createReport()
  const providers = new Map([["own", { id: "own", type, config } as unknown as ResolvedProvider]])
  checkAccountFields({ providers, limits }, report)
  return report
}

it.each<[string, object, boolean]>([
  ["nothing is listed", {}, true],
  ["a password alone is asked for", { credentials: { password } }, false],
  ["a password is asked for beside a token", { credentials: { password, csrfToken: {} } }, false],
  ["a token is asked for", { credentials: { token: {} } }, false],
  ["a tenant and a password are asked for", { credentials: { tenant: {}, password } }, true],
  ["a code is asked for", { credentials: { otp: {} } }, true],
  ["the field is configured", { accountField: "kennung" }, false],
  ["an address and a name that several people may have", { credentials: { email: {}, nickname: {}, password } }, false],
  ["an address and a field that says nothing", { credentials: { email: {}, kennung: {}, password } }, true],
  ["a field alone may be a secret", { credentials: { kennung: {} } }, false],
  ["two names that several people may have are listed", { credentials: { customer: {}, nickname: {} } }, true],
  ["a name and a field that says nothing are listed", { credentials: { nickname: {}, kennung: {}, password } }, true],
  ["a detail alone is listed", { credentials: { age: {}, password } }, true],
])("warns where somebody may be another one: %s", (_, config, isWarned) => {
  expect(warningsOf(config).warnings).toEqual(isWarned ? ["person-unknown"] : [])
})

it("warns only of credentials, and where something is limited", () => {
  expect(warningsOf({}, { type: "email" }).warnings).toEqual([])
  expect(warningsOf({}, { limits: false }).warnings).toEqual([])
  expect(warningsOf({}).details).toEqual({ "person-unknown": 'Providers: "own".' })
})
