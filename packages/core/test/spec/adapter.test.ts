/** What each operation of an adapter is called with, and what its answer is used for. No addition of ours is needed. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { optionsOf, passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { type Operation, watched } from "../support/watched.js"
import { makeWorld, type WorldOptions } from "../support/world.js"

const cookie = "__Secure-authjs.session-token"

/** A world on a watched adapter. */
async function stage(options: WorldOptions = {}) {
  const { adapter, calls, callsOf } = watched()
  const world = await makeWorld({ ...options, config: { adapter, ...options.config } })
  const argsOf = (operation: Operation) => callsOf(operation).map(({ args }) => args)
  return {
    ...world,
    adapter,
    calls,
    callsOf,
    argsOf,
    replace: (over: Partial<Adapter>) => Object.assign(adapter, over),
  }
}

describe("users", () => {
  it("createUser gets the whole user, and the id it returns is used [spec adapter createUser]", async () => {
    const { browser, signInAtOp, callsOf, argsOf, replace, adapter } = await stage()
    const { createUser } = adapter
    replace({ createUser: async (user) => (await createUser?.({ ...user, id: "own-1" })) as never })
    await signInAtOp(browser())
    expect(argsOf("createUser")).toEqual([
      [expect.objectContaining({ id: "own-1", name: "Ada", email: "ada@op.test", emailVerified: null })],
    ])
    expect(callsOf("linkAccount")[0]?.args[0]).toMatchObject({ userId: "own-1" })
    expect(callsOf("createSession")[0]?.args[0]).toMatchObject({ userId: "own-1" })
  })

  it("getUser gets an id, and `null` signs nobody in [spec adapter getUser]", async () => {
    const { browser, argsOf, adapter, errors } = await stage({ more: [credentialsProvider()] })
    const refused = await browser().post("/auth/callback/credentials", rightCredentials)
    expect(refused.location).toMatch(/error=Callback/)
    expect(errors[0]?.message).toContain("does not know")
    await adapter.createUser?.({ id: "7", email: "ada@app.test", emailVerified: null })
    const person = browser()
    await person.post("/auth/callback/credentials", rightCredentials)
    expect(argsOf("getUser")).toEqual([["7"], ["7"]])
    expect(await person.session()).not.toBeNull()
  })

  it("getUserByEmail gets the normalised address, and returns its user [spec adapter getUserByEmail]", async () => {
    const { browser, signInAtOp, signInByMail, argsOf, calls } = await stage()
    await signInByMail(browser(), " ADA@op.test ")
    calls.length = 0
    expect((await signInAtOp(browser())).location).toContain("error=OAuthAccountNotLinked")
    expect([...new Set(argsOf("getUserByEmail").flat())]).toEqual(["ada@op.test"])
  })

  it("getUserByAccount gets provider and account id, and returns the owner [spec adapter getUserByAccount]", async () => {
    const { browser, signInAtOp, argsOf, callsOf } = await stage()
    await signInAtOp(browser())
    await signInAtOp(browser())
    const key = { provider: "op", providerAccountId: "person-1" }
    // Before the application is asked, and again where it is written.
    expect(argsOf("getUserByAccount")).toEqual(argsOf("getUserByAccount").map(() => [key]))
    expect(callsOf("createUser")).toHaveLength(1)
    expect(callsOf("createSession")[1]?.args[0]).toMatchObject({
      userId: (callsOf("createUser")[0]?.answer as { id: string } | undefined)?.id,
    })
  })

  it("updateUser gets the id and the changed members [spec adapter updateUser]", async () => {
    const { browser, signInAtOp, signInByMail, argsOf, adapter } = await stage()
    await signInAtOp(browser())
    await signInByMail(browser(), "ada@op.test")
    const user = await adapter.getUserByEmail?.("ada@op.test")
    expect(argsOf("updateUser")).toEqual([[{ id: user?.id, emailVerified: expect.any(Date) }]])
  })

  it("deleteUser is only called for a user whose account could not be stored [spec adapter deleteUser]", async () => {
    const { browser, signInAtOp, signInByMail, callsOf, argsOf, calls, replace, adapter } = await stage()
    await signInByMail(browser(), "eve@app.test")
    expect(argsOf("deleteUser")).toEqual([])
    calls.length = 0
    replace({ linkAccount: () => Promise.reject(new Error("disk full")) })
    const visit = await signInAtOp(browser())
    expect(visit.location).toContain("error=OAuthCreateAccount")
    expect(argsOf("deleteUser")).toEqual(callsOf("createUser").map(({ answer }) => [(answer as { id: string }).id]))
    expect(await adapter.getUserByEmail?.("ada@op.test")).toBeNull()
  })
})

