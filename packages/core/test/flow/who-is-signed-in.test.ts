/** Pages know who is signed in: they say as whom, what signing in once more does, and that nothing was lost. */
import { describe, expect, it } from "vitest"
import type { Adapter } from "../../src/adapters.js"
import { memoryAdapter } from "../../src/memory.js"
import type { Provider } from "../../src/types/provider.js"
import type { TestBrowser } from "../support/browser.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

const html = { accept: "text/html" }
const strategies = ["jwt", "database"] as const
const addsText = "with another service adds it to this account. To use a different account, sign out first."
const replacesText = "Signing in below signs you out of this account first."
const password = {
  id: "credentials",
  name: "Password",
  type: "credentials",
  credentials: { password: { type: "password" } },
  authorize: () => ({ id: "7", name: "Grace", email: null }),
} as unknown as Provider

async function signedIn(
  options: WorldOptions,
  email = "zoe@mail.test",
): Promise<{ world: World; browser: TestBrowser }> {
  const world = await makeWorld(options)
  const browser = world.browser()
  await world.signInByMail(browser, email)
  return { world, browser }
}

const read = async (browser: TestBrowser, path: string): Promise<string> => (await browser.get(path, html)).text

describe.each(strategies)("the sign-in page, %s strategy,", (strategy) => {
  it("names nobody to a browser without a session", async () => {
    const { browser } = await makeWorld({ strategy })
    const text = await read(browser(), "/auth/signin")
    expect(text).toContain("<h1>Sign in</h1>")
    expect(text).not.toMatch(/signed in|Sign out|>Continue</)
  })

  it("names the signed-in user, says that an account will be added, and offers to continue or to sign out first", async () => {
    const { browser } = await signedIn({ strategy })
    const text = await read(browser, "/auth/signin?callbackUrl=%2Faccount")
    expect(text).toContain("<h1>You are signed in</h1>")
    expect(text).toContain("Your account: <bdi><strong>zoe@mail.test</strong></bdi>")
    expect(text).toContain(addsText)
    expect(text).toContain('<a class="primary" href="https://app.test/account">Continue</a>')
    expect(text).toContain('<form action="https://app.test/auth/signout" method="post">')
    // After signing out the person is here again, and goes on to where they wanted.
    const out = await browser.post("/auth/signout", {
      callbackUrl: "https://app.test/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Faccount",
    })
    expect(text).toContain(`name="callbackUrl" value="${out.location}"`)
    expect(await read(browser, out.location ?? "")).toContain("<h1>Sign in</h1>")
  })

  it("says that the account belongs to another user, and that the first one is still signed in", async () => {
    const { world, browser } = await signedIn({ strategy })
    await world.signInAtOp(world.browser())
    const visit = await world.signInAtOp(browser, { callbackUrl: "/account" })
    expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
    const text = await read(browser, visit.location ?? "")
    expect(text).toMatch(/role="alert"><p>That account could not be added to yours.*You are still signed in\./)
    expect(text).not.toContain("another method to sign in before")
    expect(text).toContain("zoe@mail.test")
    expect(text).toContain('<a class="primary" href="https://app.test/account">Continue</a>')
    expect(await browser.session()).toMatchObject({ user: { email: "zoe@mail.test" } })
  })

  it("asks a visitor without a session to use the account they used before [spec signin-page OAuthAccountNotLinked]", async () => {
    const { world } = await signedIn({ strategy }, "ada@op.test")
    const stranger = world.browser()
    const visit = await world.signInAtOp(stranger)
    expect(visit.location).toContain("error=OAuthAccountNotLinked")
    expect(await read(stranger, visit.location ?? "")).toContain("You used another method to sign in before.")
  })
})

describe("a sign-in by somebody who is signed in", () => {
  it("starts a new session where there is no store", async () => {
    const world = await makeWorld({ adapter: false })
    const browser = world.browser()
    await world.signInAtOp(browser)
    const text = await read(browser, "/auth/signin")
    expect(text).toContain("ada@op.test")
    expect(text).toContain(replacesText)
  })

  it("starts a new session for a user of `authorize` whom the store does not know", async () => {
    const { browser: open } = await makeWorld({ strategy: "jwt", more: [password] })
    const browser = open()
    await browser.post("/auth/callback/credentials", {})
    const text = await read(browser, "/auth/signin")
    // No address: the name stands for it.
    expect(text).toContain("<bdi><strong>Grace</strong></bdi>")
    expect(text).toContain(replacesText)
    expect(await read(browser, "/auth/signout")).toContain("Do you want to sign out?")
  })
})

