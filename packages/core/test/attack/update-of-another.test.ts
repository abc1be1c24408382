/** An update of a session says nothing of whose session it is, whatever the `jwt` callback makes of it. */
import { describe, expect, it, vi } from "vitest"
import { encode } from "../../src/jwt.js"
import type { AuthConfig } from "../../src/types/config.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld, type World, worldSecret } from "../support/world.js"

type Jwt = NonNullable<NonNullable<AuthConfig["callbacks"]>["jwt"]>

/** What applications write who want to keep whatever a page sends. */
const careless: Readonly<Record<string, Jwt>> = {
  "all of it": ({ token, trigger, session }) => (trigger === "update" ? { ...token, ...session } : token),
  "its user": ({ token, trigger, session }) => (trigger === "update" ? { ...token, ...session?.user } : token),
}

interface Scene {
  readonly world: World
  readonly thief: ReturnType<World["browser"]>
  readonly victimId: string
  readonly sub: () => Promise<unknown>
}

async function sceneWith(jwt: Jwt): Promise<Scene> {
  const session = { strategy: "jwt", expose: ["id"] } as const
  const world = await makeWorld({ config: { callbacks: { jwt }, session } })
  await world.signInByMail(world.browser(), "victim@app.test")
  const thief = world.browser()
  await world.signInByMail(thief, "thief@evil.test")
  const victimId = (await world.adapter.getUserByEmail?.("victim@app.test"))?.id ?? ""
  const sub = async (): Promise<unknown> => ((await thief.session()) as { user: { id: string } }).user.id
  return { world, thief, victimId, sub }
}

async function send(thief: Scene["thief"], data: object) {
  const body = JSON.stringify({ csrfToken: await thief.csrfToken(), data })
  return thief.send("/auth/session", { method: "POST", headers: { "content-type": "application/json" }, body })
}

const tags = ["threat:SF-16"]

describe.each(Object.entries(careless))("a callback that lays %s over the token", (_, jwt) => {
  it("makes nobody somebody else, and links no account to them", { tags }, async () => {
    const { world, thief, victimId, sub } = await sceneWith(jwt)
    const own = await sub()
    const { status } = await send(thief, { sub: victimId, user: { sub: victimId } })
    expect([status, await sub()]).toEqual([500, own])
    expect(world.errors.map(({ message }) => message).join()).toContain("`sub` that the client sent")
    world.op.person = { sub: "thief", email: "thief@op.test", email_verified: true }
    await world.signInAtOp(thief)
    const owner = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "thief" })
    expect(owner?.email).toBe("thief@evil.test")
  })

  it("keeps the rest of what was sent, with one's own `sub` or without", { tags }, async () => {
    const { thief, sub } = await sceneWith(jwt)
    const own = await sub()
    const name = "Eve"
    expect((await send(thief, { name, sub: own, user: { name, sub: own } })).status).toBe(200)
    expect((await send(thief, { name, user: { name } })).text).toContain(name)
    expect(await sub()).toBe(own)
  })
})

const taking: Readonly<Record<string, { readonly jwt: Jwt; readonly sent: (id: string) => object }>> = {
  "what lies deeper": {
    jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, ...session?.["profile"] } : token),
    sent: (sub) => ({ profile: { sub } }),
  },
  "what lies in its user": {
    jwt: ({ token, trigger, session }) =>
      trigger === "update" ? { ...token, ...(session?.user as { profile?: object } | undefined)?.profile } : token,
    sent: (sub) => ({ user: { profile: { sub } } }),
  },
  "the first of a list": {
    jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, ...session?.["profiles"]?.[0] } : token),
    sent: (sub) => ({ profiles: [{ sub }] }),
  },
  "what lies in its `sub`": {
    jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, sub: session?.["sub"]?.id } : token),
    sent: (id) => ({ sub: { id } }),
  },
  "all of it, without blanks": {
    jwt: ({ token, trigger, session }) =>
      trigger === "update" ? { ...token, sub: String(session?.["sub"]).trim() } : token,
    sent: (id) => ({ sub: ` ${id} ` }),
  },
  "all of it, with blanks": {
    jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, ...session } : token),
    sent: (id) => ({ sub: ` ${id} ` }),
  },
  "`sub` out of it": {
    jwt({ token, trigger, session }) {
      if (trigger !== "update") return token
      const { sub } = session ?? {}
      delete session?.["sub"]
      return { ...token, sub } as typeof token
    },
    sent: (sub) => ({ sub }),
  },
}

