/** The class of errors, what an application throws, and what callers receive. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { AuthError, CredentialsSignin } from "../../src/errors.js"
import type { AdapterUser } from "../../src/types/identity.js"
import type { TestBrowser } from "../support/browser.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { optionsOf, passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { type Operation, watched } from "../support/watched.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

class Locked extends CredentialsSignin {
  override code = "locked"
}

/** As code without types writes it: the list of types is closed. */
class Banned extends CredentialsSignin {
  static override type = "Banned" as "CredentialsSignin"
  override code = "banned"
}

describe("an error of the service", () => {
  it("reaches the log with message, name, stack, type and the error below [spec auth-error fields]", async () => {
    const below = new TypeError("the directory is down")
    const authorize = (): never => {
      throw below
    }
    const world = await makeWorld({ strategy: "jwt", more: [credentialsProvider(authorize)] })
    await world.browser().post("/auth/callback/credentials", rightCredentials)
    const [error] = world.errors as AuthError[]
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: "CallbackRouteError",
      type: "CallbackRouteError",
      message: "`authorize` failed.",
    })
    expect(error?.stack).toContain("CallbackRouteError")
    expect(error?.cause?.err).toMatchObject({ name: "TypeError", message: "the directory is down" })
  })

  it("holds nothing of the password that a message of the database repeats", { tags: ["threat:A-012"] }, async () => {
    const password = "correct horse"
    const query = `Failed query: select * from users where password = crypt($1, password)\nparams: ${password}`
    const world = await makeWorld({
      strategy: "jwt",
      more: [credentialsProvider(() => Promise.reject(new Error(query)))],
    })
    await world.browser().post("/auth/callback/credentials", { name: "ada", password })
    const [error] = world.errors as AuthError[]
    expect(error?.cause?.err?.message).toMatch(/^Failed query: .*\nparams: \[redacted\]$/)
  })

  it("is made from an optional message or options, and optional options [spec auth-error constructor]", () => {
    const err = new TypeError("below")
    expect(new AuthError()).toMatchObject({ message: "", name: "AuthError", type: "AuthError" })
    expect(new AuthError("why")).toMatchObject({ message: "why" })
    expect(new AuthError({ cause: { err } }).cause).toEqual({ err })
    expect(new AuthError("why", { cause: { err } })).toMatchObject({ message: "why", cause: { err } })
  })
})

describe("CredentialsSignin", () => {
  const world = (thrown: () => Error | null) =>
    makeWorld({
      strategy: "jwt",
      more: [
        credentialsProvider(() => {
          const error = thrown()
          if (error) throw error
          return null
        }),
      ],
    })

  it.each([
    ["the class", () => new CredentialsSignin("wrong password of ada"), "credentials"],
    ["a subclass with a code of its own", () => new Locked(), "locked"],
    ["a subclass with a type of its own", () => new Banned(), "banned"],
    ["`null`", () => null, "credentials"],
  ])(
    "redirects to the sign-in page with its code: %s [spec credentials-signin 1] [spec credentials-signin code] [spec authentication 7]",
    async (_, thrown, code) => {
      const { browser } = await world(thrown)
      const person = browser()
      const visit = await person.post("/auth/callback/credentials", rightCredentials)
      expect(visit.location).toBe(`https://app.test/auth/signin?error=CredentialsSignin&code=${code}`)
      expect(await person.session()).toBeNull()
    },
  )

  it("has static members and a code that a subclass sets [spec credentials-signin code]", () => {
    expect([CredentialsSignin.type, CredentialsSignin.kind]).toEqual(["CredentialsSignin", "signIn"])
    expect(new CredentialsSignin()).toMatchObject({ code: "credentials", type: "CredentialsSignin" })
    expect(new Locked()).toMatchObject({ code: "locked", type: "CredentialsSignin" })
    expect(new Locked()).toBeInstanceOf(AuthError)
  })

  it("is thrown to a caller in this process [spec credentials-signin 2]", async () => {
    const { auth } = await world(() => new Locked())
    const source = { url: "https://app.test/login", headers: new Headers() }
    const call = auth.signIn(source, "credentials", { fields: rightCredentials })
    await expect(call).rejects.toBeInstanceOf(Locked)
    await expect(call).rejects.toMatchObject({ code: "locked" })
  })

  it("shows only its code outside, and everything in the log [spec credentials-signin 3]", async () => {
    const { browser, errors } = await world(() => new CredentialsSignin("wrong password of ada"))
    const headers = { "x-auth-return-redirect": "1" }
    const visit = await browser().post("/auth/callback/credentials", rightCredentials, { headers })
    expect(visit.status).toBe(401)
    expect(JSON.parse(visit.text)).toMatchObject({ error: "CredentialsSignin", code: "credentials" })
    expect(visit.text).not.toContain("wrong password")
    expect(errors.map(({ message }) => message)).toEqual(["wrong password of ada"])
  })
})

