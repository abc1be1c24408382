/** Users and profiles, from what a provider says to what is stored and what callbacks and clients see. */
import { describe, expect, it } from "vitest"
import { decode } from "../../src/jwt.js"
import { memoryAdapter } from "../../src/memory.js"
import type { AuthConfig } from "../../src/types/config.js"
import { givenTo, recordCalls } from "../support/recorder.js"
import { makeWorld, worldSecret } from "../support/world.js"

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test", picture: "https://op.test/ada.png" }
const shapeOfUser = { id: expect.any(String), name: "Ada", email: "ada@op.test", image: ada.picture }

describe.each(["jwt", "database"] as const)("a user, %s strategy", (strategy) => {
  it("is what the profile callback returns, and reaches callbacks and client [spec user origin] [spec user id] [spec user name] [spec user email] [spec user image]", async () => {
    const seen: Record<string, unknown>[] = []
    const callbacks: AuthConfig["callbacks"] = {
      jwt({ token, user }) {
        if (user) seen.push(user as never)
        return token
      },
      session({ session, user }) {
        if (user) seen.push(user as never)
        return session
      },
    }
    const world = await makeWorld({
      strategy,
      op: { person: ada },
      provider: {
        profile: (claims: typeof ada) => ({ id: claims.sub, name: "Ada", email: claims.email, image: claims.picture }),
      },
      config: { callbacks },
    })
    const browser = world.browser()
    await world.signInAtOp(browser)
    const { user } = (await browser.session()) as { user: object }
    expect(user).toMatchObject({ name: "Ada", email: "ada@op.test", image: ada.picture })
    const stored = await world.adapter.getUserByEmail?.("ada@op.test")
    expect(seen[0]).toMatchObject({ ...shapeOfUser, id: stored?.id })
  })

  it("is shown to the client by name, address and picture without any callback [spec user email]", async () => {
    const world = await makeWorld({ strategy, op: { person: ada } })
    const browser = world.browser()
    await world.signInAtOp(browser)
    const { user } = (await browser.session()) as { user: object }
    expect(user).toEqual({ name: "Ada", email: "ada@op.test", image: ada.picture })
  })

  it("may have only an account [spec user id] [spec user name] [spec user email] [spec user image]", async () => {
    const world = await makeWorld({
      strategy,
      provider: { profile: () => ({ id: 7, name: null, email: null, image: null }) },
    })
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(world.errors).toEqual([])
    expect(await browser.session()).toMatchObject({ user: { name: null, email: null, image: null } })
    const user = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "7" })
    expect(user).toMatchObject({ name: null, email: "", image: null })
  })
})

describe("a stored user", () => {
  it("is created with a new id, name, address and picture [spec adapter-user id] [spec adapter-user name] [spec adapter-user image] [spec adapter-user email]", async () => {
    const { adapter, calls } = recordCalls(memoryAdapter())
    const world = await makeWorld({ adapter, op: { person: ada } })
    await world.signInAtOp(world.browser())
    const first = givenTo(calls, "createUser")
    expect(first).toEqual({ ...shapeOfUser, emailVerified: null })
    world.op.person = { sub: "2", name: "Grace", email: "grace@op.test" }
    await world.signInAtOp(world.browser())
    const second = givenTo(calls, "createUser")
    expect(second).toMatchObject({ name: "Grace" })
    expect([second.id, second.id === "2"]).not.toContain(first.id)
    expect(second.id).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/))
  })

  it("has the empty string for an address that no provider stated [spec adapter-user email] [spec adapter-user stored]", async () => {
    const { adapter, calls } = recordCalls(memoryAdapter())
    const world = await makeWorld({ adapter, op: { person: { sub: "1", name: "Ada" } } })
    await world.signInAtOp(world.browser())
    expect(givenTo(calls, "createUser").email).toBe("")
  })

  it("has a proven address from the first sign-in by e-mail on, with its date [spec adapter-user emailVerified]", async () => {
    const world = await makeWorld({ op: { person: ada } })
    const verified = async (): Promise<Date | null | undefined> =>
      (await world.adapter.getUserByEmail?.("ada@op.test"))?.emailVerified
    await world.signInAtOp(world.browser())
    expect(await verified()).toBeNull()
    const before = Date.now()
    await world.signInByMail(world.browser(), "ada@op.test")
    const first = await verified()
    expect(first?.getTime()).toBeGreaterThanOrEqual(before)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await world.signInByMail(world.browser(), "ada@op.test")
    expect(await verified()).toEqual(first)
    await world.signInByMail(world.browser(), "new@app.test")
    expect((await world.adapter.getUserByEmail?.("new@app.test"))?.emailVerified).toBeInstanceOf(Date)
  })
})

describe("the session token", () => {
  it("holds name, address and picture of whoever signed in [spec jwt content]", async () => {
    const world = await makeWorld({ strategy: "jwt", op: { person: ada } })
    const browser = world.browser()
    await world.signInAtOp(browser)
    const salt = "__Secure-authjs.session-token"
    const claims = await decode({ token: browser.cookie(salt), secret: worldSecret, salt })
    expect(claims).toMatchObject({ name: "Ada", email: "ada@op.test", picture: ada.picture })
  })

  it("has the picture as `image` too in the callback [spec jwt content]", async () => {
    let first: unknown
    const world = await makeWorld({
      strategy: "jwt",
      op: { person: ada },
      config: {
        callbacks: {
          jwt({ token }) {
            first ??= structuredClone(token)
            return token
          },
        },
      },
    })
    await world.signInAtOp(world.browser())
    expect(first).toMatchObject({ name: "Ada", email: "ada@op.test", image: ada.picture })
  })
})
