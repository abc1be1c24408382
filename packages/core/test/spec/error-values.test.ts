/** The closed lists of public error values: what brings the service to each of them, what a person reads, what a script receives. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { errorTable } from "../../src/errors.js"
import type { TestBrowser } from "../support/browser.js"
import {
  answerOf,
  badState,
  byCredentials,
  byMail,
  byOp,
  byOpUnlinked,
  byPost,
  type Case,
  credentials,
  down,
  fails,
  failsTogether,
  faulty,
  noMail,
  noToken,
  notFound,
  throws,
  wrongPasskey,
} from "../support/failing.js"
import { passkeyConfig, registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

// biome-ignore format: a table, each row stays on one line
const cases: readonly (readonly [string, string, string, Case])[] = [
  ["[spec signin-page Signin]", "a POST without token", "Signin", { act: noToken, logged: "MissingCSRF", status: 403 }],
  [
    "[spec signin-page Signin]",
    "a passkey that fails",
    "Signin",
    { options: { config: passkeyConfig }, act: wrongPasskey, logged: "WebAuthnVerificationError", status: 401 },
  ],
  [
    "[spec signin-page Signin]",
    "a store that fails before a mail is sent",
    "Signin",
    { options: { config: fails("getUserByEmail") }, act: byMail, logged: "AdapterError", status: 503 },
  ],
  [
    "[spec signin-page OAuthSignin]",
    "a provider that is down",
    "OAuthSignin",
    { act: faulty("discovery", down), logged: "ProviderUnavailable", status: 503 },
  ],
  [
    "[spec signin-page OAuthSignin]",
    "discovery that answers nothing",
    "OAuthSignin",
    { act: faulty("discovery", notFound), logged: "OAuthSignInError", status: 503 },
  ],
  [
    "[spec signin-page OAuthCallbackError]",
    "an error the provider answers",
    "OAuthCallbackError",
    { act: answerOf({ error: "server_error" }), logged: "OAuthCallbackError", status: 502 },
  ],
  [
    "[spec signin-page OAuthCallbackError]",
    "an answer of another flow",
    "OAuthCallbackError",
    { act: badState, logged: "InvalidCheck", status: 400 },
  ],
  [
    "[spec signin-page OAuthCallbackError]",
    "a profile that cannot be mapped",
    "OAuthCallbackError",
    { options: { provider: { profile: throws } }, act: byOp, logged: "OAuthProfileParseError", status: 502 },
  ],
  [
    "[spec signin-page OAuthCreateAccount]",
    "a user that cannot be stored",
    "OAuthCreateAccount",
    { options: { config: fails("createUser") }, act: byOp, logged: "OAuthCreateAccountError", status: 503 },
  ],
  [
    "[spec signin-page EmailCreateAccount]",
    "a user that cannot be stored, by mail",
    "EmailCreateAccount",
    { options: { config: fails("createUser") }, act: byMail, logged: "EmailCreateAccountError", status: 503 },
  ],
  [
    "[spec signin-page Callback]",
    "an `authorize` that throws",
    "Callback",
    { options: credentials(throws), act: byCredentials, logged: "CallbackRouteError", status: 500 },
  ],
  [
    "[spec signin-page Callback]",
    "a jwt callback that throws",
    "Callback",
    {
      options: { strategy: "jwt", config: { callbacks: { jwt: throws } } },
      act: byOp,
      logged: "CallbackRouteError",
      status: 500,
    },
  ],
  [
    "[spec signin-page Callback]",
    "a store that fails on the way back",
    "Callback",
    { options: { config: fails("getUserByAccount") }, act: byOp, logged: "AdapterError", status: 503 },
  ],
  [
    "[spec signin-page Callback]",
    "a session that cannot be stored, of a new user",
    "Callback",
    { options: { config: failsTogether("createSession") }, act: byOp, logged: "AdapterError", status: 503 },
  ],
  [
    "[spec signin-page Callback]",
    "a session that cannot be stored, by mail",
    "Callback",
    { options: { config: failsTogether("createSession") }, act: byMail, logged: "AdapterError", status: 503 },
  ],
  [
    "[spec signin-page OAuthAccountNotLinked]",
    "an address that somebody has",
    "OAuthAccountNotLinked",
    { act: byOpUnlinked, logged: "OAuthAccountNotLinked", status: 409 },
  ],
  [
    "[spec signin-page OAuthAccountNotLinked]",
    "a passkey for an address that somebody has",
    "OAuthAccountNotLinked",
    {
      options: { config: passkeyConfig },
      act: async ({ adapter }, browser) => {
        await adapter.createUser?.({ id: "1", email: "ada@op.test", emailVerified: null })
        return registerPasskey(browser, softwarePasskey(), "ada@op.test")
      },
      logged: "AccountNotLinked",
      status: 409,
    },
  ],
  [
    "[spec signin-page EmailSignin]",
    "an address that is none",
    "EmailSignin",
    { options: noMail({}), act: byPost("no address"), logged: "EmailAddressRefused", status: 400 },
  ],
  [
    "[spec signin-page EmailSignin]",
    "a mail that cannot be sent",
    "EmailSignin",
    { options: noMail({}), act: byPost("ada@app.test"), logged: "EmailSignInError", status: 503 },
  ],
  [
    "[spec signin-page CredentialsSignin]",
    "credentials that are wrong",
    "CredentialsSignin",
    { options: credentials(() => null), act: byCredentials, logged: "CredentialsSignin", status: 401 },
  ],
  [
    "[spec error-page AccessDenied]",
    "a callback that refuses",
    "AccessDenied",
    { options: { config: { callbacks: { signIn: () => false } } }, act: byOp, logged: "AccessDenied", status: 403 },
  ],
  [
    "[spec error-page Verification]",
    "a link that is none",
    "Verification",
    {
      act: (_, browser) => browser.get("/auth/callback/mail?token=x&email=ada@app.test"),
      logged: "Verification",
      status: 403,
    },
  ],
  [
    "[spec error-page Configuration]",
    "an operation that is missing",
    "Configuration",
    { options: { config: { adapter: {} } }, act: byMail, logged: "MissingAdapterMethods", status: 500 },
  ],
]

/** What a person reads, by value. */
const texts: Readonly<Record<string, string>> = {
  Signin: "Signing in did not start.",
  OAuthSignin: "This provider cannot be reached right now.",
  OAuthCallbackError: "The provider did not complete the sign-in.",
  OAuthCreateAccount: "Your account could not be created. Try again shortly",
  EmailCreateAccount: "Your account could not be created. Ask for a new link",
  Callback: "Signing in did not complete.",
  OAuthAccountNotLinked: "You used another method to sign in before.",
  EmailSignin: "The email could not be sent.",
  CredentialsSignin: "That did not match.",
  SessionRequired: "Please sign in to see this page.",
  Configuration: "Signing in is not working",
  AccessDenied: "Access denied",
  Verification: "This link no longer works",
}
const onErrorPage = new Set(["Configuration", "AccessDenied", "Verification"])
const html = { accept: "text/html" }