describe("an operation that the adapter does not have", () => {
  const byPasskey = async ({ browser }: World, before: () => void) => {
    const authenticator = softwarePasskey()
    await registerPasskey(browser(), authenticator, "ada@app.test")
    before()
    return signInByPasskey(browser(), authenticator)
  }
  const cases: readonly [
    Operation,
    WorldOptions,
    (world: World, before: () => void) => Promise<{ status: number; location: string | undefined }>,
  ][] = [
    ["createUser", {}, (world) => world.signInAtOp(world.browser())],
    ["getUserByAccount", {}, (world) => world.signInAtOp(world.browser())],
    ["getUserByEmail", {}, (world) => world.signInByMail(world.browser(), "ada@app.test")],
    ["linkAccount", {}, (world) => world.signInAtOp(world.browser())],
    ["createSession", {}, (world) => world.signInAtOp(world.browser())],
    ["createVerificationToken", {}, (world) => world.signInByMail(world.browser(), "ada@app.test")],
    ["useVerificationToken", {}, (world) => world.signInByMail(world.browser(), "ada@app.test")],
    [
      "getUser",
      { more: [credentialsProvider()] },
      (world) => world.browser().post("/auth/callback/credentials", rightCredentials),
    ],
    [
      "updateUser",
      {},
      async (world) => {
        await world.signInAtOp(world.browser())
        return world.signInByMail(world.browser(), "ada@op.test")
      },
    ],
    ["createAuthenticator", { config: passkeyConfig }, byPasskey],
    ["getAuthenticator", { config: passkeyConfig }, byPasskey],
    ["getAccount", { config: passkeyConfig }, byPasskey],
    ["updateAuthenticatorCounter", { config: passkeyConfig }, byPasskey],
  ]
  it.each(cases)(
    "fails when it is called, and a person sees an error: %s [spec errors 3] [spec adapter operations]",
    async (operation, options, act) => {
      const { adapter } = watched()
      if (operation === "createAuthenticator" || options.config !== passkeyConfig) delete adapter[operation]
      const world = await makeWorld({ ...options, config: { adapter, ...options.config } })
      expect(world.errors).toEqual([])
      const visit = await act(world, () => delete adapter[operation])
      expect(visit.location).toMatch(/^https:\/\/app\.test\/auth\/(signin|error)\?error=/)
      const reported = world.errors.map(
        ({ message, cause }) => `${message} ${(cause as { err?: Error })?.err?.message ?? ""}`,
      )
      expect(reported.join()).toContain(`"${operation}"`)
      const browser = world.browser()
      expect((await browser.get(visit.location ?? "", { accept: "text/html" })).text).toMatch(
        /role="alert"|not working/,
      )
    },
  )
})

