/** Asking for a link: who asks, what is stored, what is sent, and what happens when it cannot be sent. */
import { describe, expect, it, vi } from "vitest"
import { contextsOf, keepCookies, testNow, testSecret } from "../../../test/support/method-context.js"
import { memoryAdapter } from "../../adapters/memory.js"
import { openCheck } from "../../checks/sealed.js"
import { flowOf, handleOfLink } from "../../context/flow.js"
import { hashVerificationToken } from "../../crypto/token.js"
import { AccessDenied, AdapterError, EmailAddressRefused, EmailSignInError } from "../../errors.js"
import type { Adapter } from "../../types/adapter.js"
import type { EmailConfig, SendVerificationRequestParams } from "../../types/provider.js"
import { begin, claim } from "./begin.js"
import type { EmailContext } from "./token.js"

const path = "/auth/signin/mail"
const returnTo = "https://app.test/after"

interface Setup {
  readonly sent: SendVerificationRequestParams[]
  readonly adapter: Required<Adapter>
  readonly contexts: ReturnType<typeof contextsOf<EmailContext>>
}

function setup(provider: Partial<EmailConfig> = {}, adapter: Partial<Adapter> = {}, secret?: string[]): Setup {
  const sent: SendVerificationRequestParams[] = []
  const mail: EmailConfig = {
    id: "mail",
    name: "Mail",
    type: "email",
    sendVerificationRequest: async (params) => void sent.push(params),
    ...provider,
  }
  const memory = { ...memoryAdapter(), ...adapter } as Required<Adapter>
  const contexts = contextsOf<EmailContext>({ providers: [mail], adapter: memory, ...(secret && { secret }) })
  return { sent, adapter: memory, contexts }
}

const ask = (email: unknown): { path: string; form: Record<string, unknown> } => ({ path, form: { email } })

describe("claim", () => {
  it("names the stored user of the address, in whatever way it is typed [spec authentication 6]", async () => {
    const { contexts, adapter } = setup()
    const user = await adapter.createUser({ id: "", email: "ada@example.test", emailVerified: null })
    const claimed = await claim(await contexts(ask(" Ada@Example.TEST ")))
    expect(claimed.user).toEqual(user)
    expect(claimed.account).toEqual({
      provider: "mail",
      providerAccountId: "ada@example.test",
      userId: user.id,
      type: "email",
    })
  })

  it("names a candidate for an address nobody has, and writes nothing", async () => {
    const createUser = vi.fn()
    const { contexts } = setup({}, { createUser })
    const { user, account } = await claim(await contexts(ask("new@example.test")))
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: "new@example.test",
      emailVerified: null,
    })
    expect(account.userId).toBe(user.id)
    expect(createUser).not.toHaveBeenCalled()
  })

  it.each([
    ["EM-097", ["x@evil.test", "v@victim.test"]],
    ["EM-098", { $gt: "" }],
    ["EM-099", 123],
    ["EM-099", true],
    ["EM-099", null],
    ["EM-101", undefined],
    ["PP-17", { toString: "x@evil.test" }],
    ["A-178", { path: "/etc/passwd" }],
    ["A-178", { href: "http://169.254.169.254/" }],
    ["EM-014", "x@evil.test,v@victim.test"],
  ])("[%s] refuses %j before the adapter is asked", async (_, email) => {
    const getUserByEmail = vi.fn()
    const { contexts } = setup({}, { getUserByEmail })
    await expect(claim(await contexts(ask(email)))).rejects.toThrow(EmailAddressRefused)
    expect(getUserByEmail).not.toHaveBeenCalled()
  })

  it.each([
    ["a list", (): string => ["x@evil.test"] as unknown as string],
    ["nothing", (): string => undefined as unknown as string],
    ["two addresses", (): string => "x@evil.test,v@victim.test"],
    [
      "a throw",
      (): string => {
        throw new Error("no")
      },
    ],
  ])("refuses what a normaliser of the application makes of it: %s [EM-103]", async (_, normalizeIdentifier) => {
    const { contexts } = setup({ normalizeIdentifier })
    await expect(claim(await contexts(ask("a@b.test")))).rejects.toThrow(EmailAddressRefused)
  })

  it("takes the address that a normaliser of the application makes of it", async () => {
    const { contexts } = setup({ normalizeIdentifier: (typed) => typed.replace("+tag", "") })
    const { account } = await claim(await contexts(ask("A+tag@b.test")))
    expect(account.providerAccountId).toBe("A@b.test")
  })

  it("passes on an AuthError that the normaliser throws", async () => {
    const normalizeIdentifier = (): string => {
      throw new AccessDenied("not our domain")
    }
    const { contexts } = setup({ normalizeIdentifier })
    await expect(claim(await contexts(ask("a@b.test")))).rejects.toThrow(AccessDenied)
  })
})

