/** An application on Hono, and a browser that keeps its cookies. */

import { memoryAdapter } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import { Hono } from "hono"
import { openBrowser, type TestBrowser } from "../../../core/test/support/browser.js"
import { switchedRecords } from "../../../core/test/support/records-away.js"
import { CredentialsSignin, HonoAuth, type HonoAuthConfig } from "../../src/index.js"

const silent = { error: () => {}, warn: () => {}, debug: () => {} }

export function config(more: Partial<HonoAuthConfig> = {}): HonoAuthConfig {
  return {
    secret: "0123456789abcdef0123456789abcdef",
    trustHost: true,
    logger: silent,
    providers: [
      Credentials({
        credentials: { name: {}, password: { type: "password" } },
        authorize: ({ name, password }) => (password === "right" ? { id: "1", name: String(name) } : null),
      }),
    ],
    ...more,
  }
}

/** Routes of an ordinary application. */
export function appOf(given: HonoAuthConfig = config()): Hono {
  const auth = HonoAuth(given)
  const app = new Hono()
  app.onError((error, c) => c.json({ error: error.name }, 500))
  app.use("/auth/*", auth)
  app.get("/peek", async (c) => c.json(await auth.session(c)))
  app.get("/inside", auth.require({ redirectTo: "/login" }), (c) => c.json(c.var.session.user))
  app.post("/inside", auth.require({ redirectTo: "/login" }), (c) => c.json({}))
  app.get("/api", auth.require(), (c) => c.json({}))
  app.get("/raw", auth.load(), (c) => new Response(c.var.session?.user?.name, { headers: { "Set-Cookie": "own=1" } }))
  app.get("/login", async (c) => c.json(await auth.signInView(c)))
  app.post("/in", async (c) => {
    try {
      return await auth.signIn(c, { provider: "credentials", fields: await c.req.json(), redirectTo: "/inside" })
    } catch (error) {
      if (error instanceof CredentialsSignin) return c.json({ code: error.code }, 401)
      throw error
    }
  })
  app.post("/out", auth.load(), async (c) => {
    const { redirect } = await auth.signOut(c, { redirectTo: "/bye", redirect: false })
    return c.json({ redirect, before: c.var.session, after: await auth.session(c) })
  })
  app.post("/leave", (c) => auth.signOut(c, { redirectTo: "/bye" }))
  app.post("/rename", auth.load(), async (c) => {
    const updated = await auth.update(c, await c.req.json())
    return c.json({ updated, shown: c.var.session, read: await auth.session(c) })
  })
  return app
}

/** A browser in front of it, which says where its requests come from. */
export function browse(app: { fetch(request: Request): Response | Promise<Response> }): TestBrowser {
  return openBrowser(async (request) => {
    if (request.method === "POST" && !request.headers.has("origin")) request.headers.set("origin", "https://app.test")
    return app.fetch(request)
  })
}

/** Signs in by the route of the application. */
export async function enter(browser: TestBrowser, name = "Ada"): Promise<void> {
  await browser.post("/in", { name, password: "right" }, { csrf: false, json: true })
}

/** A store that cannot remove records while it is away. */
export const switchedStore = () => switchedRecords(memoryAdapter(), "takeRecord")
