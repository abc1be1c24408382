/** A request whose `Host` is none: Bun and Deno hand it on, with an address that nobody can read. */
import { Hono } from "hono"
import { describe, expect, it, vi } from "vitest"
import { HonoAuth } from "../src/index.js"
import { config } from "./support/app.js"

const hosts = ["http://a b", "http://[", "http://app.test:99999", "http://%zz"]
const paths = [
  "/auth/csrf",
  "/auth/callback/credentials",
  "/all/page",
  "/session",
  "/load",
  "/require",
  "/guard",
  "/in",
  "/out",
]

/** Statuses of requests at every path, and what the application and the service say of errors. */
async function statusesAt(host: string, origin?: string) {
  const log = vi.fn()
  vi.stubEnv("AUTH_URL", origin)
  const auth = HonoAuth(config({ logger: { error: log, warn: log, debug: log } }))
  const app = new Hono()
  app.use("/auth/*", auth)
  app.use("/all/*", auth)
  app.all("/all/page", (c) => c.text("page"))
  app.all("/session", async (c) => c.json(await auth.session(c)))
  app.all("/load", auth.load(), (c) => c.json(c.var.session))
  app.all("/require", auth.require(), (c) => c.json({}))
  app.all("/guard", auth.require({ redirectTo: "/auth/signin" }), (c) => c.json({}))
  app.all("/in", (c) => auth.signIn(c, { provider: "credentials", fields: {} }))
  app.all("/out", (c) => auth.signOut(c))
  const trace = vi.spyOn(console, "error").mockImplementation(log)
  const statuses: number[] = []
  for (const path of paths) {
    const request = new Request(`http://app.test${path}`, { method: "POST" })
    Object.defineProperty(request, "url", { value: host + path })
    statuses.push((await app.fetch(request)).status)
  }
  trace.mockRestore()
  vi.unstubAllEnvs()
  return { statuses, log: log.mock.calls }
}

describe.each(hosts)("an address that begins with %s", { tags: ["threat:HO-24"] }, (host) => {
  it("is that of a request that cannot be read, without a word in the log", async () => {
    expect(await statusesAt(host)).toEqual({ statuses: paths.map(() => 400), log: [] })
  })

  it("does not keep an application with AUTH_URL from reading the session", async () => {
    const { statuses } = await statusesAt(host, "https://app.test")
    expect(statuses.slice(0, 7)).toEqual([400, 400, 400, 200, 200, 401, 303])
  })
})
