/** A page of another site must not use up what a network may do, by requests that its visitors' browsers send. */
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import { openBrowser } from "../support/browser.js"

const code = "047111"
const relayingParty = { id: "app.test", name: "App", origin: ["https://app.test", "https://shop.test"] }

/** Two passkeys may be asked for, and two wrong codes tried, from one network. */
function open(party: object = { relayingParty }) {
  const provider = { id: "mail", name: "Mail", type: "email", from: "a@app.test", sendVerificationRequest: () => {} }
  const mail = { ...provider, generateVerificationToken: () => code }
  const auth = createAuth(
    {
      providers: [Passkey(party), mail] as never[],
      secret: "a secret of thirty-two characters",
      trustHost: true,
      adapter: memoryAdapter(),
      experimental: { enableWebAuthn: true },
      logger: { error() {}, warn() {}, debug() {} },
      limits: { budgets: { ceremony: { network: { free: 2 } }, code: { network: { free: 2 } } } },
    },
    { env: { NODE_ENV: "production" } },
  )
  return openBrowser((request) => auth.handle(request, { address: "203.0.113.7" }))
}

const from = (site: string, mode: string, dest: string) => ({
  "sec-fetch-site": site,
  "sec-fetch-mode": mode,
  "sec-fetch-dest": dest,
})
const options = "/auth/webauthn-options/passkey"
const link = (email: string, token = code): string => `/auth/callback/mail?${new URLSearchParams({ token, email })}`

describe("a page elsewhere", { tags: ["threat:V6-06"] }, () => {
  it.each([
    from("cross-site", "no-cors", "image"),
    from("same-site", "no-cors", "script"),
    from("cross-site", "navigate", "iframe"),
    from("cross-site", "navigate", "document"),
    { ...from("cross-site", "cors", "empty"), origin: "https://evil.test" },
    { ...from("same-site", "cors", "empty"), origin: "https://blog.app.test" },
    { ...from("none", "navigate", "document"), "sec-purpose": "prefetch" },
  ])("has no passkeys asked for: %j", async (headers) => {
    const browser = open()
    for (let time = 0; time < 5; time += 1) expect((await browser.get(options, headers)).status).toBe(403)
    for (let time = 0; time < 5; time += 1) {
      const form = { action: "authenticate", data: "{}" }
      const visit = await browser.post("/auth/callback/passkey", form, { csrf: false, headers })
      expect(visit.location).toBe("https://app.test/auth/signin?error=Signin")
    }
    expect((await browser.get(options, from("same-origin", "cors", "empty"))).status).toBe(200)
    expect((await browser.get(options)).status).toBe(200)
    expect((await browser.get(options)).status).toBe(429)
  })

  it.each([
    from("cross-site", "no-cors", "image"),
    from("cross-site", "navigate", "iframe"),
    from("same-site", "navigate", "embed"),
    from("cross-site", "websocket", "empty"),
    from("cross-site", "cors", "empty"),
  ])("has no codes tried: %j", async (headers) => {
    const browser = open()
    await browser.post("/auth/signin/mail", { email: "ada@app.test" })
    for (let time = 0; time < 5; time += 1) {
      const visit = await browser.get(link(`x${time}@app.test`, "000000"), headers)
      expect(visit.location).toBe("https://app.test/auth/signin?error=Signin")
    }
    await browser.get(link("ada@app.test"))
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })
})

describe("whoever means it", { tags: ["threat:V6-06"] }, () => {
  it.each([
    from("cross-site", "navigate", "document"),
    from("same-site", "navigate", "document"),
    from("cross-site", "same-origin", "empty"),
    from("none", "navigate", "document"),
    from("same-origin", "no-cors", "image"),
    { "sec-fetch-site": "cross-site" },
    {},
  ])("follows a mailed link: %j", async (headers) => {
    const browser = open()
    await browser.post("/auth/signin/mail", { email: "ada@app.test" })
    await browser.get(link("ada@app.test"), headers as Record<string, string>)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })

  it.each([
    from("same-origin", "cors", "empty"),
    from("none", "navigate", "document"),
    { ...from("cross-site", "cors", "empty"), origin: "https://shop.test" },
    {},
  ])("asks for passkeys: %j", async (headers) => {
    expect((await open().get(options, headers as Record<string, string>)).status).toBe(200)
  })

  it("asks for them from where `getRelayingParty` may allow it, in a page that reads the answer", async () => {
    const party = { getRelayingParty: () => ({ ...relayingParty, origin: "https://shop.test" }) }
    const headers = from("cross-site", "cors", "empty")
    expect((await open(party).get(options, { ...headers, origin: "https://shop.test" })).status).toBe(200)
    expect((await open(party).get(options, headers)).status).toBe(403)
  })
})