describe("a person", () => {
  it.each(cases)(
    "%s and gets %s: is redirected to a page with the value and an explanation",
    async (_, __, value, { options, act, logged }) => {
      const world = await makeWorld(options)
      const browser = world.browser()
      const visit = await act(world, browser)
      const { pathname, searchParams } = new URL(visit.location ?? "")
      expect(visit.status).toBe(302)
      expect(pathname).toBe(onErrorPage.has(value) ? "/auth/error" : "/auth/signin")
      expect(searchParams.get("error")).toBe(value)
      expect(world.errors.map(({ name }) => name)).toEqual([logged])
      const isFault = errorTable[logged as "AuthError"].fault
      expect(searchParams.has("incident")).toBe(isFault)
      expect([...searchParams.keys()].filter((name) => !["error", "incident", "code"].includes(name))).toEqual([])
      const page = await browser.get(visit.location ?? "", html)
      expect(page.text).toContain(texts[value])
      if (isFault) expect(page.text).toContain(searchParams.get("incident"))
    },
  )

  it("who is redirected to the sign-in page by a guard sees why [spec signin-page SessionRequired]", async () => {
    const { browser } = await makeWorld()
    const page = await browser().get("/auth/signin?error=SessionRequired&callbackUrl=%2Finside", html)
    expect(page.status).toBe(200)
    expect(page.text).toContain(texts["SessionRequired"])
  })

  it("sees an error page when the configuration is invalid [spec error-page Configuration]", async () => {
    const { browser, errors } = await makeWorld({ config: { secret: "" } })
    const visit = await browser().get("/auth/signin", html)
    expect(visit.status).toBe(500)
    expect(visit.text).toContain(texts["Configuration"])
    // Once when the service was made, once for this request.
    expect(errors.map(({ name }) => name)).toEqual(["MissingSecret", "MissingSecret"])
  })

  it("who cancelled at the provider comes back to the sign-in page and sees no error [spec signin-page OAuthCallbackError]", async () => {
    const world = await makeWorld()
    const visit = await world.signInAtOp(world.browser(), { extra: { error: "access_denied" } })
    expect(visit.location).toBe("https://app.test/auth/signin?cancelled=true")
    expect(world.errors).toEqual([])
  })
})

describe("a script", () => {
  it.each(cases)(
    "%s and gets %s: receives the value with a correct status [spec errors 5]",
    async (_, __, value, { options, act, status }) => {
      const world = await makeWorld(options)
      const browser = asScript(world.browser())
      const visit = await act(world, browser)
      expect(visit.status).toBe(status)
      const body = JSON.parse(visit.text) as Record<string, string>
      expect(body).toMatchObject({ error: value, message: expect.any(String) })
      expect(
        Object.keys(body).filter((name) => !["error", "message", "incident", "code", "url"].includes(name)),
      ).toEqual([])
      expect(body["incident"] ?? null).toBe(visit.headers.get("x-auth-incident"))
    },
  )
})

/** The same browser, asking as a script does; what begins a sign-in is still followed. */
function asScript(browser: TestBrowser): TestBrowser {
  const headers = { "x-auth-return-redirect": "1" }
  return {
    ...browser,
    get: (path) => browser.get(path, headers),
    async post(path, fields, options) {
      const visit = await browser.post(path, fields, { ...options, headers })
      const { url } = visit.status === 200 ? (JSON.parse(visit.text) as { url?: string }) : {}
      return url === undefined ? visit : { ...visit, location: url }
    },
  }
}
