/** The shipped mail providers: their shape, and what they hand to the mail server or service. */
import { createTransport } from "nodemailer"
import PostalMime from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { EmailSignInError, InvalidConfiguration } from "../../errors.js"
import type { EmailConfig, SendVerificationRequestParams } from "../../types/provider.js"
import { Email } from "../email.js"
import { Loops } from "../loops.js"
import { MailGun } from "../mailgun.js"
import { Nodemailer } from "../nodemailer.js"
import { Postmark } from "../postmark.js"
import { Resend } from "../resend.js"
import { SendGrid } from "../sendgrid.js"

const url = "https://app.test:8443/auth/callback/mail?callbackUrl=https%3A%2F%2Fapp.test&token=t&email=a%40b.test"

async function send(provider: EmailConfig, changes: Partial<SendVerificationRequestParams> = {}): Promise<void> {
  await provider.sendVerificationRequest({
    identifier: "a@b.test",
    url,
    token: "t",
    expires: new Date("2026-07-22T13:00:00Z"),
    theme: {},
    request: new Request("https://app.test/auth/signin/mail"),
    // As the engine hands it over: with the options laid over it.
    provider: { ...provider, ...provider.options },
    ...changes,
  })
}

const servers: SMTPServer[] = []
afterEach(async () => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
})

interface Received {
  readonly to: string[]
  readonly mail: Awaited<ReturnType<typeof PostalMime.parse>>
}

async function startSmtp(options: SMTPServerOptions = {}): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          received.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail })
          done()
        })
      })
    },
    ...options,
  })
  server.on("error", () => {})
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  return { port: (server.server.address() as { port: number }).port, received }
}

describe("Nodemailer", () => {
  it("is a provider of type email under the id nodemailer", () => {
    expect(Nodemailer({ server: "smtp://localhost" })).toMatchObject({
      id: "nodemailer",
      name: "Nodemailer",
      type: "email",
    })
    expect(Nodemailer({ server: "x", id: "mail", name: "Mail", maxAge: 60 })).toMatchObject({
      id: "mail",
      name: "Mail",
      maxAge: 60,
    })
  })

  it("says what is missing without a server", () => {
    expect(() => Nodemailer({})).toThrow(InvalidConfiguration)
    expect(Nodemailer({ sendVerificationRequest: () => {} })).toMatchObject({ id: "nodemailer" })
  })

  it.each([
    ["an address", (port: number): unknown => `smtp://127.0.0.1:${port}`],
    ["options", (port: number): unknown => ({ host: "127.0.0.1", port })],
    ["a transporter", (port: number): unknown => createTransport({ host: "127.0.0.1", port })],
  ])("sends text and HTML to one recipient, its server given as %s", async (_, serverOf) => {
    const { port, received } = await startSmtp()
    await send(Nodemailer({ server: serverOf(port), from: "Demo <demo@app.test>" }))
    const [first] = received
    expect(first?.to).toEqual(["a@b.test"])
    expect(first?.mail.from).toEqual({ address: "demo@app.test", name: "Demo" })
    expect(first?.mail.subject).toBe("Sign in to app.test:8443")
    expect(first?.mail.text?.split("\n").map((line) => line.trim())).toContain(url)
    expect(first?.mail.html).toContain("<a href=")
  })

  it("has a sender when none is set", async () => {
    const { port, received } = await startSmtp()
    await send(Nodemailer({ server: `smtp://127.0.0.1:${port}` }))
    expect(received[0]?.mail.from?.address).toBe("no-reply@app.test")
  })

  it("hands the recipient over as one, whatever it holds [A-006] [A-173] [A-178]", async () => {
    const sendMail = vi.fn(async (_mail: Record<string, unknown>) => ({ rejected: [], pending: [] }))
    await send(Nodemailer({ server: { sendMail } }), { identifier: '"x@evil.test, v@victim.test"@b.test' })
    expect(sendMail.mock.calls[0]?.[0]).toMatchObject({
      to: { name: "", address: '"x@evil.test, v@victim.test"@b.test' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  })

  it.each([
    ["rejected", { rejected: ["a@b.test"], pending: [] }],
    ["pending", { rejected: [], pending: ["a@b.test"] }],
  ])("fails when the recipient was %s [FM-07]", async (_, outcome) => {
    await expect(send(Nodemailer({ server: { sendMail: async () => outcome } }))).rejects.toThrow(EmailSignInError)
  })

  it.each([
    [
      "refuses the connection [FM-01]",
      { onConnect: (_: unknown, done: (error: Error) => void) => done(new Error("no")) },
    ],
    [
      "refuses the recipient [FM-02]",
      { onRcptTo: (_: unknown, __: unknown, done: (error: Error) => void) => done(new Error("unknown mailbox")) },
    ],
  ])("fails when the server %s", async (_, options) => {
    const { port } = await startSmtp(options as SMTPServerOptions)
    await expect(send(Nodemailer({ server: `smtp://127.0.0.1:${port}` }))).rejects.toThrow()
  })

  it("fails when the server refuses the password [FM-01]", async () => {
    const { port } = await startSmtp({
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error("wrong password")),
    })
    const failure = send(Nodemailer({ server: `smtp://app:hunter2@127.0.0.1:${port}` }))
    await expect(failure).rejects.toThrow(/wrong password|Invalid login/)
    await expect(failure).rejects.not.toThrow(/hunter2/)
  })

  it("fails when the server asks to come again, or takes no secured connection [FM-01] [FM-02]", async () => {
    const later = Object.assign(new Error("come again"), { responseCode: 451 })
    const { port } = await startSmtp({ onRcptTo: (_address, _session, done) => done(later) })
    await expect(send(Nodemailer({ server: `smtp://127.0.0.1:${port}` }))).rejects.toThrow(/451/)
    await expect(send(Nodemailer({ server: `smtps://127.0.0.1:${port}` }))).rejects.toThrow(/SSL|TLS|version/i)
  })

  it("does not wait for a server that falls silent after the mail [FM-04]", async () => {
    const { port } = await startSmtp({ onData: (stream) => void stream.resume() })
    const before = performance.now()
    await expect(send(Nodemailer({ server: `smtp://127.0.0.1:${port}?socketTimeout=100` }))).rejects.toThrow(
      /[Tt]imeout/,
    )
    expect(performance.now() - before).toBeLessThan(5000)
  })

  it("fails when there is no server", async () => {
    await expect(send(Nodemailer({ server: "smtp://127.0.0.1:1" }))).rejects.toThrow(/ECONNREFUSED/)
  })

  it("does not wait for a server that does not respond [FM-03] [FM-04]", async () => {
    const { port } = await startSmtp({ onConnect: () => {} })
    const server = `smtp://127.0.0.1:${port}?greetingTimeout=100`
    const before = performance.now()
    await expect(send(Nodemailer({ server }))).rejects.toThrow(/[Gg]reeting/)
    expect(performance.now() - before).toBeLessThan(5000)
  })

  it("refuses an untrusted certificate [A-177] [FM-01]", async () => {
    // The server says that its built-in certificate is no good: that is the point here.
    vi.spyOn(console, "error").mockImplementation(() => {})
    const { port } = await startSmtp({ secure: true, disabledCommands: ["AUTH"] })
    await expect(send(Nodemailer({ server: `smtps://127.0.0.1:${port}` }))).rejects.toThrow(
      /certificate|self-signed|expired/i,
    )
  })
})

describe("Email", () => {
  it("is the same under the id email", async () => {
    const { port, received } = await startSmtp()
    const provider = Email({ server: `smtp://127.0.0.1:${port}` })
    expect(provider).toMatchObject({ id: "email", name: "Email", type: "email" })
    await send(provider)
    expect(received).toHaveLength(1)
    expect(Email({ server: "x", id: "mail", name: "Mail" })).toMatchObject({ id: "mail", name: "Mail" })
  })
})

describe("Resend", () => {
  it("posts text and HTML with its key", async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response("{}"))
    vi.stubGlobal("fetch", fetch)
    const provider = Resend({ apiKey: "re_key", from: "demo@app.test" })
    expect(provider).toMatchObject({ id: "resend", name: "Resend", type: "email" })
    await send(provider)
    const [address, init] = fetch.mock.calls[0] ?? []
    expect(address).toBe("https://api.resend.com/emails")
    expect(init).toMatchObject({ method: "POST", redirect: "error" })
    expect(new Headers(init?.headers).get("authorization")).toBe("Bearer re_key")
    const body = JSON.parse(String(init?.body)) as Record<string, string>
    expect(body).toMatchObject({ from: "demo@app.test", to: "a@b.test", subject: "Sign in to app.test:8443" })
    expect(body["text"]).toContain(url)
    expect(body["html"]).toContain("<a href=")
  })

  it("reports why the service refused, without the key", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ message: "API key re_key is invalid" }, { status: 401 }))
    const failure = send(Resend({ apiKey: "re_key" }))
    await expect(failure).rejects.toThrow(EmailSignInError)
    await expect(failure).rejects.toThrow("Resend refused the mail: 401 API key … is invalid")
  })
})

