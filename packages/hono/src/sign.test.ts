import { managedSessions } from "@latchkey/core/sessions"
import type { SignInView } from "@latchkey/core/types"
import { describe, expect, it } from "vitest"
import { appOf, browse, config, enter, switchedStore } from "../test/support/app.js"
import { HonoAuth } from "./index.js"

const quiet = { csrf: false, json: true } as const
const name = "__Secure-authjs.session-token"

describe("auth.signIn", () => {
  it("completes a sign-in with credentials, and redirects with 303", async () => {
    const browser = browse(appOf())
    const answer = await browser.post("/in", { name: "Ada", password: "right" }, quiet)
    expect(answer.status).toBe(303)
    expect(answer.location).toBe("https://app.test/inside")
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("throws CredentialsSignin when the credentials are wrong", async () => {
    const browser = browse(appOf())
    const answer = await browser.post("/in", { name: "Ada", password: "wrong" }, quiet)
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.text)).toEqual({ code: "credentials" })
    expect(await browser.session()).toBeNull()
  })

  it.each([
    ["a page of another site", { origin: "https://evil.test" }],
    ["an opaque origin", { origin: "null" }],
  ])("refuses what %s has sent", async (_who, headers) => {
    const browser = browse(appOf())
    const answer = await browser.post("/in", { name: "Ada", password: "right" }, { ...quiet, headers })
    expect(JSON.parse(answer.text)).toEqual({ error: "MissingCSRF" })
    expect(await browser.session()).toBeNull()
  })
})

describe("auth.signInView", () => {
  it("says what the sign-in page of the application shows, and sets the cookie that its forms need", async () => {
    const browser = browse(appOf())
    const page = await browser.get("/login?error=SessionRequired&callbackUrl=/inside")
    const view: SignInView = JSON.parse(page.text)
    expect(view.message?.text).toBe("Please sign in to see this page.")
    expect(page.headers.get("cache-control")).toBe("private, no-store")
    // The next visit sets no cookie, and holds the same token.
    const again = await browser.get("/login")
    expect([again.setCookies, again.headers.get("cache-control")]).toEqual([[], "private, no-store"])
    const [form] = view.forms
    const fields = { ...view.hidden, name: "Ada", password: "right" }
    const answer = await browser.post(new URL(form?.action ?? "").pathname, fields, { csrf: false })
    expect(answer.location).toBe("https://app.test/inside")
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})

describe("auth.signOut", () => {
  it("ends the session, and the rest of the same request knows it", async () => {
    const browser = browse(appOf())
    await enter(browser)
    const { text } = await browser.post("/out", {}, quiet)
    expect(JSON.parse(text)).toEqual({ redirect: "https://app.test/bye", before: null, after: null })
    expect(await browser.session()).toBeNull()
  })

  it("redirects with 303", async () => {
    const browser = browse(appOf())
    await enter(browser)
    const answer = await browser.post("/leave", {}, quiet)
    expect([answer.status, answer.location]).toEqual([303, "https://app.test/bye"])
    expect(await browser.session()).toBeNull()
  })

  it.each([{}, { redirect: false }])(
    "throws where the session could not be removed, and takes the cookie away: %o",
    {
      tags: ["threat:SF-07"],
    },
    async (options) => {
      const store = switchedStore()
      const given = config({
        adapter: store.records,
        session: { strategy: "jwt", updateAge: 0 },
        features: [managedSessions()],
      })
      const app = appOf(given)
      const auth = HonoAuth(given)
      const shown: unknown[] = []
      app.post("/quit", auth.load(), async (c) => {
        try {
          await auth.signOut(c, options)
          return c.json({ signedOut: true })
        } catch (error) {
          shown.push(c.var.session, await auth.session(c))
          throw error
        }
      })
      const browser = browse(app)
      await enter(browser)
      const copy = browse(app)
      copy.setCookie(name, browser.cookie(name) ?? "")
      store.isAway = true
      const answer = await browser.post("/quit", {}, quiet)
      expect([answer.status, JSON.parse(answer.text)]).toEqual([500, { error: "SignOutError" }])
      expect(shown).toEqual([null, null])
      expect(browser.cookie(name)).toBeUndefined()
      store.isAway = false
      expect(await copy.session()).toMatchObject({ user: { name: "Ada" } })
    },
  )

  it("is refused for a page of another site, and the session stays as it was for the rest of the request", async () => {
    const app = appOf()
    const auth = HonoAuth(config())
    app.post("/refused", auth.load(), async (c) => {
      const refused = await auth.signOut(c).catch((error: Error) => error)
      return c.json([refused instanceof Error && refused.name, c.var.session?.user?.name])
    })
    const browser = browse(app)
    await enter(browser)
    const { text } = await browser.post("/refused", {}, { ...quiet, headers: { origin: "https://evil.test" } })
    expect(JSON.parse(text)).toEqual(["MissingCSRF", "Ada"])
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})

describe("auth.update", () => {
  it("passes data to the callbacks, and the session is the new one for the rest of the request and later", async () => {
    const renaming = config({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === "update" ? { ...token, name: String(session?.name) } : token,
      },
    })
    const browser = browse(appOf(renaming))
    await enter(browser)
    const { text } = await browser.post("/rename", { name: "Countess" }, quiet)
    const renamed = { user: { name: "Countess" } }
    expect(JSON.parse(text)).toMatchObject({ updated: renamed, shown: renamed, read: renamed })
    expect(await browser.session()).toMatchObject(renamed)
  })
})
