/** Somebody who compares what the service answers, and what it does, does not learn whether an address has an account. */
import { softwarePasskey } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import { openBrowser, type TestBrowser, type Visit } from "../support/browser.js"
import { credentialsProvider } from "../support/credentials.js"
import { registerPasskey } from "../support/passkeys.js"
import { recordCalls } from "../support/recorder.js"
import { makeWorld } from "../support/world.js"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Ask = (browser: TestBrowser, email: string) => Promise<Visit>

const script = { headers: { "x-auth-return-redirect": "1" } }
const options = (action: string): Ask => {
  return (browser, email) => browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams({ action, email })}`)
}

/** What a visitor can ask about an address; the statuses of the first answer and of the twelfth. */
const questions: readonly (readonly [string, Ask, readonly [number, number]])[] = [
  ["a link by mail", (browser, email) => browser.post("/auth/signin/mail", { email }), [302, 429]],
  [
    "a link by mail, asked by a script",
    (browser, email) => browser.post("/auth/signin/mail", { email }, script),
    [200, 429],
  ],
  [
    "a link whose token is wrong",
    (browser, email) => browser.get(`/auth/callback/mail?${new URLSearchParams({ token: "0".repeat(64), email })}`),
    [302, 302],
  ],
  ["options to sign in with a passkey", options("authenticate"), [200, 200]],
  ["options to register a passkey", options("register"), [200, 200]],
  [
    "a wrong password",
    (browser, name) => browser.post("/auth/callback/credentials", { name, password: "wrong" }),
    [302, 429],
  ],
  [
    "a wrong password, sent by a script",
    (browser, name) => browser.post("/auth/callback/credentials", { name, password: "wrong" }, script),
    [401, 429],
  ],
]

const owner = "ada@app.test"
/** As long as the other one. */
const stranger = "bob@app.test"

/** Cookies by name, length and attributes. */
const shapeOfCookie = (line: string): string =>
  line.replace(/^([^=]+)=([^;]*)/, (_, name: string, value: string) => `${name}=${value.length} characters`)

/** Ids differ from person to person, known or not, and so does their number. */
const shapeOfText = (text: string, email: string): string =>
  text
    .replaceAll(email, "<address>")
    .replaceAll(encodeURIComponent(email), "<address>")
    .replace(/"allowCredentials":\[[^\]]+\](?:,"usb"\]\}\])?/, '"allowCredentials":[…]')
    .replace(/[\w-]{40,}/g, (value) => `${value.length} characters`)

/** A service that the owner has used with a mailed link, a passkey and a password; asks it again and again from one network. */
async function askAbout(email: string, { ask, strategy }: { ask: Ask; strategy: "jwt" | "database" }) {
  vi.setSystemTime("2026-03-01T12:00:00.000Z")
  const { adapter, calls } = recordCalls(memoryAdapter())
  const authorize = async (): Promise<null> => null
  const more = [Passkey(), credentialsProvider(authorize)]
  const config = { experimental: { enableWebAuthn: true } }
  const world = await makeWorld({ strategy, adapter, more, config, env: { NODE_ENV: "production" } })
  const handle = (request: Request): Promise<Response> => world.auth.handle(request, { address: "203.0.113.7" })
  const ownersBrowser = openBrowser(handle)
  await world.signInByMail(ownersBrowser, owner)
  await registerPasskey(ownersBrowser, softwarePasskey())
  // What the owner did is no longer counted.
  vi.setSystemTime("2026-03-03T12:00:00.000Z")
  const browser = openBrowser(handle)
  await browser.csrfToken()
  const seen: Readonly<Record<string, unknown>>[] = []
  for (let round = 0; round < 12; round++) {
    calls.length = 0
    world.mails.length = 0
    world.events.length = 0
    world.errors.length = 0
    const { status, headers, text } = await ask(browser, email)
    seen.push({
      status,
      headers: [...headers].filter(([name]) => name !== "set-cookie").map(([, value]) => shapeOfText(value, email)),
      cookies: headers.getSetCookie().map(shapeOfCookie),
      text: shapeOfText(text, email),
      calls: calls.map(({ operation }) => operation),
      mails: world.mails.map(({ url, token }) => [shapeOfText(url, email), token.length]),
      events: world.events.map(([name]) => name),
      errors: world.errors.map(({ name }) => name),
    })
  }
  return seen
}

describe.each(["jwt", "database"] as const)("with %s sessions", (strategy) => {
  it.each(questions)(
    "%s is answered alike for a known and an unknown address, with the same calls of the store, until too many were asked",
    { tags: ["threat:TL-01", "threat:TL-03", "threat:TL-04", "threat:A-145", "threat:WO-11"] },
    async (_, ask, statuses) => {
      const known = await askAbout(owner, { ask, strategy })
      expect([known.at(0)?.["status"], known.at(-1)?.["status"]]).toEqual(statuses)
      expect(await askAbout(stranger, { ask, strategy })).toEqual(known)
    },
  )
})
