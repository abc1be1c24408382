/** The jwt callback wherever it is called: once for a request, its result is kept, its failure is named. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it, vi } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Cookie } from "../../src/types/config.js"
import type { CallbacksOptions } from "../../src/types/hooks.js"
import type { TestBrowser } from "../support/browser.js"
import { optionsOf } from "../support/passkeys.js"
import { makeWorld, type WorldOptions } from "../support/world.js"

type JWTCallback = CallbacksOptions["jwt"]

/** As with tokens of a provider that may be used once: each call exchanges the one of the token, and the old one is void. */
function rotation() {
  let current = 0
  const asked: number[] = []
  const jwt: JWTCallback = ({ token, user }) => {
    if (user) return { ...token, refresh: current }
    asked.push(Number(token["refresh"]))
    if (token["refresh"] !== current) throw new Error("the refresh token was used before")
    current += 1
    return { ...token, refresh: current }
  }
  return { jwt, asked }
}

const sessionOf: CallbacksOptions["session"] = ({ session, token }) => ({ ...session, refresh: token["refresh"] })

async function stage(jwt: JWTCallback, provider: WorldOptions["provider"] = {}) {
  const adapter = memoryAdapter()
  const world = await makeWorld({
    adapter,
    strategy: "jwt",
    provider,
    more: [Passkey()],
    config: { callbacks: { jwt, session: sessionOf }, experimental: { enableWebAuthn: true } },
  })
  return { adapter, world }
}

/** The request of a browser, for calls in this process. */
function sourceOf({ jar }: TestBrowser) {
  const cookie = [...jar].map(([name, { value }]) => `${name}=${value}`).join("; ")
  return { url: "https://app.test/", headers: { cookie } }
}

describe("a token that the jwt callback changes", () => {
  it("is kept when a sign-in is refused, and exchanged once in it [spec callback jwt]", {
    tags: ["threat:SF-14"],
  }, async () => {
    const { jwt, asked } = rotation()
    const { adapter, world } = await stage(jwt)
    const other = await adapter.createUser({ id: "other", email: "other@app.test", emailVerified: null })
    await adapter.linkAccount({ userId: other.id, provider: "op", providerAccountId: "person-1", type: "oidc" })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    const before = asked.length
    const refused = await world.signInAtOp(browser)
    expect(refused.location).toContain("error=OAuthAccountNotLinked")
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked.length - before).toBeLessThanOrEqual(2)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" }, refresh: asked.length })
  })

  it("is kept when the options of a passkey are fetched [spec callback jwt]", async () => {
    const { jwt, asked } = rotation()
    const { world } = await stage(jwt)
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    expect((await optionsOf(browser, { action: "register" })).action).toBe("register")
    expect(asked).toHaveLength(1)
    expect(await browser.session()).toMatchObject({ refresh: 2 })
  })

  it("is given to `onThrow` when a passkey is registered by a call in this process that throws", async () => {
    const { jwt, asked } = rotation()
    const { world } = await stage(jwt)
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    const authenticator = softwarePasskey({ origin: "https://elsewhere.test" })
    const { options } = await optionsOf(browser, { action: "register" })
    const data = JSON.stringify(await authenticator.create(options))
    const onThrow = vi.fn((cookies: readonly Cookie[]) => {
      for (const { name, value } of cookies) browser.setCookie(name, value)
    })
    await expect(
      world.auth.signIn(sourceOf(browser), "passkey", { fields: { action: "register", data }, onThrow }),
    ).rejects.toMatchObject({ type: "WebAuthnVerificationError" })
    expect(onThrow).toHaveBeenCalledOnce()
    // Read with the token before, the callback would say that its refresh token was used.
    expect(await browser.session()).toMatchObject({ refresh: asked.length })
  })

  it("is left alone by a sign-in at a provider that cannot be reached: nothing is exchanged before it is known", async () => {
    const { jwt, asked } = rotation()
    const { world } = await stage(jwt, { [customFetch]: () => Promise.reject(new Error("no route")) })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    await expect(world.auth.signIn(sourceOf(browser), "op")).rejects.toMatchObject({ type: "ProviderUnavailable" })
    expect(asked).toEqual([])
    expect(await browser.session()).toMatchObject({ refresh: 1 })
  })

  it("gives way to the token of the sign-in that succeeds", async () => {
    const { jwt, asked } = rotation()
    const { world } = await stage(jwt)
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    expect((await world.signInAtOp(browser)).location).toBe("https://app.test/")
    const reached = asked.length
    expect(await browser.session()).toMatchObject({ refresh: reached + 1 })
  })
})

