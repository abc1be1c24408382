/** The world around an application: mails arrive, passkeys answer, and one person comes in by each way. */
import { createAuth } from "@latchkey/core"
import { memoryAdapter } from "@latchkey/core/memory"
import { Email } from "@latchkey/core/providers/email"
import { Nodemailer } from "@latchkey/core/providers/nodemailer"
import { Passkey } from "@latchkey/core/providers/passkey"
import { createTransport } from "nodemailer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openBrowser, type TestBrowser } from "../../core/test/support/browser.js"
import { registerPasskey, signInByPasskey } from "../../core/test/support/passkeys.js"
import { createMailbox, createWorld, people, softwarePasskey, type World } from "../src/index.js"

const origin = "https://app.test"
const [ada] = people
let world: World<"acme" | "globex">
beforeAll(async () => {
  world = await createWorld({ providers: ["acme", "globex"] })
}, 30_000)
afterAll(() => world?.close())

function arrive(): TestBrowser {
  const { acme, globex } = world.providers
  const auth = createAuth(
    {
      secret: "a secret of the tests that is long enough",
      trustHost: true,
      adapter: memoryAdapter(),
      session: { strategy: "database" },
      experimental: { enableWebAuthn: true },
      logger: { error: (error) => console.error(error), warn: () => undefined, debug: () => undefined },
      providers: [
        acme.config,
        globex.config,
        Nodemailer({ server: world.mailbox.server, from: "app@app.test" }),
        Email({ sendVerificationRequest: world.mailbox.sendVerificationRequest }),
        Passkey(),
      ],
    },
    { env: {} },
  )
  return openBrowser(auth.handle, { origin })
}

const open = (browser: TestBrowser, url: string) => browser.get(url.slice(origin.length))

describe("a world", () => {
  it("has a provider for each id, all of which know the same people", async () => {
    expect(world.provider).toBe(world.providers.acme)
    expect(Object.keys(world.env).toSorted()).toEqual([
      "AUTH_ACME_ID",
      "AUTH_ACME_ISSUER",
      "AUTH_ACME_SECRET",
      "AUTH_GLOBEX_ID",
      "AUTH_GLOBEX_ISSUER",
      "AUTH_GLOBEX_SECRET",
    ])
    for (const id of ["acme", "globex"] as const) {
      const browser = arrive()
      const begun = await browser.post(`/auth/signin/${id}`)
      await open(browser, await world.providers[id].authorize(begun.location ?? ""))
      expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
    }
  })

  it.each(["nodemailer", "email"])("takes the links of the provider %s", async (provider) => {
    const browser = arrive()
    await browser.post(`/auth/signin/${provider}`, { email: "Mary@app.test" })
    const { link } = await world.mailbox.next("mary@app.test")
    await open(browser, link)
    expect(await browser.session()).toMatchObject({ user: { email: "mary@app.test" } })
  })

  it("has passkeys that register and sign in", async () => {
    const browser = arrive()
    const passkey = softwarePasskey({ origin })
    await registerPasskey(browser, passkey, "ada@app.test")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
    await browser.post("/auth/signout")
    expect(await browser.session()).toBeNull()
    await signInByPasskey(browser, passkey)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
    expect(passkey.credentials[0]?.counter).toBe(1)
  })

  it("moves the clock of the process, and gives it back when it is closed", async () => {
    const own = await createWorld({ people: [{ sub: "mary", name: "Mary" }] })
    expect(own.provider.person?.sub).toBe("mary")
    const before = Date.now()
    own.clock.advance({ days: 2 })
    expect(Date.now() - before).toBeGreaterThan(86_400_000)
    await own.close()
    expect(Date.now() - before).toBeLessThan(86_400_000)
  })

  it("is not made without a provider", async () => {
    await expect(createWorld({ providers: [] })).rejects.toThrow("at least one provider")
  })
})

describe("a mailbox", () => {
  it("hands out each mail once, the oldest first, and waits for the next", async () => {
    const mailbox = await createMailbox()
    try {
      const mail = { from: "app@app.test", subject: "Hello", text: "See https://app.test/one?a=1&b=2 now" }
      const transport = createTransport(mailbox.server)
      const waiting = mailbox.next("ada@app.test")
      await transport.sendMail({ ...mail, to: "ada@app.test, grace@app.test" })
      await transport.sendMail({
        ...mail,
        to: "ADA@app.test",
        subject: "Again",
        text: "",
        html: '<a href="https://app.test/?x=1&amp;y=2">in</a>',
      })
      const first = await waiting
      expect(first).toMatchObject({ to: "ada@app.test", from: "app@app.test", subject: "Hello" })
      expect(first.link).toBe("https://app.test/one?a=1&b=2")
      expect(await mailbox.next("ada@app.test")).toMatchObject({ subject: "Again", link: "https://app.test/?x=1&y=2" })
      expect((await mailbox.next("grace@app.test")).subject).toBe("Hello")
      expect(mailbox.mails).toHaveLength(3)
      await expect(mailbox.next("ada@app.test", { timeout: 20 })).rejects.toThrow("Mails arrived for: ada@app.test")
    } finally {
      await mailbox.close()
    }
  })

  it("keeps no more mails than it is asked to, the newest ones", async () => {
    const mailbox = await createMailbox({ keptAtMost: 2 })
    for (const url of ["one", "two", "three"]) mailbox.sendVerificationRequest({ identifier: "ada@app.test", url })
    expect(mailbox.mails.map(({ text }) => text)).toEqual(["two", "three"])
    expect((await mailbox.next("ada@app.test")).text).toBe("two")
    await mailbox.close()
  })

  it("refuses a mail that is larger than it takes, and goes on with the next", async () => {
    const mailbox = await createMailbox({ bytesAtMost: 2000 })
    const transport = createTransport(mailbox.server)
    const mail = { from: "app@app.test", to: "ada@app.test", subject: "Hello" }
    await expect(transport.sendMail({ ...mail, text: "x".repeat(2000) })).rejects.toThrow(/552/)
    await transport.sendMail({ ...mail, text: "short" })
    expect(mailbox.mails.map(({ text }) => text.trim())).toEqual(["short"])
    await mailbox.close()
  })

  it("says so where a mail holds no link", async () => {
    const mailbox = await createMailbox()
    mailbox.sendVerificationRequest({ identifier: "ada@app.test", url: "nothing" })
    const mail = await mailbox.next("ada@app.test")
    expect(() => mail.link).toThrow("holds no link")
    await mailbox.close()
  })
})