it.each(Object.entries(taking))("a callback that takes %s makes nobody somebody else", { tags }, async (_, case_) => {
  const { world, thief, victimId, sub } = await sceneWith(case_.jwt)
  const own = await sub()
  expect([(await send(thief, case_.sent(victimId))).status, await sub()]).toEqual([500, own])
  world.op.person = { sub: "thief", email: "thief@op.test", email_verified: true }
  await world.signInAtOp(thief)
  const owner = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "thief" })
  expect(owner?.email).toBe("thief@evil.test")
})

const copying: Readonly<Record<string, (sent: unknown) => unknown>> = {
  "a copy": (sent) => structuredClone(sent),
  "what it reads as text": String,
}

describe.each(Object.entries(copying))("a callback that takes `sub` as %s", (_, taken) => {
  it.each([
    ["text", (id: string) => id],
    ["a list", (id: string) => [id]],
    ["lists", (id: string) => [[id]]],
  ])("sent as %s makes nobody somebody else, and links no account to them", { tags }, async (_name, shape) => {
    const { world, thief, victimId, sub } = await sceneWith(({ token, trigger, session }) =>
      trigger === "update" ? ({ ...token, sub: taken(session?.["sub"]) } as typeof token) : token,
    )
    const own = await sub()
    expect([(await send(thief, { sub: shape(victimId) })).status, await sub()]).toEqual([500, own])
    world.op.person = { sub: "thief", email: "thief@op.test", email_verified: true }
    await world.signInAtOp(thief)
    const owner = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "thief" })
    expect(owner?.email).toBe("thief@evil.test")
  })
})

it("a token with a list in place of `sub`, sealed before that was refused, is no session", { tags }, async () => {
  const { world, victimId } = await sceneWith(({ token }) => token)
  const open = async (sub: unknown) => {
    const browser = world.browser()
    const token = { sub, email: "thief@evil.test" } as never
    browser.setCookie(sessionCookie, await encode({ token, secret: worldSecret, salt: sessionCookie }))
    return (await browser.session()) as object | null
  }
  expect(await open(victimId)).toMatchObject({ user: { id: victimId } })
  for (const sub of [[victimId], [[victimId]], { toString: victimId }, true]) expect(await open(sub)).toBeNull()
})

it("a callback that names the user by a list at a sign-in begins no session", { tags }, async () => {
  const world = await makeWorld({
    config: {
      session: { strategy: "jwt" },
      callbacks: { jwt: ({ token }) => ({ ...token, sub: [token.sub] }) as never },
    },
  })
  const browser = world.browser()
  await world.signInByMail(browser, "ada@app.test")
  expect(await browser.session()).toBeNull()
  expect(world.errors.map(({ message }) => message).join()).toContain("expected text or a number, or none")
})

it("a callback that leaves `sub` out at an update is not taken for one that names another", { tags }, async () => {
  const { thief } = await sceneWith(({ token: { sub, ...rest }, trigger }) =>
    trigger === "update" ? rest : { ...rest, ...(sub !== undefined && { sub }) },
  )
  expect((await send(thief, { name: "Eve" })).status).toBe(200)
  expect(await thief.session()).toMatchObject({ user: { email: "thief@evil.test" } })
})

it("a callback that chooses the user by itself does so, whatever else was sent", { tags }, async () => {
  const scene = await sceneWith(({ token, trigger, session }) =>
    trigger === "update" ? { ...token, sub: String(session?.["actAs"]) } : token,
  )
  expect((await send(scene.thief, { actAs: scene.victimId })).status).toBe(200)
  expect(await scene.sub()).toBe(scene.victimId)
})

it("an update by the application itself may name another user", { tags }, async () => {
  const { world, thief, victimId } = await sceneWith(({ token, trigger, session }) =>
    trigger === "update" ? { ...token, ...session } : token,
  )
  const cookie = `${sessionCookie}=${thief.cookie(sessionCookie)}`
  const { session } = await world.auth.update({ url: "https://app.test/", headers: { cookie } }, { sub: victimId })
  expect(session).toMatchObject({ user: { id: victimId } })
})

it("an update without the CSRF token reaches no callback", { tags: ["threat:SF-15"] }, async () => {
  const jwt = vi.fn<Jwt>(({ token }) => token)
  const { thief } = await sceneWith(jwt)
  const updates = (): number => jwt.mock.calls.filter(([{ trigger }]) => trigger === "update").length
  for (const csrfToken of [undefined, "", "forged"]) {
    const body = JSON.stringify({ csrfToken, data: { name: "Eve" } })
    const headers = { "content-type": "application/json", origin: "https://evil.test" }
    const { status } = await thief.send("/auth/session", { method: "POST", headers, body })
    expect([status, updates()]).toEqual([403, 0])
  }
  expect([(await send(thief, { name: "Eve" })).status, updates()]).toEqual([200, 1])
})
