import { describe, expect, it } from "vitest"
import { resolveWith } from "../../test/support/resolve-config.js"
import { problemOf, resolveAll, resolveOne } from "../../test/support/resolve-providers.js"
import type { ResolvedEmailProvider, ResolvedWebAuthnProvider } from "./settings.js"

const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined }
const passkey = { id: "passkey", name: "Passkey", type: "webauthn" }
const password = { id: "credentials", name: "Password", type: "credentials", credentials: {}, authorize: () => null }
const experimental = { enableWebAuthn: true }

describe("other kinds of providers", () => {
  it("an e-mail link is valid for an hour by default", () => {
    const maxAgeOf = (entry: unknown) => (resolveOne(entry) as never as ResolvedEmailProvider).maxAge
    expect(maxAgeOf(mail)).toBe(3600)
    expect(maxAgeOf({ ...mail, maxAge: 60, options: { maxAge: 120 } })).toBe(120)
  })

  it.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY], ["3600"], [1e15]])(
    "refuses a link that lives %s seconds",
    { tags: ["threat:SF-12"] },
    (maxAge) => {
      expect(problemOf({ ...mail, maxAge })?.message).toContain('"providers.mail.maxAge": expected a number of seconds')
    },
  )

  it("an e-mail provider reads the key of its service", () => {
    const config = (resolveOne(mail, { env: { AUTH_MAIL_KEY: "key" } }) as never as ResolvedEmailProvider).config
    expect(config.apiKey).toBe("key")
  })

  it.each([
    ["sendVerificationRequest", { ...mail, sendVerificationRequest: undefined }],
    ["confirm", { ...mail, confirm: "sometimes" }],
    ["secret", { ...mail, secret: 5 }],
    ["normalizeIdentifier", { ...mail, normalizeIdentifier: true }],
  ])("an e-mail provider with an invalid %s is a problem", (member, entry) => {
    expect(problemOf(entry)?.message).toContain(`"providers.mail.${member}": expected`)
  })

  it("credentials need authorize, wherever it is written", () => {
    const entry = { id: "credentials", name: "Password", type: "credentials", credentials: {} }
    expect(problemOf(entry)).toMatchObject({ type: "MissingAuthorize" })
    expect(resolveAll([{ ...entry, options: { authorize: () => null } }]).problems).toEqual([])
    expect(problemOf({ ...entry, authorize: () => null, credentials: "x" })?.message).toContain(
      "credentials.credentials",
    )
  })

  it.each([
    [undefined, true],
    ["name", true],
    [["tenant", "name"], true],
    ["", false],
    [[], false],
    [["tenant", ""], false],
    [["tenant", 7], false],
    [{ tenant: {} }, false],
  ])("credentials name the fields that say who it is: %j is right: %s", (accountField, isRight) => {
    const problem = problemOf({ ...password, accountField })
    if (isRight) expect(problem).toBeUndefined()
    else expect(problem?.message).toContain('"providers.credentials.accountField": expected the name of a field')
  })

  it.each([
    [mail],
    [{ id: "credentials", name: "Password", type: "credentials", authorize: () => null }],
    [{ id: "passkey", name: "Passkey", type: "webauthn" }],
  ])("cannot be changed for others through what callbacks are given: %j", { tags: ["threat:CF2-12"] }, (entry) => {
    const provider = resolveOne(entry)
    expect([Object.isFrozen(provider), Object.isFrozen(provider.config)]).toEqual([true, true])
    expect(provider.config.name).toBe(entry.name)
  })

  it("a passkey provider asks for an address while typing by default", () => {
    const config = (
      resolveOne({ id: "passkey", name: "Passkey", type: "webauthn" }) as never as ResolvedWebAuthnProvider
    ).config
    expect(config).toMatchObject({
      enableConditionalUI: true,
      formFields: { email: { autocomplete: "username webauthn" } },
    })
    const own = { id: "passkey", name: "Passkey", type: "webauthn", formFields: { email: { label: "x" } } }
    const shouted = { ...own, formFields: { email: { autocomplete: "USERNAME  WebAuthn" } } }
    expect((resolveOne(shouted) as never as ResolvedWebAuthnProvider).config.enableConditionalUI).toBe(true)
    expect((resolveOne(own) as never as ResolvedWebAuthnProvider).config.enableConditionalUI).toBe(false)
  })

  it.each([
    ["v1", true],
    ["v1.2", true],
    ["v13.0.1", true],
    [false, true],
    ["9", false],
    ["v1.2.3.4", false],
    ["latest", false],
  ])("a browser version %j is fit: %j [spec versioning 3]", (simpleWebAuthnBrowserVersion, isFit) => {
    const entry = { id: "passkey", name: "Passkey", type: "webauthn", simpleWebAuthnBrowserVersion }
    expect(resolveAll([entry]).problems.length).toBe(isFit ? 0 : 1)
  })

  it("brings a whole library or none: what is missing is named", () => {
    const whole = Object.fromEntries(
      [
        "generateRegistrationOptions",
        "generateAuthenticationOptions",
        "verifyRegistrationResponse",
        "verifyAuthenticationResponse",
      ].map((name) => [name, () => undefined]),
    )
    const problemWith = (simpleWebAuthn: unknown) =>
      problemOf({ id: "passkey", name: "Passkey", type: "webauthn", simpleWebAuthn })
    for (const fit of [undefined, null, false, whole, Object.create(whole)]) expect(problemWith(fit)).toBeUndefined()
    const { verifyRegistrationResponse: _, ...partly } = whole
    expect(problemWith(partly)?.message).toMatch(
      /^"providers\.passkey\.simpleWebAuthn": expected an object with .*, received an object\. Missing: verifyRegistrationResponse\./,
    )
    for (const invalid of ["x", true, {}]) expect(problemWith(invalid)?.type).toBe("InvalidConfiguration")
  })
})