describe("accounts", () => {
  it("linkAccount gets the account with its owner and its tokens [spec adapter linkAccount]", async () => {
    const { browser, signInAtOp, callsOf, adapter } = await stage()
    await signInAtOp(browser())
    const user = await adapter.getUserByEmail?.("ada@op.test")
    expect(callsOf("linkAccount").map(({ args }) => args[0])).toEqual([
      expect.objectContaining({
        userId: user?.id,
        provider: "op",
        providerAccountId: "person-1",
        type: "oidc",
        access_token: expect.any(String),
        token_type: "bearer",
      }),
    ])
  })

  it("unlinkAccount is only called for a passkey that was registered for an address before its owner signed in [spec adapter unlinkAccount]", async () => {
    const { experimental = {} } = passkeyConfig
    const { browser, signInByMail, argsOf, callsOf } = await stage({ more: [Passkey()], config: { experimental } })
    const planted = softwarePasskey()
    await registerPasskey(browser(), planted, "ada@app.test")
    await signInByPasskey(browser(), planted)
    expect(argsOf("unlinkAccount")).toEqual([])
    await signInByMail(browser(), "ada@app.test")
    const { providerAccountId } = (callsOf("createAuthenticator")[0]?.args[0] ?? {}) as { providerAccountId: string }
    expect(argsOf("unlinkAccount")).toEqual([[{ provider: "passkey", providerAccountId }]])
    expect((await signInByPasskey(browser(), planted)).location).toContain("error=Signin")
  })

  it("getAccount gets the account id and the provider, and `null` signs nobody in [spec adapter getAccount]", async () => {
    const { browser, argsOf, replace } = await stage({ config: passkeyConfig })
    const authenticator = softwarePasskey()
    await registerPasskey(browser(), authenticator, "ada@app.test")
    const person = browser()
    await signInByPasskey(person, authenticator)
    expect(await person.session()).not.toBeNull()
    expect(argsOf("getAccount")).toEqual([[expect.any(String), "passkey"]])
    replace({ getAccount: async () => null })
    expect((await signInByPasskey(browser(), authenticator)).location).toContain("error=Signin")
  })
})

describe("sessions", () => {
  it("createSession gets token, owner and end [spec adapter createSession]", async () => {
    const { browser, signInAtOp, argsOf, adapter } = await stage()
    const person = browser()
    const before = Date.now()
    await signInAtOp(person)
    const user = await adapter.getUserByEmail?.("ada@op.test")
    const sessionToken = person.cookie(cookie)
    expect(argsOf("createSession")).toEqual([[{ sessionToken, userId: user?.id, expires: expect.any(Date) }]])
    const [{ expires }] = argsOf("createSession")[0] as [{ expires: Date }]
    expect(expires.getTime() - before).toBeGreaterThanOrEqual(2_592_000_000)
  })

  it("getSessionAndUser returns both in one call [spec adapter getSessionAndUser]", async () => {
    const { browser, signInAtOp, calls } = await stage()
    const person = browser()
    await signInAtOp(person)
    calls.length = 0
    expect(await person.session()).toMatchObject({ user: { name: "Ada" } })
    expect(calls.map(({ operation, args }) => [operation, args])).toEqual([
      ["getSessionAndUser", [person.cookie(cookie)]],
    ])
  })

  it.each(["nothing", "the row"])(
    "updateSession gets token and end, and may return %s [spec adapter updateSession]",
    async (what) => {
      const { browser, signInAtOp, argsOf, replace, adapter } = await stage({ config: { session: { updateAge: 0 } } })
      const { updateSession } = adapter
      if (what === "nothing") replace({ updateSession: async (row) => void (await updateSession?.(row)) as never })
      const person = browser()
      await signInAtOp(person)
      const { expires } = (await person.session()) as { expires: string }
      expect(argsOf("updateSession")).toEqual([[{ sessionToken: person.cookie(cookie), expires: new Date(expires) }]])
      expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 2_591_000_000)
    },
  )

  it("deleteSession gets the token, and the row it returns is passed to the event [spec adapter deleteSession]", async () => {
    const { browser, signInAtOp, argsOf, events } = await stage()
    const person = browser()
    await signInAtOp(person)
    const sessionToken = person.cookie(cookie)
    await person.post("/auth/signout")
    expect(argsOf("deleteSession")).toEqual([[sessionToken]])
    expect(events.at(-1)).toEqual(["signOut", { session: expect.objectContaining({ sessionToken }) }])
  })
})

