/** A stranger asks for mails with addresses that only look like somebody's: none of them is counted at that person. */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { openBrowser } from "../support/browser.js"
import { mailProvider } from "../support/password-service.js"

const address = "jessica@app.test"

function open(normalizeIdentifier?: (typed: string) => string) {
  const sent: string[] = []
  const mail = {
    ...(mailProvider(({ identifier }) => void sent.push(identifier)) as object),
    ...(normalizeIdentifier && { normalizeIdentifier }),
  }
  const secret = randomBytes(32).toString("hex")
  const config = { secret, trustHost: true, adapter: memoryAdapter(), providers: [mail] as never[] }
  const auth = createAuth(
    { ...config, logger: { error() {}, warn() {}, debug() {} } },
    { env: { NODE_ENV: "production" } },
  )
  return { sent, browser: (from: string) => openBrowser((request) => auth.handle(request, { address: from })) }
}

const refusing = (typed: string): string => {
  const read = typed.trim().toLowerCase()
  if (!/^[a-z]+@app\.test$/.test(read)) throw new Error("no address of ours")
  return read
}
/** As Auth.js does it where the application says nothing. */
const ofAuthJs = (typed: string): string => {
  const [local, domain] = typed.toLowerCase().trim().split("@")
  return `${local}@${domain?.split(",")[0]}`
}

describe("mails to an address that only looks like another", { tags: ["threat:V6-06"] }, () => {
  const looks = {
    "a character without width": `${address}\u200b`,
    "an accent": "jessic\u00e1@app.test",
    "letters of full width": "\uff4aessica@app.test",
    "a control character": `${address}\u0001`,
    "a tab": "jessica\t@app.test",
    "one letter for two": "jesica@app.test",
  }
  it.each(
    Object.entries(looks).flatMap(([look, email]) => [
      [look, "of the service", email, undefined] as const,
      [look, "that refuses", email, refusing] as const,
      [look, "of Auth.js", email, ofAuthJs] as const,
    ]),
  )("with %s, by a normaliser %s, do not use up those of its owner", async (_, __, email, normalize) => {
    const { sent, browser } = open(normalize)
    for (let index = 0; index < 6; index += 1) await browser("203.0.113.8").post("/auth/signin/mail", { email })
    expect(sent).not.toContain(address)
    const { status } = await browser("198.51.100.9").post("/auth/signin/mail", { email: address })
    expect([status, sent.filter((to) => to === address)]).toEqual([302, [address]])
  })

  it("are counted in any case, and where the normaliser leads to it", async () => {
    const { sent, browser } = open((typed) => typed.replace(/\+.*@/, "@"))
    for (const email of ["jessica+1@app.test", "JESSICA@app.test", "Jessica+2@app.test", address])
      await browser("203.0.113.8").post("/auth/signin/mail", { email })
    expect(sent).toHaveLength(3)
  })

  it("are counted together where they differ behind a plus, which hosts deliver to one mailbox", async () => {
    const { sent, browser } = open()
    for (let index = 0; index < 12; index += 1)
      await browser("203.0.113.8").post("/auth/signin/mail", { email: `jessica+${index}@app.test` })
    expect(sent).toEqual(["jessica+0@app.test", "jessica+1@app.test", "jessica+2@app.test"])
  })

  it("are counted together where mail software takes the domains for one", async () => {
    const { sent, browser } = open((typed) => typed.trim().toLowerCase())
    const domains = [
      "b\u00fccher.test",
      "xn--bcher-kva.test",
      "B\u00dcCHER.test",
      "bu\u0308cher.test",
      "b\u00fccher\u3002test",
    ]
    const marks = Array.from({ length: 16 }, (_, at) => `b\u00fc${String.fromCodePoint(0xfe00 + at)}cher.test`)
    for (const domain of [...domains, ...marks])
      await browser("203.0.113.8").post("/auth/signin/mail", { email: `jessica@${domain}` })
    expect(sent).toHaveLength(3)
  })

  it("are still limited by network where they are refused", async () => {
    const { browser } = open()
    const statuses: number[] = []
    for (let index = 0; index < 62; index += 1)
      statuses.push((await browser("203.0.113.8").post("/auth/signin/mail", { email: `${address}\u200b` })).status)
    expect(statuses.indexOf(429)).toBe(60)
  })
})
