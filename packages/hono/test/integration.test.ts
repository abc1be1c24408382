/** A server on Node, and a sign-in at a certified OpenID provider. */
import { serve } from "@hono/node-server"
import { createProvider } from "@latchkey/testing"
import { Hono } from "hono"
import { expect, it } from "vitest"
import { openBrowser, type TestBrowser } from "../../core/test/support/browser.js"
import { HonoAuth } from "../src/index.js"

function browserAt(origin: string): TestBrowser {
  return openBrowser((request) => fetch(request), { origin })
}

it("a person signs in at a provider, is known, and signs out again", async () => {
  const op = await createProvider()
  const auth = HonoAuth({ secret: "x".repeat(32), trustHost: true, providers: [op.config] })
  const app = new Hono()
  app.use("/auth/*", auth)
  app.get("/me", auth.require({ redirectTo: "/auth/signin" }), (c) => c.text(c.var.session.user.name ?? ""))
  let server: ReturnType<typeof serve> | undefined
  try {
    const port = await new Promise<number>((resolve) => {
      server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, (bound) => resolve(bound.port))
    })
    const browser = browserAt(`http://127.0.0.1:${port}`)
    const turned = await browser.get("/me")
    expect(turned.location).toContain("/auth/signin?error=SessionRequired&callbackUrl=%2Fme")
    const begun = await browser.post("/auth/signin/test", { callbackUrl: "/me" })
    const back = new URL(await op.authorize(begun.location ?? ""))
    const entered = await browser.get(back.pathname + back.search)
    expect(new URL(entered.location ?? "").pathname).toBe("/me")
    expect((await browser.get("/me")).text).toBe("Ada Lovelace")
    await browser.post("/auth/signout", {})
    expect((await browser.get("/me")).status).toBe(303)
  } finally {
    server?.close()
    await op.close()
  }
})
