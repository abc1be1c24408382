/** The four callbacks, asked by the whole engine. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { AccessDenied, AuthError, CredentialsSignin, OAuthAccountNotLinked, Verification } from "../../src/errors.js"
import type { CallbacksOptions } from "../../src/types/hooks.js"
import type { TestBrowser, Visit } from "../support/browser.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { passkeyConfig, registerPasskey } from "../support/passkeys.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

type Asked = Record<string, unknown>

const update = (browser: TestBrowser, data: unknown): Promise<Visit> =>
  browser.post("/auth/session", { data } as never, { json: true })

describe("the jwt callback", () => {
  const world = async (answer: CallbacksOptions["jwt"]) => {
    const asked: Asked[] = []
    const callbacks: Partial<CallbacksOptions> = {
      jwt: (params) => {
        asked.push({ ...params, token: { ...params.token } })
        return answer(params)
      },
      session: ({ session, token }) => ({ ...session, colour: token["colour"] }) as never,
    }
    return { asked, ...(await makeWorld({ strategy: "jwt", config: { callbacks } })) }
  }

  it("is called at sign-in with user, account and profile, at access with the token only; what it returns is kept [spec callback jwt]", async () => {
    const { asked, ...rest } = await world(({ token, user }) => (user ? { ...token, colour: "red" } : token))
    const browser = rest.browser()
    await rest.signInAtOp(browser)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({
      token: { name: "Ada", email: "ada@op.test" },
      user: { email: "ada@op.test" },
      account: { provider: "op", providerAccountId: "person-1", type: "oidc", access_token: expect.any(String) },
      profile: { sub: "person-1" },
      trigger: "signUp",
      isNewUser: true,
    })
    expect(await browser.session()).toMatchObject({ colour: "red" })
    expect(Object.keys(asked[1] ?? {})).toEqual(["token"])
    expect(asked[1]).toMatchObject({ token: { colour: "red" } })
  })

  it("gets what a client sent as an update, and what it returns is kept [spec callback jwt]", async () => {
    const { asked, ...rest } = await world(({ token, trigger, session }) =>
      trigger === "update" ? { ...token, colour: session?.["colour"] } : token,
    )
    const browser = rest.browser()
    await rest.signInAtOp(browser)
    await update(browser, { colour: "blue" })
    expect(asked[1]).toMatchObject({ trigger: "update", session: { colour: "blue" } })
    expect(await browser.session()).toMatchObject({ colour: "blue" })
  })

  it("ends the session by returning `null` [spec callback jwt]", async () => {
    const { signInAtOp, ...rest } = await world(({ token, user }) => (user ? token : null))
    const browser = rest.browser()
    await signInAtOp(browser)
    expect(browser.cookie("__Secure-authjs.session-token")).toBeDefined()
    expect(await browser.session()).toBeNull()
    expect(browser.cookie("__Secure-authjs.session-token")).toBeUndefined()
  })
})

describe("the redirect callback", () => {
  it("is called with the address that the client wants and the origin, at sign-in and at sign-out [spec callback redirect]", async () => {
    const asked: unknown[] = []
    const redirect: CallbacksOptions["redirect"] = (params) => {
      asked.push(params)
      return `https://shop.test${params.url}`
    }
    const { signInAtOp, ...world } = await makeWorld({ config: { callbacks: { redirect } } })
    const browser = world.browser()
    expect((await signInAtOp(browser, { callbackUrl: "/inbox" })).location).toBe("https://shop.test/inbox")
    expect(asked).toContainEqual({ url: "/inbox", baseUrl: "https://app.test" })
    expect((await browser.post("/auth/signout", { callbackUrl: "/bye" })).location).toBe("https://shop.test/bye")
    expect(asked).toContainEqual({ url: "/bye", baseUrl: "https://app.test" })
  })

  it("is called with the origin where no address was given [spec callback redirect]", async () => {
    const asked: unknown[] = []
    const redirect: CallbacksOptions["redirect"] = (params) => {
      asked.push(params)
      return `${params.baseUrl}/dashboard`
    }
    const { auth, signInAtOp, ...world } = await makeWorld({ config: { callbacks: { redirect } } })
    const browser = world.browser()
    expect((await signInAtOp(browser)).location).toBe("https://app.test/dashboard")
    expect((await browser.post("/auth/signout", {})).location).toBe("https://app.test/dashboard")
    const source = { url: "https://app.test/login", headers: new Headers() }
    expect((await auth.signOut(source)).redirect).toBe("https://app.test/dashboard")
    expect(asked[0]).toEqual({ url: "https://app.test", baseUrl: "https://app.test" })
  })

  it("is not called for configured pages, for providers, or for where the signIn callback redirects [spec callback redirect]", async () => {
    const redirect: CallbacksOptions["redirect"] = ({ baseUrl }) => `${baseUrl}/asked`
    const callbacks = { redirect, signIn: () => "https://other.test/join" }
    const pages = { signOut: "/leave" }
    const { op, signInAtOp, ...world } = await makeWorld({ config: { callbacks, pages } })
    const browser = world.browser()
    expect((await browser.post("/auth/signin/op", {})).location).toMatch(new RegExp(`^${op.issuer}/`))
    expect((await signInAtOp(browser)).location).toBe("https://other.test/join")
    expect((await browser.get("/auth/signout")).location).toBe("https://app.test/leave")
  })

  it.each([
    ["/inbox?x=1", "https://app.test/inbox?x=1"],
    ["https://app.test/inbox", "https://app.test/inbox"],
    ["https://evil.test/inbox", "https://app.test/"],
    ["https://app.test.evil.test/", "https://app.test/"],
    ["//evil.test", "https://app.test/"],
  ])(
    "allows only the own origin by default: %s leads to %s [spec callback redirect]",
    async (callbackUrl, expected) => {
      const { signInAtOp, browser } = await makeWorld()
      expect((await signInAtOp(browser(), { callbackUrl })).location).toBe(expected)
    },
  )
})

describe.each(["jwt", "database"] as const)("the session callback, %s strategy", (strategy) => {
  it("is called at every read and update, and what it returns is what the client sees [spec callback session]", async () => {
    const asked: Asked[] = []
    const session: CallbacksOptions["session"] = (params) => {
      asked.push({ ...params })
      return { expires: params.session.expires, user: { name: "shown" }, extra: 1 } as never
    }
    const { signInAtOp, ...world } = await makeWorld({ strategy, config: { callbacks: { session } } })
    const browser = world.browser()
    await signInAtOp(browser)
    expect(await browser.session()).toEqual({ expires: expect.any(String), user: { name: "shown" }, extra: 1 })
    const who = strategy === "jwt" ? "token" : "user"
    expect(Object.keys(asked[0] ?? {})).toEqual(["session", who])
    expect(asked[0]).toMatchObject({ session: { user: { name: "Ada" } }, [who]: { email: "ada@op.test" } })
    expect(JSON.parse((await update(browser, { colour: "blue" })).text)).toMatchObject({ user: { name: "shown" } })
    expect(asked[1]).toMatchObject({ newSession: { colour: "blue" }, trigger: "update" })
  })

  it("shows only name, address and image by default [spec callback session]", async () => {
    const jwt: CallbacksOptions["jwt"] = ({ token }) => ({ ...token, secret: "s" })
    const { signInAtOp, ...world } = await makeWorld({ strategy, config: { callbacks: { jwt } } })
    const browser = world.browser()
    await signInAtOp(browser)
    const { user, ...rest } = (await browser.session()) as { user: object }
    expect(Object.keys(rest)).toEqual(["expires"])
    expect(user).toMatchObject({ name: "Ada", email: "ada@op.test" })
    expect(["name", "email", "image"]).toEqual(expect.arrayContaining(Object.keys(user)))
  })
})

/** A sign-in with each kind of provider, up to where the callback is asked. */
const ways: readonly [string, WorldOptions, (world: World, browser: TestBrowser) => Promise<Visit>, object][] = [
  ["oidc", {}, (world, browser) => world.signInAtOp(browser), { profile: { sub: "person-1" } }],
  [
    "oauth",
    {
      provider: {
        type: "oauth",
        authorization: "https://op.test/authorize",
        token: "https://op.test/token",
        userinfo: "https://op.test/userinfo",
        profile: (profile: { sub: string; name: string; email: string }) => ({ ...profile, id: profile.sub }),
      },
    },
    (world, browser) => world.signInAtOp(browser),
    { profile: { sub: "person-1" } },
  ],
  [
    "email, link asked for",
    {},
    (_, browser) => browser.post("/auth/signin/mail", { email: "ada@app.test" }),
    { email: { verificationRequest: true }, account: { type: "email" } },
  ],
  [
    "credentials",
    { strategy: "jwt", more: [credentialsProvider()] },
    (_, browser) => browser.post("/auth/callback/credentials", rightCredentials),
    { credentials: rightCredentials, account: { type: "credentials" } },
  ],
  [
    "webauthn",
    { config: passkeyConfig },
    (_, browser) => registerPasskey(browser, softwarePasskey(), "ada@app.test"),
    { account: { type: "webauthn" } },
  ],
]