describe("while the store fails", () => {
  const failing = (): { adapter: Adapter; fail: () => void } => {
    const adapter = memoryAdapter()
    return {
      adapter,
      fail: () => void Object.assign(adapter, { getSessionAndUser: () => Promise.reject(new Error("down")) }),
    }
  }

  it("both pages work, and neither claims that the visitor is signed out", async () => {
    const { adapter, fail } = failing()
    const { world, browser } = await signedIn({ strategy: "database", adapter })
    fail()
    const signin = await browser.get("/auth/signin", html)
    expect([signin.status, signin.text.includes("Continue with Test OP")]).toEqual([200, true])
    const signout = await browser.get("/auth/signout", html)
    expect([signout.status, signout.text.includes("Do you want to sign out?")]).toEqual([200, true])
    expect(world.errors.map(({ name }) => name)).toEqual(["AdapterError", "AdapterError"])
  })
})

describe.each(strategies)("the sign-out page, %s strategy,", (strategy) => {
  it("says that nobody is signed in, and has no button", async () => {
    const { browser } = await makeWorld({ strategy })
    const text = await read(browser(), "/auth/signout")
    expect(text).toContain("<h1>You are not signed in</h1>")
    expect(text).not.toContain("<form")
    expect(text).toContain('<a class="primary" href="https://app.test/auth/signin">Sign in</a>')
  })

  it("names the user whom it asks", async () => {
    const { browser } = await signedIn({ strategy })
    const text = await read(browser, "/auth/signout")
    expect(text).toMatch(/You are signed in as <bdi><strong>zoe@mail\.test<.*Do you want to sign out\?/)
  })
})

describe("a person who cancels at the provider", () => {
  it("sees a note and no error", async () => {
    const world = await makeWorld()
    const browser = world.browser()
    const visit = await world.signInAtOp(browser, { extra: { error: "access_denied" } })
    const text = await read(browser, visit.location ?? "")
    expect(text).toMatch(/<p class="soft" role="status">Signing in was cancelled or declined at the provider\./)
    expect(text).not.toContain('role="alert"')
    expect(world.errors).toEqual([])
  })

  it.each(["access_denied", "user_cancelled_login"])(
    "sees the same note when the provider leaves the state out of %s",
    async (code) => {
      const world = await makeWorld()
      const browser = world.browser()
      const visit = await browser.get(`/auth/callback/op?error=${code}`, html)
      expect(visit.location).toBe("https://app.test/auth/signin?cancelled=true")
      expect(world.errors).toEqual([])
    },
  )

  it.each([
    "error=access_denied&state=forged",
    "error=access_denied&code=c",
    "error=server_error",
    "error=access_denied&error=x",
  ])("is distinguished from an answer that does not belong to this browser: %s", async (query) => {
    const world = await makeWorld()
    const visit = await world.browser().get(`/auth/callback/op?${query}`, html)
    expect(visit.location).toMatch(/error=OAuthCallbackError|error=Configuration/)
    expect(world.errors).toHaveLength(1)
  })

  it("is sent to the application's own page with the same value", async () => {
    const world = await makeWorld({ config: { pages: { signIn: "/welcome?theme=blue" } } })
    const visit = await world.signInAtOp(world.browser(), { extra: { error: "access_denied" } })
    expect(visit.location).toBe("https://app.test/welcome?theme=blue&cancelled=true")
  })
})

describe("an address that no endpoint has", () => {
  it.each(["/auth/signin/githubb", "/auth/callback/githubb", "/auth/callback"])(
    "%s shows a page that says so and links back",
    async (path) => {
      const { browser, errors } = await makeWorld()
      const visit = await browser().get(path, html)
      expect(visit.status).toBe(404)
      expect(visit.text).toContain("<h1>Page not found</h1>")
      expect(visit.text).not.toMatch(/not working|githubb|operators/)
      expect(visit.text).toContain('<a class="primary" href="https://app.test/auth/signin">Sign in</a>')
      expect(errors.map(({ name }) => name)).toEqual(["InvalidProvider"])
    },
  )

  it("an invalid request is not shown as a mistake in the configuration", async () => {
    const { browser } = await makeWorld()
    const visit = await browser().send("/auth/session", { method: "DELETE", headers: html })
    expect(visit.status).toBe(405)
    expect(visit.text).toContain("<h1>Something went wrong</h1>")
  })
})