describe("tokens of links", () => {
  it("createVerificationToken gets address, hash and end, useVerificationToken address and hash [spec adapter createVerificationToken] [spec adapter useVerificationToken]", async () => {
    const { browser, signInByMail, argsOf, mails } = await stage()
    const person = browser()
    await signInByMail(person, "ada@app.test")
    const [{ token }] = argsOf("createVerificationToken")[0] as [{ token: string }]
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(token).not.toBe(mails[0]?.token)
    const identifier = "ada@app.test"
    expect(argsOf("createVerificationToken")).toEqual([[{ identifier, token, expires: mails[0]?.expires }]])
    expect(argsOf("useVerificationToken")).toEqual([[{ identifier, token }]])
    expect(await person.session()).not.toBeNull()
  })

  it("`null` of useVerificationToken signs nobody in [spec adapter useVerificationToken]", async () => {
    const { browser, signInByMail, replace } = await stage()
    replace({ useVerificationToken: async () => null })
    expect((await signInByMail(browser(), "ada@app.test")).location).toContain("error=Verification")
  })
})

describe("authenticators", () => {
  it("createAuthenticator gets the authenticator with its owner [spec adapter createAuthenticator]", async () => {
    const { browser, argsOf, adapter } = await stage({ config: passkeyConfig })
    await registerPasskey(browser(), softwarePasskey(), "ada@app.test")
    const user = await adapter.getUserByEmail?.("ada@app.test")
    expect(argsOf("createAuthenticator")).toEqual([
      [
        {
          credentialID: expect.any(String),
          credentialPublicKey: expect.any(String),
          counter: 0,
          credentialDeviceType: "singleDevice",
          credentialBackedUp: false,
          transports: "internal,hybrid",
          providerAccountId: expect.any(String),
          userId: user?.id,
        },
      ],
    ])
  })

  it("getAuthenticator gets the stored id, and updateAuthenticatorCounter gets the new counter [spec adapter getAuthenticator] [spec adapter updateAuthenticatorCounter]", async () => {
    const { browser, argsOf, calls, callsOf } = await stage({ config: passkeyConfig })
    const authenticator = softwarePasskey()
    await registerPasskey(browser(), authenticator, "ada@app.test")
    const { credentialID } = (callsOf("createAuthenticator")[0]?.args[0] ?? {}) as { credentialID: string }
    calls.length = 0
    const person = browser()
    await signInByPasskey(person, authenticator)
    // Once for the key, and once right before the counter is stored, which another response may have raised meanwhile.
    expect(argsOf("getAuthenticator")).toEqual([[credentialID], [credentialID]])
    expect(argsOf("updateAuthenticatorCounter")).toEqual([[credentialID, 1]])
    expect(await person.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })

  it("`null` of getAuthenticator signs nobody in [spec adapter getAuthenticator]", async () => {
    const { browser, replace } = await stage({ config: passkeyConfig })
    const authenticator = softwarePasskey()
    await registerPasskey(browser(), authenticator, "ada@app.test")
    replace({ getAuthenticator: async () => null })
    expect((await signInByPasskey(browser(), authenticator)).location).toBe("https://app.test/auth/signin?error=Signin")
  })

  it("listAuthenticatorsByUserId gets an id; an empty list excludes no credential [spec adapter listAuthenticatorsByUserId]", async () => {
    const { browser, argsOf, adapter, replace } = await stage({ config: passkeyConfig })
    const person = browser()
    await registerPasskey(person, softwarePasskey(), "ada@app.test")
    const user = await adapter.getUserByEmail?.("ada@app.test")
    const { options } = await optionsOf(person, { action: "register" })
    expect(argsOf("listAuthenticatorsByUserId")).toEqual([[user?.id]])
    expect(options["excludeCredentials"]).toHaveLength(1)
    replace({ listAuthenticatorsByUserId: async () => [] })
    expect((await optionsOf(person, { action: "register" })).options["excludeCredentials"]).toEqual([])
  })
})