describe("what providers need", () => {
  it.each([
    ["an e-mail provider without adapter", { providers: [mail] }, ["MissingAdapter"]],
    ["an e-mail provider with adapter", { providers: [mail], adapter: {} }, []],
    ["an explicit database strategy without adapter", { session: { strategy: "database" } }, ["MissingAdapter"]],
    [
      "credentials alone with an explicit database strategy",
      { providers: [password], session: { strategy: "database" }, adapter: {} },
      [],
    ],
    ["credentials with an adapter", { providers: [password], adapter: {} }, []],
    ["an adapter without any operation", { providers: [mail, passkey], adapter: {}, experimental }, []],
    ["a passkey without anything", { providers: [passkey] }, ["MissingAdapter", "ExperimentalFeatureNotEnabled"]],
    ["a passkey without the flag", { providers: [passkey], adapter: {} }, ["ExperimentalFeatureNotEnabled"]],
    ["a passkey without adapter", { providers: [passkey], experimental }, ["MissingAdapter"]],
    [
      "two providers that offer passkeys while typing",
      { providers: [passkey, { ...passkey, id: "webauthn" }], adapter: {}, experimental },
      ["DuplicateConditionalUI"],
    ],
    [
      "two of which one does not",
      { providers: [passkey, { ...passkey, id: "webauthn", enableConditionalUI: false }], adapter: {}, experimental },
      [],
    ],
    [
      "a form without a field for it",
      {
        providers: [{ ...passkey, enableConditionalUI: true, formFields: { name: { autocomplete: "username" } } }],
        adapter: {},
        experimental,
      },
      ["MissingWebAuthnAutocomplete"],
    ],
  ])("%s", { tags: ["threat:CF2-09"] }, (_, config, expected) => {
    expect(resolveWith(config).problems.map(({ type }) => type)).toEqual(expected)
  })

  it("warns of what is experimental [spec options experimental.enableWebAuthn]", () => {
    expect(resolveWith({ providers: [passkey], adapter: {}, experimental }).warnings).toEqual(["experimental-webauthn"])
    expect(resolveWith({ experimental }).warnings).toEqual([])
  })

  it("names the provider and the remedy", () => {
    expect(resolveWith({ providers: [mail] }).problems[0]?.message).toBe(
      '"adapter": expected one, because the provider "mail" stores the tokens of its links, received nothing. Set "adapter" to an adapter.',
    )
  })
})
