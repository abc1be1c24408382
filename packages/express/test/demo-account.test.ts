/** The account page of the demo, with a cookie of an old sign-in. */
import { memoryAdapter } from "@latchkey/core/memory"
import express, { type Express } from "express"
import { expect, it, vi } from "vitest"
import { holdBody } from "../../../e2e/support/held-body.js"
import { Browser, listen } from "./support/app.js"

const inDemo = (file: string): Promise<Record<string, (parts: object) => unknown>> =>
  import(new URL(`../../../examples/demo/app/${file}`, import.meta.url).href)

/** The demo at an address of this machine, with people in memory and a password that all of them know. */
async function begin(strategy: string) {
  const front = express()
  const origin = await listen(front)
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

  return {
    unlinked,
    async signIn(): Promise<Browser> {
      const browser = new Browser(origin)
      await browser.form("/auth/callback/credentials", { email: "ada@app.test", password: "right" })
      return browser
    },
    post: async (browser: Browser, path: string, fields: Record<string, string>) =>
      (await browser.ask(path, { method: "POST", headers: { origin }, body: new URLSearchParams(fields) })).headers.get(
        "location",
      ),
    hold: (browser: Browser, path: string, form: Record<string, string>) => {
      const name = browser.nameOf("session-token")
      const headers = { host: new URL(origin).host, origin, cookie: `${name}=${browser.value(name)}` }
      return holdBody({ port: Number(new URL(origin).port), path, headers, form })
    },
    isIn: async (browser: Browser) => (await (await browser.ask("/auth/session")).json()) !== null,
    names: async (browser: Browser) =>
      [...(await (await browser.ask("/account")).text()).matchAll(/name="end" value="([^"]+)"/g)].map(
        ([, id = ""]) => id,
      ),
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
    expect([await demo.isIn(owner), await demo.isIn(thief), demo.unlinked]).toEqual([true, true, []])

    expect(await demo.post(owner, "/account/unlink", { provider: "demo-op", account: "1" })).toBe(
      "/account?notice=unlinked",
    )
    const [end = ""] = (await demo.names(owner)).filter((id) => id !== "others")
    expect(await demo.post(owner, "/account/devices", { end })).toBe("/account?notice=ended")
    expect([await demo.isIn(owner), await demo.isIn(thief), demo.unlinked]).toEqual([true, false, ["demo-op"]])
    expect(await demo.post(owner, "/account/devices", { end: "others" })).toBe("/account?notice=alone")
  } finally {
    vi.useRealTimers()
  }
})

it("does nothing for a session that ended, or grew old, while the form was on its way", {
  tags: ["threat:SF-08", "threat:V7-15"],
}, async () => {
  const demo = await begin("jwt")
  vi.useFakeTimers({ toFake: ["Date"] })
  try {
    const form = { provider: "demo-op", account: "1" }
    const old = await demo.hold(await demo.signIn(), "/account/unlink", form)
    vi.setSystemTime(Date.now() + 20 * 60 * 1000)
    expect(await old()).toBe(302)
    const thief = await demo.signIn()
    const ended = await demo.hold(thief, "/account/unlink", form)
    await demo.post(await demo.signIn(), "/account/devices", { end: "others" })
    expect([await demo.isIn(thief), await ended()]).toEqual([false, 302])
    expect(demo.unlinked).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
