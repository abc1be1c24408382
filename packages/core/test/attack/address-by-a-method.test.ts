/** A `normalizeIdentifier` that uses what stands beside it in its provider is a method: it has to be called as one wherever an address is read. */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { limits as control, createAuth } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { openBrowser } from "../support/browser.js"
import { mailProvider } from "../support/password-service.js"

interface Domain {
  readonly domain: string
}

/** Takes addresses of one domain, and none where it does not know which. */
function ofDomain(this: Domain, typed: string): string {
  const address = typed.trim().toLowerCase().replace(/\+.*@/, "@")
  if (!address.endsWith(`@${this.domain}`)) throw new Error("foreign")
  return address
}

function open(more: object = {}) {
  const sent: { url: string }[] = []
  const mail = mailProvider((params) => void sent.push(params)) as object
  const method = { ...mail, domain: "op.test", normalizeIdentifier: ofDomain, ...more }
  const auth = createAuth(
    {
      secret: randomBytes(32).toString("hex"),
      trustHost: true,
      adapter: memoryAdapter(),
      session: { strategy: "jwt" },
      logger: { error() {}, warn() {}, debug() {} },
      providers: [method, { ...mail, id: "other" }] as never[],
    },
    { env: { NODE_ENV: "production" } },
  )
  return { auth, sent, browser: openBrowser(auth.handle) }
}

describe("an address that a method of the provider reads", { tags: ["threat:V6-06"] }, () => {
  it("gets three mails, in whatever spelling they are asked for", async () => {
    const { sent, browser } = open()
    for (let index = 0; index < 12; index += 1)
      await browser.post("/auth/signin/mail", { email: `ada+${index}@op.test` })
    expect(sent).toHaveLength(3)
  })

  it("gets mails again once its limits are reset, in another spelling", async () => {
    const { auth, sent, browser } = open()
    for (let index = 0; index < 4; index += 1) await browser.post("/auth/signin/mail", { email: "ada@op.test" })
    await control.reset(auth, "Ada+1@op.test")
    await browser.post("/auth/signin/mail", { email: "ada@op.test" })
    expect(sent).toHaveLength(4)
  })

  it("signs in with a code that was mailed to it, beside another provider", async () => {
    const { sent, browser } = open({ generateVerificationToken: () => "047111" })
    await browser.post("/auth/signin/mail", { email: "ada@op.test" })
    const url = new URL(sent[0]?.url ?? "")
    await browser.get(url.pathname + url.search)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@op.test" } })
  })

  it("is nobody's where the method refuses it, so that its owner is not kept from theirs", async () => {
    const { sent, browser } = open({ domain: "another.test" })
    const statuses: number[] = []
    for (let index = 0; index < 5; index += 1)
      statuses.push((await browser.post("/auth/signin/mail", { email: "ada@op.test" })).status)
    expect(statuses).not.toContain(429)
    expect(sent).toHaveLength(0)
  })
})