it.each([
  ["getSessionAndUser", 500, (browser: TestBrowser) => browser.get("/auth/session")],
  ["deleteSession", 302, (browser: TestBrowser) => browser.post("/auth/signout")],
] as const)(
  "without the operation %s a session cannot be read or ended, which is reported [spec errors 3]",
  async (operation, status, act) => {
    const { adapter } = watched()
    const world = await makeWorld({ config: { adapter } })
    const person = world.browser()
    await world.signInAtOp(person)
    delete adapter[operation]
    const visit = await act(person)
    expect(visit.status).toBe(status)
    expect(visit.location ?? visit.text).toContain("Configuration")
    const reported = world.errors.map(
      ({ message, cause }) => `${message} ${(cause as { err?: Error })?.err?.message ?? ""}`,
    )
    expect(reported.join()).toContain(`"${operation}"`)
  },
)

it("without the operation listAuthenticatorsByUserId no credential is excluded from a registration, and an error is reported [spec errors 3]", async () => {
  const { adapter } = watched()
  const world = await makeWorld({ config: { ...passkeyConfig, adapter } })
  const person = world.browser()
  await registerPasskey(person, softwarePasskey(), "ada@app.test")
  delete adapter.listAuthenticatorsByUserId
  const visit = await person.get("/auth/webauthn-options/passkey?action=register")
  expect(visit.status).toBe(500)
  expect(JSON.parse(visit.text)).toMatchObject({ error: "Configuration" })
  expect(world.errors.map(({ message }) => message).join()).toContain('"listAuthenticatorsByUserId"')
})

it("an adapter needs no more operations than are called, and may answer at once [spec adapter operations]", async () => {
  const users = new Map<string, AdapterUser>()
  const adapter = {
    createUser: (user: AdapterUser) => users.set(user.id, user).get(user.id) as AdapterUser,
    getUserByAccount: () => [...users.values()][0] ?? null,
    getUserByEmail: () => null,
    linkAccount: () => undefined,
  }
  const world = await makeWorld({ strategy: "jwt", adapter })
  const person = world.browser()
  await world.signInAtOp(person)
  expect(world.errors).toEqual([])
  expect(await person.session()).toMatchObject({ user: { name: "Ada" } })
})

describe("an operation that has to throw on failure", () => {
  const down = () => Promise.reject(new Error("store down"))
  const register = (world: World) => registerPasskey(world.browser(), softwarePasskey(), "ada@app.test")

  it("createAuthenticator: nobody is registered [spec errors 4]", async () => {
    const { adapter } = watched()
    const world = await makeWorld({
      config: { ...passkeyConfig, adapter: Object.assign(adapter, { createAuthenticator: down }) },
    })
    const visit = await register(world)
    expect(visit.location).toContain("https://app.test/auth/signin?error=")
    expect(visit.setCookies).not.toContain("__Secure-authjs.session-token")
    expect(await adapter.getUserByEmail?.("ada@app.test")).toBeNull()
  })

  it("updateAuthenticatorCounter: nobody is signed in [spec errors 4]", async () => {
    const { adapter } = watched()
    const world = await makeWorld({ config: { ...passkeyConfig, adapter } })
    const authenticator = softwarePasskey()
    await registerPasskey(world.browser(), authenticator, "ada@app.test")
    Object.assign(adapter, { updateAuthenticatorCounter: down })
    const person = world.browser()
    expect((await signInByPasskey(person, authenticator)).location).toContain("error=Callback")
    expect(await person.session()).toBeNull()
  })

  it("listAuthenticatorsByUserId: no options are answered [spec errors 4]", async () => {
    const { adapter } = watched()
    const world = await makeWorld({ config: { ...passkeyConfig, adapter } })
    const person: TestBrowser = world.browser()
    await registerPasskey(person, softwarePasskey(), "ada@app.test")
    Object.assign(adapter, { listAuthenticatorsByUserId: down })
    expect(await optionsOf(person, { action: "register" })).not.toHaveProperty("options")
    expect(world.errors.map(({ name }) => name)).toEqual(["AdapterError"])
  })
})