describe("other services", () => {
  function listen(answer: () => Response = () => new Response("{}")): { url: string; init: RequestInit }[] {
    const calls: { url: string; init: RequestInit }[] = []
    vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
      calls.push({ url: address, init })
      return answer()
    })
    return calls
  }

  it.each([
    ["US", "demo@app.test", "https://api.mailgun.net/v3/app.test/messages", "Mailgun <demo@app.test>"],
    ["EU", "Demo <demo@app.test>", "https://api.eu.mailgun.net/v3/app.test/messages", "Demo <demo@app.test>"],
  ] as const)("Mailgun in %s sends from %s", async (region, from, address, sender) => {
    const calls = listen()
    await send(MailGun({ apiKey: "mg", region, from }))
    expect(calls[0]?.url).toBe(address)
    const form = new URLSearchParams(String(calls[0]?.init.body))
    expect([form.get("from"), form.get("to"), form.get("text")]).toEqual([
      sender,
      "a@b.test",
      expect.stringContaining(url),
    ])
  })

  it.each([
    ["demo@app.test", { email: "demo@app.test" }],
    ["Demo <demo@app.test>", { email: "demo@app.test", name: "Demo" }],
    ['"De, mo" <demo@app.test>', { email: "demo@app.test", name: "De, mo" }],
    ["<demo@app.test>", { email: "demo@app.test" }],
  ])("SendGrid sends from %s", async (from, sender) => {
    const calls = listen()
    await send(SendGrid({ apiKey: "sg", from }))
    expect(JSON.parse(String(calls[0]?.init.body))).toMatchObject({ from: sender })
  })

  it("Loops needs its template", async () => {
    listen()
    await expect(send(Loops({ apiKey: "l" }))).rejects.toThrow(InvalidConfiguration)
  })

  it("Postmark reports why it refused", async () => {
    const refusal = { ErrorCode: 300, Message: "Invalid 'From' address pm_key" }
    listen(() => Response.json(refusal, { status: 422 }))
    await expect(send(Postmark({ apiKey: "pm_key" }))).rejects.toThrow(
      "Postmark refused the mail: 422 Invalid 'From' address …",
    )
  })
})
