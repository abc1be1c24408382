/** The integration as an application uses it: an Express 5 application on a real port. */
import { Credentials } from "@latchkey/core/providers/credentials"
import express, { type Express } from "express"
import { describe, expect, it } from "vitest"
import { authSession, ExpressAuth, type ExpressAuthConfig, getSession, requireSession } from "../src/index.js"
import { listen, op } from "./support/app.js"

function config(over: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig {
  return {
    secret: "secret-of-at-least-32-characters-for-tests",
    trustHost: true,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    providers: [
      Credentials({
        credentials: {},
        authorize: ({ password }) => (password === "right" ? { id: "7", name: "Ada" } : null),
      }),
    ],
    ...over,
  }
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly location: string | null
}

/** A browser on the application. */
function visit(origin: string) {
  const jar = new Map<string, string>()
  return async (path: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(origin + path, {
      redirect: "manual",
      headers: { ...headers, cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return { status: answer.status, text: await answer.text(), location: answer.headers.get("location") }
  }
}

function application(auth: ExpressAuthConfig, mount = "/auth/*splat"): Express {
  const app = express()
  app.set("trust proxy", true)
  app.use(mount, ExpressAuth(auth))
  app.get("/me", async (req, res) => void res.json(await getSession(req, auth)))
  app.use(authSession(auth))
  app.get("/inside", requireSession({ redirectTo: "/auth/signin" }), (_req, res) => void res.send("inside"))
  app.use((_req, res) => void res.status(404).send("of the application"))
  return app
}

describe("the Express integration", () => {
  it("is mounted as middleware, tells the session, and guards routes [spec express factory] [spec express mount] [spec express getSession] [spec express guard]", async () => {
    const browse = visit(await listen(application(config())))
    expect((await browse("/me")).text).toBe("null")
    const { csrfToken } = JSON.parse((await browse("/auth/csrf")).text) as { csrfToken: string }
    await browse("/auth/callback/credentials", { csrfToken, password: "right" })
    expect(JSON.parse((await browse("/me")).text)).toMatchObject({ user: { name: "Ada" }, expires: expect.any(String) })
    expect((await browse("/inside")).text).toBe("inside")
    expect((await browse("/auth/nothing")).text).toBe("of the application")
  })

  it("sends strangers from guarded routes to the sign-in page, which says why [spec express guard] [spec authentication 11] [spec signin-page SessionRequired]", async () => {
    const browse = visit(await listen(application(config())))
    const refused = await browse("/inside?a=1")
    expect(refused.status).toBe(302)
    expect(refused.location).toBe("/auth/signin?error=SessionRequired&callbackUrl=%2Finside%3Fa%3D1")
    const page = await browse(refused.location ?? "", undefined, { accept: "text/html" })
    expect(page.text).toContain("Please sign in to see this page.")
  })

  it("guards against sessions without a user [spec express guard]", async () => {
    const callbacks = {
      session: ({ session }: { session: { expires: unknown } }) => ({ expires: String(session.expires) }),
    }
    const browse = visit(await listen(application(config({ callbacks: callbacks as never }))))
    const { csrfToken } = JSON.parse((await browse("/auth/csrf")).text) as { csrfToken: string }
    await browse("/auth/callback/credentials", { csrfToken, password: "right" })
    expect(JSON.parse((await browse("/me")).text)).toEqual({ expires: expect.any(String) })
    expect((await browse("/inside")).status).toBe(302)
  })

  it.each([
    ["/auth/*splat", "https://app.test/auth/callback/op"],
    ["/own/path/*splat", "https://app.test/own/path/callback/op"],
  ])(
    "mounted on %s behind a trusted proxy has the callback %s [spec express callback-url] [spec express proxy]",
    async (mount, expected) => {
      const browse = visit(await listen(application(config({ providers: [op] }), mount)))
      const proxied = { "x-forwarded-proto": "https", "x-forwarded-host": "app.test" }
      const base = mount.replace("/*splat", "")
      const { csrfToken } = JSON.parse((await browse(`${base}/csrf`, undefined, proxied)).text) as { csrfToken: string }
      const { location } = await browse(`${base}/signin/op`, { csrfToken }, proxied)
      expect(new URL(location ?? "").searchParams.get("redirect_uri")).toBe(expected)
    },
  )
})