describe("a callback that fails", () => {
  const fails = (when: () => boolean): JWTCallback => {
    return ({ token, user }) => {
      // As it is written where types do not object.
      if (when()) return { ...token, colour: (user as unknown as { colour: string }).colour }
      return token
    }
  }

  it("is named with its cause and the remedy, and the cookie stays", {
    tags: ["threat:CF2-13", "threat:SF-13"],
  }, async () => {
    let isBroken = false
    const { world } = await stage(fails(() => isBroken))
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    isBroken = true
    const visit = await browser.get("/auth/session")
    expect(visit.status).toBe(500)
    expect(visit.setCookies).toEqual([])
    const [error] = world.errors
    expect(error).toMatchObject({ name: "JWTSessionError", cause: { callback: "jwt", err: { name: "TypeError" } } })
    expect(error?.message).toBe(
      "The jwt callback failed: Cannot read properties of undefined (reading 'colour'). Outside a sign-in it is given `token` alone, without `user`, `account` and `profile`.",
    )
  })

  it("links, refuses or registers nobody: a sign-in ends with Callback, passkey options with 500", async () => {
    let isBroken = false
    const { adapter, world } = await stage(fails(() => isBroken))
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    isBroken = true
    const visit = await world.signInAtOp(browser)
    expect(new URL(visit.location ?? "").searchParams.get("error")).toMatch(/^(Callback|Signin)$/)
    expect(await adapter.getUserByEmail("ada@op.test")).toBeNull()
    expect((await browser.get("/auth/webauthn-options/passkey?action=register")).status).toBe(500)
    isBroken = false
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })

  it("is named for the session callback, with what it is given", async () => {
    for (const strategy of ["jwt", "database"] as const) {
      const other = strategy === "jwt" ? "user" : "token"
      const session = ((params: Record<string, { role: string }>) => ({
        role: (params[other] as { role: string }).role,
      })) as never
      const world = await makeWorld({ strategy, config: { callbacks: { session } } })
      const browser = world.browser()
      await world.signInAtOp(browser)
      expect((await browser.get("/auth/session")).status).toBe(500)
      expect(world.errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(
          strategy === "jwt"
            ? /^The session callback failed: .*role.*it is given `token`/
            : /^The session callback failed: .*role.*it is given `user`/,
        ),
      ])
    }
  })
})

describe("session.verifyUser", () => {
  const stageOf = async (verifyUser: boolean | undefined, jwt?: JWTCallback) => {
    const adapter = memoryAdapter()
    const world = await makeWorld({
      adapter,
      config: {
        session: { strategy: "jwt", ...(verifyUser !== undefined && { verifyUser }) },
        ...(jwt && { callbacks: { jwt } }),
      },
    })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    const user = await adapter.getUserByEmail("ada@app.test")
    return { adapter, world, browser, remove: () => adapter.deleteUser(user?.id ?? "") }
  }

  it("ends the session of a deleted user at the next access, before the callback is asked", {
    tags: ["threat:SF-20"],
  }, async () => {
    let asked = 0
    const { browser, remove } = await stageOf(true, ({ token }) => {
      asked += 1
      return token
    })
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
    const before = asked
    await remove()
    expect(await browser.session()).toBeNull()
    expect(browser.cookie("__Secure-authjs.session-token")).toBeUndefined()
    expect(asked).toBe(before)
  })

  it("is off by default: the token alone is trusted, and the store is not read", {
    tags: ["threat:SF-20"],
  }, async () => {
    const { browser, remove } = await stageOf(undefined)
    await remove()
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })

  it("fails while the store fails: 503, and the cookie is kept", { tags: ["threat:FD-01"] }, async () => {
    const { adapter, browser } = await stageOf(true)
    Object.assign(adapter, { getUser: () => Promise.reject(new Error("store down")) })
    const visit = await browser.get("/auth/session")
    expect([visit.status, visit.setCookies]).toEqual([503, []])
  })

  it("treats a token without `sub` as signed out", async () => {
    const { browser } = await stageOf(true, ({ token: { sub, ...rest } }) => rest)
    expect(await browser.session()).toBeNull()
  })

  it("needs an adapter", async () => {
    const { auth } = await makeWorld({ adapter: false, config: { session: { verifyUser: true } } })
    expect(auth.problems()).toMatchObject([{ type: "MissingAdapter" }])
  })
})