type Refusal = [name: string, answer: () => boolean | string, location: string, message: string | undefined]

describe.each(ways)("the signIn callback, %s", (_, options, signIn, expected) => {
  const world = (answer: CallbacksOptions["signIn"]) =>
    makeWorld({ ...options, config: { ...options.config, callbacks: { signIn: answer } } })

  it("gets the person who signs in, and admits them with `true` [spec callback signIn]", async () => {
    const asked: Asked[] = []
    const given = await world((params) => asked.push({ ...params }) > 0)
    const visit = await signIn(given, given.browser())
    expect(visit.location).not.toContain("error=")
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ user: expect.any(Object), account: expect.any(Object), ...expected })
    expect("email" in (asked[0] ?? {})).toBe("email" in expected)
  })

  const refusals: readonly Refusal[] = [
    ["false", () => false, "https://app.test/auth/error?error=AccessDenied", "The signIn callback refused."],
    [
      "a throw",
      () => {
        throw new Error("not on the list")
      },
      "https://app.test/auth/error?error=AccessDenied",
      "not on the list",
    ],
    ...[AuthError, CredentialsSignin, OAuthAccountNotLinked, Verification, AccessDenied].map(
      (Thrown): Refusal => [
        `a throw of ${Thrown.type}`,
        () => {
          throw new Thrown("not on the list")
        },
        "https://app.test/auth/error?error=AccessDenied",
        "not on the list",
      ],
    ),
    [
      "nothing returned",
      () => undefined as never,
      "https://app.test/auth/error?error=AccessDenied",
      "The signIn callback: expected true, false or a URL as a string, received undefined. Return true to allow the sign-in, false to refuse it.",
    ],
    ["a path", () => "/join?x=1", "https://app.test/join?x=1", undefined],
    ["an address", () => "https://other.test/join", "https://other.test/join", undefined],
  ]
  it.each(refusals)(
    "stops the sign-in with %s and redirects [spec callback signIn] [spec errors 1]",
    async (_, answer, location, message) => {
      const given = await world(answer)
      const browser = given.browser()
      const visit = await signIn(given, browser)
      expect(visit.location).toBe(location)
      expect(await browser.session()).toBeNull()
      expect(given.mails).toEqual([])
      expect(given.errors.map((error) => [error.name, error.message])).toEqual(
        message ? [["AccessDenied", message]] : [],
      )
    },
  )
})

describe("the signIn callback when a link is followed", () => {
  it("is called again without `verificationRequest` [spec callback signIn]", async () => {
    const asked: Asked[] = []
    const signIn: CallbacksOptions["signIn"] = (params) => asked.push({ ...params }) > 0
    const world = await makeWorld({ config: { callbacks: { signIn } } })
    await world.signInByMail(world.browser(), "ada@app.test")
    expect(asked).toHaveLength(2)
    expect(asked[0]).toMatchObject({ email: { verificationRequest: true } })
    expect(asked[1]).not.toHaveProperty("email")
  })

  it.each([
    ["false", false, "https://app.test/auth/error?error=AccessDenied"],
    ["a path", "/join", "https://app.test/join"],
  ] as const)("stops the sign-in there as well: %s [spec callback signIn]", async (_, answer, location) => {
    const signIn: CallbacksOptions["signIn"] = ({ email }) => (email?.verificationRequest ? true : answer)
    const world = await makeWorld({ config: { callbacks: { signIn } } })
    const browser = world.browser()
    expect((await world.signInByMail(browser, "ada@app.test")).location).toBe(location)
    expect(await browser.session()).toBeNull()
  })
})
