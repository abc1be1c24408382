/** The session is read where there is a response already: in middleware behind the handler, and while a response streams. */
import { serve } from "@hono/node-server"
import { memoryAdapter } from "@latchkey/core/memory"
import { signInAs } from "@latchkey/testing"
import { Hono } from "hono"
import { stream } from "hono/streaming"
import { describe, expect, it, vi } from "vitest"
import { HonoAuth, type HonoAuthConfig } from "../src/index.js"
import { config } from "./support/app.js"

/** Runs an application on Node.js. */
async function serving<T>(app: Hono, work: (origin: string) => Promise<T>): Promise<T> {
  let server: ReturnType<typeof serve> | undefined
  const port = await new Promise<number>((resolve) => {
    server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, (bound) => resolve(bound.port))
  })
  try {
    return await work(`http://127.0.0.1:${port}`)
  } finally {
    server?.close()
  }
}

const strategies: readonly (readonly [string, () => Partial<HonoAuthConfig>])[] = [
  ["sealed", () => ({ session: { strategy: "jwt", updateAge: 0 } })],
  ["stored", () => ({ session: { strategy: "database", updateAge: 0 }, adapter: memoryAdapter() })],
]

describe.each(strategies)("a session that is %s", (_, more) => {
  const person = { id: "1", name: "Ada", email: "ada@app.test" }

  it("is extended by a reading behind the handler", async () => {
    const given = config(more())
    const auth = HonoAuth(given)
    const app = new Hono().use(async (c, next) => {
      await next()
      c.header("X-Name", (await auth.session(c))?.user?.name ?? "")
    })
    app.get("/page", (c) => c.text("page"))
    await serving(app, async (origin) => {
      const { headers } = await signInAs(given, person, { url: origin })
      const answer = await fetch(`${origin}/page`, { headers })
      expect([answer.headers.get("x-name"), await answer.text()]).toEqual(["Ada", "page"])
      expect(answer.headers.getSetCookie()).toHaveLength(1)
      expect(answer.headers.get("cache-control")).toBe("private, no-store")
    })
  })

  it("can be read for the first time while a response streams, twice", async () => {
    const given = config(more())
    const auth = HonoAuth(given)
    const app = new Hono().use((_c, next) => next())
    app.post("/chat", (c) =>
      stream(c, async (out) => {
        await vi.waitFor(() => expect(c.finalized).toBe(true))
        await out.write(String((await auth.session(c))?.user?.name))
        await out.sleep(1100)
        await out.write(String((await auth.session(c))?.user?.name))
      }),
    )
    await serving(app, async (origin) => {
      const { headers } = await signInAs(given, person, { url: origin })
      const answer = await fetch(`${origin}/chat`, { method: "POST", headers, body: "{}" })
      expect([await answer.text(), answer.headers.getSetCookie()]).toEqual(["AdaAda", []])
    })
  })
})

it("is not extended in the database while a response streams, because the browser would not know", async () => {
  const adapter = memoryAdapter()
  const extended = vi.spyOn(adapter, "updateSession")
  const given = config({ session: { strategy: "database", updateAge: 0 }, adapter })
  const auth = HonoAuth(given)
  const app = new Hono().use((_c, next) => next())
  app.get("/chat", (c) =>
    stream(c, async (out) => {
      await vi.waitFor(() => expect(c.finalized).toBe(true))
      await out.write(String((await auth.session(c))?.user?.name))
    }),
  )
  app.get("/name", async (c) => c.text(String((await auth.session(c))?.user?.name)))
  await serving(app, async (origin) => {
    const { headers } = await signInAs(given, { id: "1", name: "Ada", email: "ada@app.test" }, { url: origin })
    const calls: number[] = []
    for (const path of ["/chat", "/name"]) {
      extended.mockClear()
      expect(await (await fetch(origin + path, { headers })).text()).toBe("Ada")
      calls.push(extended.mock.calls.length)
    }
    expect(calls).toEqual([0, 1])
  })
})

it("is not extended in the database by two objects while a response streams elsewhere than on Node.js", async () => {
  const adapter = memoryAdapter()
  const extended = vi.spyOn(adapter, "updateSession")
  const given = config({ session: { strategy: "database", updateAge: 0 }, adapter })
  const objects = [HonoAuth(given), HonoAuth(given)]
  const app = new Hono().use((_c, next) => next())
  app.get("/chat", (c) =>
    stream(c, async (out) => {
      await vi.waitFor(() => expect(c.res.body?.locked).toBe(true))
      for (const auth of objects) await out.write(String((await auth.session(c))?.user?.name))
    }),
  )
  const { headers } = await signInAs(
    given,
    { id: "1", name: "Ada", email: "ada@app.test" },
    { url: "https://app.test" },
  )
  const answer = await app.request("https://app.test/chat", { headers })
  expect([await answer.text(), extended.mock.calls]).toEqual(["AdaAda", []])
})

it("ends by signing out while a response streams, although no cookie can say so", async () => {
  const given = config({ session: { strategy: "database" }, adapter: memoryAdapter() })
  const auth = HonoAuth(given)
  const app = new Hono().use((_c, next) => next())
  app.get("/chat", (c) =>
    stream(c, async (out) => {
      await vi.waitFor(() => expect(c.finalized).toBe(true))
      await out.write("Bye, ")
      await auth.signOut(c, { redirect: false, trusted: true })
      await out.write(String(await auth.session(c)))
    }),
  )
  await serving(app, async (origin) => {
    const { headers } = await signInAs(given, { id: "1", name: "Ada", email: "ada@app.test" }, { url: origin })
    const answer = await fetch(`${origin}/chat`, { headers })
    expect([await answer.text(), answer.headers.getSetCookie()]).toEqual(["Bye, null", []])
  })
})

it("goes on from what a reading has changed whose cookie came too late", async () => {
  const used: unknown[] = []
  const given = config({
    callbacks: {
      jwt({ token, user }) {
        if (user) return token
        used.push(token["turn"])
        return { ...token, turn: Number(token["turn"] ?? 0) + 1 }
      },
    },
  })
  const auth = HonoAuth(given)
  const app = new Hono().use((_c, next) => next())
  app.post("/chat", (c) =>
    stream(c, async (out) => {
      // Begins before the response is on its way.
      const first = auth.session(c)
      await out.write(String((await first)?.user?.name))
      await out.sleep(1100)
      await out.write(String((await auth.session(c))?.user?.name))
    }),
  )
  await serving(app, async (origin) => {
    const { headers } = await signInAs({ ...given, callbacks: {} }, { id: "1", name: "Ada" }, { url: origin })
    const answer = await fetch(`${origin}/chat`, { method: "POST", headers, body: "{}" })
    expect(await answer.text()).toBe("AdaAda")
    expect(used).toEqual([undefined, 1])
  })
})