describe("begin", () => {
  it.each([
    [{}, { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" }],
    [{ brandColor: "#123456" }, { brandColor: "#123456" }],
  ])("gives the sender of an application with the theme %j the theme %j", async (theme, seen) => {
    const sendVerificationRequest = vi.fn()
    const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest } as const
    const contexts = contextsOf<EmailContext>({ providers: [mail], adapter: memoryAdapter(), theme })
    await begin(await contexts(ask("ada@example.test")), { returnTo })
    expect(sendVerificationRequest).toHaveBeenCalledWith(expect.objectContaining({ theme: seen }))
  })

  it("mails, stores and links the same address, the token hashed and the end one hour away [spec authentication 6] [spec verification-token identifier] [spec verification-token token] [spec verification-token expires] [spec adapter createVerificationToken] [FD-02] [TL-08] [V6-15]", async () => {
    const order: string[] = []
    const memory = memoryAdapter()
    const createVerificationToken = vi.fn(async (row: Parameters<Required<Adapter>["createVerificationToken"]>[0]) => {
      order.push("store")
      return memory.createVerificationToken(row)
    })
    const { contexts, sent } = setup(
      {
        sendVerificationRequest: async (params) => {
          order.push("send")
          sent.push(params)
        },
      },
      { createVerificationToken },
    )
    const context = await contexts(ask("Ada@Example.test"))
    const { goTo, cookies } = await begin(context, { returnTo })
    const [mail] = sent
    if (!mail) throw new Error("no mail was sent")
    expect(order).toEqual(["store", "send"])
    expect(mail.token).toMatch(/^[0-9a-f]{64}$/)
    const expires = new Date(testNow.getTime() + 3_600_000)
    expect(createVerificationToken).toHaveBeenCalledWith({
      identifier: "ada@example.test",
      token: await hashVerificationToken(mail.token, testSecret),
      expires,
    })
    expect(mail.identifier).toBe("ada@example.test")
    expect(mail.expires).toEqual(expires)
    expect(mail.url).toBe(
      `https://app.test/auth/callback/mail?callbackUrl=https%3A%2F%2Fapp.test%2Fafter&token=${mail.token}&email=ada%40example.test`,
    )
    expect(mail.provider).toMatchObject({
      id: "mail",
      signinUrl: "https://app.test/auth/signin/mail",
      callbackUrl: "https://app.test/auth/callback/mail",
    })
    expect(mail.request.url).toBe(`https://app.test${path}`)
    expect(await mail.request.json()).toEqual({ email: "Ada@Example.test" })
    expect(goTo).toBe("https://app.test/auth/verify-request?provider=mail&type=email")
    expect(cookies).toEqual([])
  })

  it("answers alike whether the address is known or not [TL-01] [A-145]", async () => {
    const { contexts, adapter } = setup()
    await adapter.createUser({ id: "", email: "known@example.test", emailVerified: null })
    const known = await begin(await contexts(ask("known@example.test")), { returnTo })
    const unknown = await begin(await contexts(ask("unknown@example.test")), { returnTo })
    expect(unknown).toEqual(known)
  })

  it("uses the application's token, lifetime and secret", async () => {
    const createVerificationToken = vi.fn()
    const { contexts, sent } = setup(
      { generateVerificationToken: () => "123456", maxAge: 600, secret: "own" },
      { createVerificationToken },
    )
    await begin(await contexts(ask("a@b.test")), { returnTo })
    expect(createVerificationToken).toHaveBeenCalledWith({
      identifier: "a@b.test",
      token: await hashVerificationToken("123456", "own"),
      expires: new Date(testNow.getTime() + 600_000),
    })
    expect(sent[0]?.token).toBe("123456")
  })

  it("makes a token itself when the application's generator returns nothing", async () => {
    const { contexts, sent } = setup({ generateVerificationToken: () => undefined as unknown as string })
    await begin(await contexts(ask("a@b.test")), { returnTo })
    expect(sent[0]?.token).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ["empty text", ""],
    ["a number", 7],
  ])("refuses a token that is %s", async (_, token) => {
    const { contexts, sent } = setup({ generateVerificationToken: () => token as string })
    await expect(begin(await contexts(ask("a@b.test")), { returnTo })).rejects.toThrow(EmailSignInError)
    expect(sent).toEqual([])
  })

  it("hashes with the newest secret of a list", async () => {
    const createVerificationToken = vi.fn()
    const secrets = ["n".repeat(32), "o".repeat(32)]
    const { contexts, sent } = setup({}, { createVerificationToken }, secrets)
    await begin(await contexts(ask("a@b.test")), { returnTo })
    const token = await hashVerificationToken(sent[0]?.token ?? "", secrets[0] ?? "")
    expect(createVerificationToken.mock.calls[0]?.[0]).toMatchObject({ token })
  })

  it("sends nothing when the token cannot be stored [FD-02]", async () => {
    const { contexts, sent } = setup({}, { createVerificationToken: () => Promise.reject(new Error("down")) })
    await expect(begin(await contexts(ask("a@b.test")), { returnTo })).rejects.toThrow(AdapterError)
    expect(sent).toEqual([])
  })

  it.each([
    [
      "throws",
      (): void => {
        throw new Error("refused")
      },
    ],
    ["rejects", (): Promise<void> => Promise.reject(new Error("refused"))],
    ["rejects with nothing", (): Promise<void> => Promise.reject()],
  ])(
    "turns a sender that %s into EmailSignInError with its cause [FM-01] [FM-06]",
    async (_, sendVerificationRequest) => {
      const { contexts } = setup({ sendVerificationRequest })
      const failure = begin(await contexts(ask("a@b.test")), { returnTo })
      await expect(failure).rejects.toThrow(EmailSignInError)
      await expect(failure).rejects.toMatchObject({ cause: { err: expect.any(Error) } })
    },
  )

  it("ends with an error when the sender never finishes [FM-03] [FM-04] [FM-06]", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let isCalled = (): void => {}
      const called = new Promise<void>((resolve) => {
        isCalled = resolve
      })
      const { contexts } = setup({
        sendVerificationRequest: () => {
          isCalled()
          return new Promise<void>(() => {})
        },
      })
      const failure = expect(begin(await contexts(ask("a@b.test")), { returnTo })).rejects.toThrow(/30 s/)
      await called
      await vi.advanceTimersByTimeAsync(30_000)
      await failure
    } finally {
      vi.useRealTimers()
    }
  })

  it("calls the application's functions on the provider's configuration", async () => {
    const seen: unknown[] = []
    const { contexts } = setup({
      from: "me@app.test",
      sendVerificationRequest(this: EmailConfig) {
        seen.push(this.from)
      },
      generateVerificationToken(this: EmailConfig) {
        seen.push(this.from)
        return "t"
      },
    })
    await begin(await contexts(ask("a@b.test")), { returnTo })
    expect(seen).toEqual(["me@app.test", "me@app.test"])
  })

  it.each(["never", "always"] as const)("sets no cookie with confirm %s", async (confirm) => {
    const { contexts } = setup({ confirm })
    expect((await begin(await contexts(ask("a@b.test")), { returnTo })).cookies).toEqual([])
  })

  it("remembers the asking browser where others have to confirm, in a slot of its own", async () => {
    const { contexts, sent } = setup({ confirm: "other-browser" })
    const context = await contexts(ask("a@b.test"))
    const { cookies } = await begin(context, { returnTo })
    const stored = await hashVerificationToken(sent[0]?.token ?? "", testSecret)
    const handle = handleOfLink(stored, "a@b.test")
    const slot = await flowOf(handle)
    expect(cookies).toMatchObject([{ role: "state", slot }])
    const back = await contexts({ path: "/auth/callback/mail", cookies: keepCookies(context, cookies) })
    const { value } = await openCheck(back, { role: "state", slot })
    expect(value).toBe(handle)
  })
})
