/** Middleware behind the handler takes the body or keeps the response, beside one that reads the session or ends it. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { signInAs } from "@latchkey/testing"
import { type Context, Hono, type MiddlewareHandler } from "hono"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HonoAuth, type HonoAuthObject } from "../src/index.js"
import { config } from "./support/app.js"

const origin = "https://app.test"
const page = "<p>{{who}}</p>"
const upstream = createServer((_, response) => void response.setHeader("content-type", "text/html").end(page))

beforeAll(() => new Promise<void>((resolve) => void upstream.listen(0, "127.0.0.1", resolve)))
afterAll(() => void upstream.close())

const nameIn = async (auth: HonoAuthObject, c: Context) => (await auth.session(c))?.user?.name ?? "nobody"
const filled = (html: string, name: string) => html.replace("{{who}}", name)

const shapes: Readonly<Record<string, (auth: HonoAuthObject, c: Context) => Promise<void>>> = {
  "as a text": async (auth, c) => {
    const html = await c.res.text()
    const name = await nameIn(auth, c)
    c.res = new Response(filled(html, name), { headers: { "content-type": "text/html" } })
  },
  "as a text, for a page": async (auth, c) => {
    const html = await c.res.text()
    c.res = c.html(filled(html, await nameIn(auth, c)))
  },
  "as a stream": async (auth, c) => {
    const decoder = new TextDecoder()
    let name = ""
    const transform = (chunk: Uint8Array, out: TransformStreamDefaultController<Uint8Array>) =>
      out.enqueue(new TextEncoder().encode(filled(decoder.decode(chunk), name)))
    const body = c.res.body?.pipeThrough(new TransformStream({ transform }))
    name = await nameIn(auth, c)
    c.res = new Response(body ?? null, { headers: { "content-type": "text/html" } })
  },
  "as one of two streams": async (auth, c) => {
    const [body] = c.res.body?.tee() ?? []
    const name = await nameIn(auth, c)
    c.res = new Response(filled(await new Response(body).text(), name))
  },
}

const handlers: Readonly<Record<string, (c: Context) => Response | Promise<Response>>> = {
  "is a page of Hono": (c) => c.html(page),
  "is a response of its own": () => new Response(page, { headers: { "content-type": "text/html" } }),
  // Nobody can change the headers of what `fetch` resolves to.
  "comes from another server": () => fetch(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`),
  "says how it may be kept": (c) => c.html(page, 200, { "cache-control": "public, max-age=60" }),
}

const mounts = ["inside the mounted handler", "without it"] as const

const cases = mounts.flatMap((mount) =>
  Object.keys(handlers).flatMap((handler) => Object.keys(shapes).map((shape) => [mount, handler, shape] as const)),
)

/** Whether the session is extended by each reading: the cookie goes out where the mounted handler waits for the answer. */
const extending = [true, false]

describe.each(extending)("a page for one person is for them alone, where the session is extended: %s", (isExtended) => {
  it.each(cases)("%s, what %s, taken %s", { tags: ["threat:HD-03"] }, async (mount, handler, shape) => {
    const given = config({ session: { strategy: "jwt", updateAge: isExtended ? 0 : 86_400 } })
    const auth = HonoAuth(given)
    const app = new Hono()
    const isInside = mount === "inside the mounted handler"
    if (isInside) app.use(auth)
    app.use(async (c, next) => {
      await next()
      await shapes[shape]?.(auth, c)
    })
    app.get("/page", handlers[handler] as (c: Context) => Response)
    const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: origin })
    const answer = await app.request(`${origin}/page`, { headers })
    expect(await answer.text()).toBe("<p>Ada</p>")
    expect(answer.headers.getSetCookie()).toHaveLength(isInside && isExtended ? 1 : 0)
    const isPublic = handler === "says how it may be kept" && !(isInside && isExtended)
    expect(answer.headers.get("cache-control")).toBe(isPublic ? "public, max-age=60" : "private, no-store")
  })
})

