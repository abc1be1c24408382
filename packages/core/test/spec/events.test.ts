/** The six events and what their messages hold. */
import { describe, expect, it, vi } from "vitest"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { makeWorld, type World } from "../support/world.js"

const messagesOf = ({ events }: World, kind: string) =>
  events.filter(([name]) => name === kind).map(([, reported]) => reported)

it("createUser gets the user that was stored [spec event createUser]", async () => {
  const world = await makeWorld()
  await world.signInAtOp(world.browser())
  await world.signInAtOp(world.browser())
  const user = await world.adapter.getUserByEmail?.("ada@op.test")
  expect(messagesOf(world, "createUser")).toEqual([{ user }])
})

it("updateUser gets the user whose address was proven [spec event updateUser]", async () => {
  const world = await makeWorld()
  await world.signInAtOp(world.browser())
  expect(messagesOf(world, "updateUser")).toEqual([])
  await world.signInByMail(world.browser(), "ada@op.test")
  await world.signInByMail(world.browser(), "ada@op.test")
  const user = await world.adapter.getUserByEmail?.("ada@op.test")
  expect(messagesOf(world, "updateUser")).toEqual([{ user }])
  expect(user?.emailVerified).toBeInstanceOf(Date)
})

it("linkAccount gets user, account and profile [spec event linkAccount]", async () => {
  const world = await makeWorld()
  await world.signInAtOp(world.browser())
  const user = await world.adapter.getUserByEmail?.("ada@op.test")
  expect(messagesOf(world, "linkAccount")).toEqual([
    {
      user,
      account: expect.objectContaining({
        provider: "op",
        providerAccountId: "person-1",
        type: "oidc",
        userId: user?.id,
        access_token: expect.any(String),
      }),
      profile: expect.objectContaining({ name: "Ada", email: "ada@op.test" }),
    },
  ])
})

describe("session", () => {
  it.each([
    ["token", "jwt"],
    ["session", "database"],
  ] as const)("gets only the %s, %s strategy [spec event session]", async (member, strategy) => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    await browser.session()
    await world.signInAtOp(browser)
    expect(messagesOf(world, "session")).toEqual([])
    const session = await browser.session()
    const reported = messagesOf(world, "session")
    expect(reported.map((message) => Object.keys(message))).toEqual([[member]])
    expect(reported[0]).toMatchObject(
      strategy === "jwt" ? { token: { email: "ada@op.test" } } : { session: session as object },
    )
  })
})

describe("signIn", () => {
  it("gets user, account, profile and whether the user is new [spec event signIn]", async () => {
    const world = await makeWorld()
    await world.signInAtOp(world.browser())
    await world.signInAtOp(world.browser())
    const user = await world.adapter.getUserByEmail?.("ada@op.test")
    const reported = messagesOf(world, "signIn")
    expect(reported.map(({ isNewUser }) => isNewUser)).toEqual([true, false])
    for (const message of reported) {
      expect(message).toMatchObject({
        user: { id: user?.id },
        account: { provider: "op", providerAccountId: "person-1", type: "oidc" },
        profile: { sub: "person-1" },
      })
    }
  })

  it("gets no profile and no `isNewUser` where there is none [spec event signIn]", async () => {
    const world = await makeWorld({ adapter: false })
    await world.signInAtOp(world.browser())
    expect(Object.keys(messagesOf(world, "signIn")[0] ?? {})).toEqual(["user", "account", "profile"])
  })

  it.each([
    ["with a number for an id", { id: 7, name: "Ada" }, "7"],
    ["without an id", { name: "Ada" }, expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ])("gets what `authorize` returned %s, unchanged [spec event signIn]", async (_, raw, providerAccountId) => {
    const world = await makeWorld({ strategy: "jwt", more: [credentialsProvider(() => raw)] })
    await world.browser().post("/auth/callback/credentials", rightCredentials)
    const [message] = messagesOf(world, "signIn")
    expect(message?.["user"]).toBe(raw)
    expect(message?.["account"]).toMatchObject({ providerAccountId })
  })

  it("gets what `authorize` returned, unchanged [spec event signIn]", async () => {
    const raw = { id: "7", name: "Ada", badge: { level: 3 } }
    const world = await makeWorld({ strategy: "jwt", more: [credentialsProvider(() => raw)] })
    await world.browser().post("/auth/callback/credentials", rightCredentials)
    const [message] = messagesOf(world, "signIn")
    expect(message).toEqual({
      user: raw,
      account: { provider: "credentials", providerAccountId: "7", type: "credentials" },
    })
  })
})

describe("signOut", () => {
  it("gets the token that ended, jwt strategy [spec event signOut]", async () => {
    const world = await makeWorld({ strategy: "jwt" })
    const browser = world.browser()
    await world.signInAtOp(browser)
    await browser.post("/auth/signout")
    const [message] = messagesOf(world, "signOut")
    expect(Object.keys(message ?? {})).toEqual(["token"])
    expect(message).toMatchObject({ token: { email: "ada@op.test", sub: expect.any(String) } })
  })

  it("gets the row that ended, database strategy [spec event signOut]", async () => {
    const world = await makeWorld({ strategy: "database" })
    const browser = world.browser()
    await world.signInAtOp(browser)
    const sessionToken = browser.cookie("__Secure-authjs.session-token")
    await browser.post("/auth/signout")
    expect(messagesOf(world, "signOut")).toEqual([
      { session: { sessionToken, userId: expect.any(String), expires: expect.any(Date) } },
    ])
  })
})

it("handlers are asynchronous, waited for in order, and what they return changes nothing [spec event handlers]", async () => {
  const reported: string[] = []
  const outside = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no event leaves the process"))
  const handler = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    reported.push(name)
    return { user: null, redirect: "https://elsewhere.test" } as never
  }
  const names = ["createUser", "linkAccount", "signIn", "session", "signOut"] as const
  const events = Object.fromEntries(names.map((name) => [name, handler(name)]))
  const world = await makeWorld({ config: { events } })
  const browser = world.browser()
  expect((await world.signInAtOp(browser)).location).toBe("https://app.test/")
  expect(reported).toEqual(["createUser", "linkAccount", "signIn"])
  expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  await browser.post("/auth/signout")
  expect(reported.slice(3)).toEqual(["session", "signOut"])
  expect(outside).not.toHaveBeenCalled()
  outside.mockRestore()
})

it("a handler that fails changes nothing, and is logged [spec event signIn]", { tags: ["threat:CF2-17"] }, async () => {
  const world = await makeWorld({
    config: {
      events: {
        signIn: async () => {
          throw new Error("audit is down")
        },
      },
    },
  })
  const browser = world.browser()
  expect((await world.signInAtOp(browser)).location).toBe("https://app.test/")
  expect(await browser.session()).not.toBeNull()
  expect(world.errors.map(({ name }) => name)).toEqual(["EventError"])
})
