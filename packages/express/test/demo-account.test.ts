/** The account page of the demo, with a cookie of an old sign-in. */
import type { AddressInfo } from "node:net"
import { memoryAdapter } from "@latchkey/core/memory"
import express, { type Express } from "express"
import { expect, it, vi } from "vitest"

const inDemo = (file: string): Promise<Record<string, (parts: object) => unknown>> =>
  import(new URL(`../../../examples/demo/app/${file}`, import.meta.url).href)
type Jar = Map<string, string>

/** The demo at an address of this machine, with people in memory and a password that all of them know. */
async function begin(strategy: string) {
  const front = express()
  const server = front.listen(0)
  await new Promise((done) => server.once("listening", done))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const adapter = memoryAdapter()
  const ada = await adapter.createUser({ id: "ada", name: "Ada", email: "ada@app.test", emailVerified: null })
  const unlinked: string[] = []
  const store = {
    adapter,
    demoPassword: {},
    authorize: async () => ada,
    belongingsOf: async () => ({ accounts: [], hasPassword: true }),
    unlink: async (_userId: string, { provider }: { provider: string }) => unlinked.push(provider) && "unlinked",
  }
  const identity = { issuer: "http://127.0.0.1:9", clientId: "c", clientSecret: "s" }
  const secret = "0123456789abcdef0123456789abcdef"
  const shared = { origin, strategy, store, mailbox: { newest: () => [], find: () => undefined } }
  const { createDemoAuth } = await inDemo("auth.js")
  const auth = createDemoAuth?.({ ...shared, identity, secret, smtpServer: "smtp://127.0.0.1:9" })
  const { createApp } = await inDemo("app.js")
  front.use(createApp?.({ ...shared, identityOrigin: identity.issuer, auth }) as Express)

  const go = async (jar: Jar, path: string, body?: Record<string, string>): Promise<Response> => {
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ")
    const sent = body && { method: "POST", body: new URLSearchParams(body) }
    const answer = await fetch(origin + path, { redirect: "manual", headers: { cookie, origin }, ...sent })
    for (const [, name = "", value = ""] of answer.headers.getSetCookie().map((one) => /^(.*?)=(.*?);/.exec(one) ?? []))
      jar.set(name, value)
    return answer
  }
  return {
    unlinked,
    close: () => server.close(),
    async signIn(): Promise<Jar> {
      const jar: Jar = new Map()
      const { csrfToken } = (await (await go(jar, "/auth/csrf")).json()) as { csrfToken: string }
      await go(jar, "/auth/callback/credentials", { csrfToken, email: "ada@app.test", password: "right" })
      return jar
    },
    post: async (jar: Jar, path: string, body: Record<string, string>) =>
      (await go(jar, path, body)).headers.get("location"),
    isHere: async (jar: Jar) => (await (await go(new Map(jar), "/auth/session")).json()) !== null,
    names: async (jar: Jar) =>
      [...(await (await go(jar, "/account")).text()).matchAll(/name="end" value="([^"]+)"/g)].map(([, id = ""]) => id),
  }
}

it("ends no session elsewhere and unlinks nothing without a recent sign-in", {
  tags: ["threat:V7-15"],
}, async () => {
  const demo = await begin("jwt")
  vi.useFakeTimers({ toFake: ["Date"] })
  try {
    const thief = await demo.signIn()
    vi.setSystemTime(Date.now() + 20 * 60 * 1000)
    const owner = await demo.signIn()
    const again = /^\/auth\/signin\?error=SessionRequired&callbackUrl=\/account$/
    const ids = await demo.names(thief)
    expect(ids).toHaveLength(2)
    for (const end of ids) expect(await demo.post(thief, "/account/devices", { end })).toMatch(again)
    expect(await demo.post(thief, "/account/unlink", { provider: "demo-op", account: "1" })).toMatch(again)
    expect([await demo.isHere(owner), await demo.isHere(thief), demo.unlinked]).toEqual([true, true, []])

    expect(await demo.post(owner, "/account/unlink", { provider: "demo-op", account: "1" })).toBe(
      "/account?notice=unlinked",
    )
    const [end = ""] = (await demo.names(owner)).filter((id) => id !== "others")
    expect(await demo.post(owner, "/account/devices", { end })).toBe("/account?notice=ended")
    expect([await demo.isHere(owner), await demo.isHere(thief), demo.unlinked]).toEqual([true, false, ["demo-op"]])
    expect(await demo.post(owner, "/account/devices", { end: "others" })).toBe("/account?notice=alone")
  } finally {
    vi.useRealTimers()
    demo.close()
  }
})