const ends: Readonly<Record<string, (c: Context) => unknown>> = {
  "as a text": (c) => c.res.text(),
  "as a stream": (c) => c.res.body?.getReader(),
  "together with the response": (c) => {
    c.res = undefined
  },
}
const allEnds = mounts.flatMap((mount) =>
  Object.keys(handlers).flatMap((handler) => Object.keys(ends).map((end) => [mount, handler, end] as const)),
)

it.each(allEnds)("signs out: %s, what %s, taken %s", { tags: ["threat:RC-12"] }, async (mount, handler, end) => {
  const given = config()
  const auth = HonoAuth(given)
  const app = new Hono()
  if (mount === "inside the mounted handler") app.use(auth)
  app.use(async (c, next) => {
    await next()
    await ends[end]?.(c)
    await auth.signOut(c, { redirect: false })
    c.res = new Response("Bye")
  })
  app.post("/page", handlers[handler] as (c: Context) => Response)
  const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: origin })
  const answer = await app.request(`${origin}/page`, { method: "POST", headers: { ...headers, origin } })
  expect(await answer.text()).toBe("Bye")
  expect(answer.headers.getSetCookie().join()).toContain("session-token=; Max-Age=0")
  expect(answer.headers.get("cache-control")).toBe("private, no-store")
})

const guards: Readonly<Record<string, (auth: HonoAuthObject) => MiddlewareHandler>> = {
  load: (auth) => auth.load() as MiddlewareHandler,
  require: (auth) => auth.require() as MiddlewareHandler,
  "the mounted handler": (auth) => auth,
}

it.each(Object.keys(guards))(
  "says that a page is for one person where middleware inside looks at the response: %s",
  { tags: ["threat:HD-03"] },
  async (guard) => {
    const given = config()
    const auth = HonoAuth(given)
    const seen: unknown[] = []
    const app = new Hono()
    app.use(guards[guard]?.(auth) as MiddlewareHandler)
    app.use(async (c, next) => {
      await next()
      seen.push(c.res.headers.get("cache-control"))
    })
    app.get("/page", async (c) => c.html(filled(page, await nameIn(auth, c))))
    app.get("/view", async (c) => c.json(await auth.signInView(c)))
    const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: origin })
    let { cookie } = headers
    // The second time the browser has the cookie of the form, so that none is set.
    for (const path of ["/page", "/view", "/view"]) {
      const answer = await app.request(origin + path, { headers: { cookie } })
      cookie = [cookie, ...answer.headers.getSetCookie().map((line) => line.split(";")[0])].join("; ")
    }
    expect(seen).toEqual(["private, no-store", "private, no-store", "private, no-store"])
  },
)

describe("a response that a handler answers everybody with", { tags: ["threat:HD-03"] }, () => {
  const mounting: Readonly<Record<string, (app: Hono, auth: HonoAuthObject) => unknown>> = {
    load: (app, auth) => app.use(auth.load()),
    "the mounted handler, around one that takes the body": (app, auth) =>
      app.use(auth).use(async (c, next) => {
        await next()
        if (!c.res.bodyUsed) await c.res.text()
        await auth.session(c)
      }),
  }

  it.each(Object.keys(mounting))("keeps nothing of who asked before, behind %s", async (name) => {
    const given = config({ session: { strategy: "jwt", updateAge: 0 } })
    const forbidden = new Response("Forbidden", { status: 403 })
    const app = new Hono()
    mounting[name]?.(app, HonoAuth(given))
    app.get("/admin", () => forbidden)
    const ask = async (method: string, headers: Record<string, string> = {}) =>
      app.request(`${origin}/admin`, { method, headers })
    const first = await ask("GET")
    if (!first.bodyUsed) await first.text()
    const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: origin })
    const hers = [await ask("GET", headers), await ask("HEAD", headers)]
    expect(hers.map((answer) => answer.headers.getSetCookie().length)).toEqual([1, 1])
    expect(hers.map((answer) => answer.headers.get("cache-control"))).toEqual([
      "private, no-store",
      "private, no-store",
    ])
    // What has lost its body cannot be sent, with or without a session.
    await expect(hers[0]?.text()).rejects.toThrow(TypeError)
    const strangers = await ask("HEAD")
    expect([strangers.status, [...strangers.headers]]).toEqual([403, [["content-type", "text/plain;charset=UTF-8"]]])
  })
})
