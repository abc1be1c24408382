/** Many configurations in one process: nothing of one shows in another, and nothing stays of those that are gone. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import express, { type Express } from "express"
import { describe, expect, it } from "vitest"
import {
  type AuthOfRequest,
  authSession,
  ExpressAuth,
  type ExpressAuthConfig,
  getSession,
  requireSession,
} from "../src/index.js"
import { config, serve } from "./support/app.js"
import { Visitor } from "./support/visitor.js"

/** A tenant has a secret of its own, and its sessions name it. */
function tenantConfig(name: string): ExpressAuthConfig {
  return config({
    secret: `secret of tenant ${name}`.padEnd(32, "."),
    callbacks: {
      session: ({ session }) => ({
        ...session,
        expires: String(session.expires),
        user: { name: `${name}: ${session.user?.name}` },
      }),
    },
  })
}

function application(find: AuthOfRequest): Express {
  const app = express()
  app.use("/auth", ExpressAuth(find))
  app.get("/read", async (req, res) => void res.json(await getSession(req, res, find)))
  app.get("/inside", authSession(find), requireSession(), (_req, res) => void res.json(res.locals["session"]))
  return app
}

async function signIn(visitor: Visitor, name: string, base = "/auth"): Promise<void> {
  const { csrfToken } = await visitor.json<{ csrfToken: string }>(`${base}/csrf`)
  await visitor.ask(`${base}/callback/credentials`, { form: { csrfToken, name, password: "right" } })
}

interface SessionResponse {
  readonly user: { readonly name: string }
}

describe("two hundred tenants, interleaved", { tags: ["threat:HO-28"], timeout: 60_000 }, () => {
  it("never see each other's sessions", async () => {
    const tenants = new Map(Array.from({ length: 200 }, (_, index) => [`t${index}.test`, tenantConfig(`t${index}`)]))
    const app = application(async ({ hostname }) => {
      // Answers come in another order than questions.
      await new Promise((resolve) => setImmediate(resolve))
      return tenants.get(hostname) ?? Promise.reject(new Error(`no tenant ${hostname}`))
    })
    const front = await serve(app)
    const visitors = [...tenants.keys()].map((host) => new Visitor({ front, host }))
    await Promise.all(visitors.map((visitor, index) => signIn(visitor, `person ${index}`)))
    const sessions = await Promise.all(visitors.map((visitor) => visitor.json<SessionResponse>("/inside")))
    expect(sessions.map(({ user }) => user.name)).toEqual(visitors.map((_, index) => `t${index}: person ${index}`))
    // A cookie carried to the neighbour says nothing there.
    const carried = visitors.map(({ cookies }, index) => {
      const neighbour = new Visitor({ front, host: `t${(index + 1) % 200}.test` })
      for (const [name, value] of cookies) neighbour.cookies.set(name, value)
      return neighbour.json("/read")
    })
    expect(new Set(await Promise.all(carried))).toEqual(new Set([null]))
  })

  it("below one parametrised mount have base paths of their own [wire 18.5 52]", async () => {
    const app = express()
    app.use("/:tenant/auth", ExpressAuth(config()))
    const visitor = new Visitor({ front: await serve(app), host: "app.test" })
    const names = Array.from({ length: 300 }, (_, index) => `tenant-${index}`)
    for (const round of [names, names.toReversed()]) {
      const answers = await Promise.all(round.map((name) => visitor.json(`/${name}/auth/providers`)))
      expect(answers).toEqual(
        round.map((name) => ({
          credentials: expect.objectContaining({ callbackUrl: `http://app.test/${name}/auth/callback/credentials` }),
        })),
      )
    }
  })
})

describe("configurations that are made anew for each request", () => {
  it("work, and are not kept", async () => {
    setFlagsFromString("--expose-gc")
    const collect = runInNewContext("gc") as () => void
    const made: WeakRef<ExpressAuthConfig>[] = []
    const shared = config()
    const find: AuthOfRequest = () => {
      const one = { ...shared }
      made.push(new WeakRef(one))
      return one
    }
    const visitor = new Visitor({ front: await serve(application(find)), host: "app.test" })
    await signIn(visitor, "Ada")
    for (let count = 0; count < 50; count += 1) {
      expect((await visitor.json<SessionResponse>(count % 2 ? "/read" : "/inside")).user.name).toBe("Ada")
      await visitor.ask("/auth/providers")
    }
    // References made in a turn of the event loop hold until it is over.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    const kept = made.filter((one) => one.deref() !== undefined)
    expect(made.length).toBeGreaterThan(100)
    expect(kept.length).toBeLessThan(10)
  })

  it("are resolved once while they stay the same object, whoever asks", async () => {
    let resolved = 0
    const [provider] = config().providers
    const counted: ExpressAuthConfig = config({
      providers: [
        () => {
          resolved += 1
          return provider as never
        },
      ],
    })
    const app = express()
    app.get("/read", async (req, res) => void res.json(await getSession(req, counted)))
    app.get("/inside", authSession(counted), (_req, res) => void res.json(res.locals["session"]))
    app.use(ExpressAuth(counted))
    const visitor = new Visitor({ front: await serve(app), host: "app.test" })
    for (const path of ["/read", "/inside", "/auth/session", "/read"]) {
      expect((await visitor.ask(path)).status).toBe(200)
    }
    expect(resolved).toBe(1)
  })
})
