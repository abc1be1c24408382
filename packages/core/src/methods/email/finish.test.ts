/** Following a link: it works once, in time, for its own address, and a prefetch never consumes it. */
import { describe, expect, it, vi } from "vitest"
import { contextsOf, keepCookies, testNow, testSecret } from "../../../test/support/method-context.js"
import { memoryAdapter } from "../../adapters/memory.js"
import { hashVerificationToken } from "../../crypto/token.js"
import { AdapterError, Verification } from "../../errors.js"
import type { Adapter } from "../../types/adapter.js"
import type { EmailConfig } from "../../types/provider.js"
import { emailPolicy } from "../policy.js"
import { begin } from "./begin.js"
import { finish } from "./finish.js"
import type { EmailContext } from "./token.js"

interface Setup {
  readonly adapter: Required<Adapter>
  readonly contexts: ReturnType<typeof contextsOf<EmailContext>>
  /** Path of a fresh link for `a@b.test`. */
  link(changes?: Readonly<Record<string, string | undefined>>): Promise<string>
  /** The same, with the cookies of the browser that asked. */
  asked(): Promise<{ path: string; cookies: Map<string, string> }>
}

function setup(
  provider: Partial<EmailConfig> = {},
  { adapter = memoryAdapter(), secret = testSecret as string | string[] } = {},
): Setup {
  let url = ""
  const mail: EmailConfig = {
    id: "mail",
    name: "Mail",
    type: "email",
    sendVerificationRequest: (params) => {
      url = params.url
    },
    ...provider,
  }
  const contexts = contextsOf<EmailContext>({ providers: [mail], adapter, secret })
  const asked: Setup["asked"] = async () => {
    const context = await contexts({ path: "/auth/signin/mail", form: { email: "a@b.test" } })
    const { cookies } = await begin(context, { returnTo: "https://app.test/after" })
    return { path: url.slice("https://app.test".length), cookies: keepCookies(context, cookies) }
  }
  const link: Setup["link"] = async (changes = {}) => {
    const { path } = await asked()
    const changed = new URL(path, "https://app.test")
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) changed.searchParams.delete(name)
      else changed.searchParams.set(name, value)
    }
    return changed.pathname + changed.search
  }
  return { adapter, contexts, link, asked }
}

const later = (seconds: number): Date => new Date(testNow.getTime() + seconds * 1000)

describe("finish", () => {
  it("proves the address of the link and consumes its token [spec authentication 6] [spec state verification-token-used] [spec adapter useVerificationToken]", async () => {
    const { contexts, link } = setup()
    const path = await link()
    const proof = await finish(await contexts({ path }))
    expect(proof).toEqual({
      kind: "proof",
      policy: emailPolicy,
      user: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), email: "a@b.test", emailVerified: null },
      account: { provider: "mail", providerAccountId: "a@b.test", type: "email" },
      stored: { provider: "mail", providerAccountId: "a@b.test", type: "email" },
      emailStatus: "verified",
      mayLinkByEmail: true,
      returnTo: undefined,
    })
    await expect(finish(await contexts({ path }))).rejects.toThrow(Verification)
  })

  it("signs in one of twenty parallel requests [A-026] [RC-01]", async () => {
    const { contexts, link } = setup()
    const path = await link()
    const contextsOfAll = await Promise.all(Array.from({ length: 20 }, () => contexts({ path })))
    const outcomes = await Promise.allSettled(contextsOfAll.map((context) => finish(context)))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  it.each([
    ["without token", { token: undefined }],
    ["without address", { email: undefined }],
    ["with an empty token", { token: "" }],
    ["with another token", { token: "f".repeat(64) }],
    ["with another address [A-009] [A-010]", { email: "v@victim.test" }],
    ["with the address in another spelling", { email: "A@b.test" }],
    ["with an endless token", { token: "f".repeat(2000) }],
    ["with an endless address", { email: `${"a".repeat(400)}@b.test` }],
  ])("refuses a link %s, and the true one still works", async (_, changes) => {
    const { contexts, asked, link } = setup()
    await expect(finish(await contexts({ path: await link(changes) }))).rejects.toThrow(Verification)
    const { path } = await asked()
    await expect(finish(await contexts({ path }))).resolves.toMatchObject({ kind: "proof" })
  })

  it.each([{ token: "f".repeat(2000) }, { email: `${"a".repeat(400)}@b.test` }])(
    "does not query the store for values that cannot be valid",
    async (changes) => {
      const useVerificationToken = vi.fn(async () => null)
      const { contexts, link } = setup({}, { adapter: { ...memoryAdapter(), useVerificationToken } })
      await expect(finish(await contexts({ path: await link(changes) }))).rejects.toThrow(Verification)
      expect(useVerificationToken).not.toHaveBeenCalled()
    },
  )

  it.each([
    ["token", 1024],
    ["email", 320],
  ])("queries the store for a link whose `%s` has %d characters, and for no longer one", async (name, most) => {
    const useVerificationToken = vi.fn(async () => null)
    const { contexts, link } = setup({}, { adapter: { ...memoryAdapter(), useVerificationToken } })
    for (const [length, calls] of [
      [most, 1],
      [most + 1, 1],
    ] as const) {
      await expect(finish(await contexts({ path: await link({ [name]: "a".repeat(length) }) }))).rejects.toThrow(
        Verification,
      )
      expect(useVerificationToken).toHaveBeenCalledTimes(calls)
    }
  })

  it("says of a link that is refused whether it has expired", async () => {
    const { contexts, link } = setup()
    const path = await link()
    await expect(finish(await contexts({ path, now: later(3600) }))).rejects.toMatchObject({ cause: { expired: true } })
    await expect(finish(await contexts({ path }))).rejects.toMatchObject({ cause: { expired: false } })
  })

  it("accepts a row whose token the store does not hand out", async () => {
    const memory = memoryAdapter()
    const useVerificationToken: Adapter["useVerificationToken"] = async (key) => {
      const { identifier, expires } = (await memory.useVerificationToken(key)) ?? {}
      return identifier && expires ? ({ identifier, expires } as never) : null
    }
    const { contexts, link } = setup({}, { adapter: { ...memory, useVerificationToken } })
    await expect(finish(await contexts({ path: await link() }))).resolves.toMatchObject({ kind: "proof" })
  })

  it.each([
    ["a second before its end", 3599, true],
    ["at its end", 3600, false],
    ["after its end", 3601, false],
  ])("compares the age of a link %s with the clock of the request [V6-15] [RC-03]", async (_, age, isGood) => {
    const { contexts, link } = setup()
    const finished = finish(await contexts({ path: await link(), now: later(age) }))
    await (isGood
      ? expect(finished).resolves.toMatchObject({ kind: "proof" })
      : expect(finished).rejects.toThrow(Verification))
  })

  it("refuses a row that a careless store found by one of the two values only [A-009] [A-010]", async () => {
    const rows = [
      (token: string) => ({ identifier: "other@b.test", token, expires: later(60) }),
      () => ({ identifier: "a@b.test", token: "another", expires: later(60) }),
    ]
    for (const rowOf of rows) {
      const adapter = { ...memoryAdapter(), useVerificationToken: async ({ token }: { token: string }) => rowOf(token) }
      const { contexts, link } = setup({}, { adapter })
      await expect(finish(await contexts({ path: await link() }))).rejects.toThrow(Verification)
    }
  })

  it("reads an end that the store hands out as text", async () => {
    const memory = memoryAdapter()
    const useVerificationToken: Adapter["useVerificationToken"] = async (key) => {
      const row = await memory.useVerificationToken(key)
      return row && { ...row, expires: row.expires.toISOString() as unknown as Date }
    }
    const { contexts, link } = setup({}, { adapter: { ...memory, useVerificationToken } })
    await expect(finish(await contexts({ path: await link(), now: later(3601) }))).rejects.toThrow(Verification)
    await expect(finish(await contexts({ path: await link() }))).resolves.toMatchObject({ kind: "proof" })
  })

  it("tells a store that is down from a link that is wrong", async () => {
    const adapter = { ...memoryAdapter(), useVerificationToken: () => Promise.reject(new Error("down")) }
    const { contexts, link } = setup({}, { adapter })
    await expect(finish(await contexts({ path: await link() }))).rejects.toThrow(AdapterError)
  })

  it.each([
    ["the newest secret", (secrets: string[]) => secrets[0]],
    ["an older secret", (secrets: string[]) => secrets[1]],
    ["the list joined by commas, as in Auth.js", (secrets: string[]) => secrets.join(",")],
  ])("accepts a link that was stored with %s [spec options secret]", async (_, secretOf) => {
    const secret = ["n".repeat(32), "o".repeat(32)]
    const { contexts, adapter } = setup({}, { secret })
    const token = await hashVerificationToken("the-token", secretOf(secret) ?? "")
    await adapter.createVerificationToken({ identifier: "a@b.test", token, expires: later(60) })
    const path = "/auth/callback/mail?token=the-token&email=a%40b.test"
    await expect(finish(await contexts({ path }))).resolves.toMatchObject({ kind: "proof" })
  })

  it("accepts no token as it stands in the store", { tags: ["threat:TL-08"] }, async () => {
    const { contexts, adapter } = setup()
    const token = await hashVerificationToken("the-token", testSecret)
    await adapter.createVerificationToken({ identifier: "a@b.test", token, expires: later(60) })
    const pathOf = (presented: string): string => `/auth/callback/mail?token=${presented}&email=a%40b.test`
    await expect(finish(await contexts({ path: pathOf(token) }))).rejects.toThrow(Verification)
    await expect(finish(await contexts({ path: pathOf("the-token") }))).resolves.toMatchObject({ kind: "proof" })
  })

  it("accepts nothing that was stored with a secret that is not listed", async () => {
    const { contexts, adapter } = setup()
    const token = await hashVerificationToken("the-token", "x".repeat(32))
    await adapter.createVerificationToken({ identifier: "a@b.test", token, expires: later(60) })
    const path = "/auth/callback/mail?token=the-token&email=a%40b.test"
    await expect(finish(await contexts({ path }))).rejects.toThrow(Verification)
  })
})

describe("a prefetch", () => {
  it.each([
    ["HEAD [CS-24] [FM-08]", { method: "HEAD" }],
    ["Sec-Purpose [CS-25]", { headers: { "sec-purpose": "prefetch;prerender" } }],
    ["Purpose [CS-25]", { headers: { purpose: "prefetch" } }],
    ["X-Moz [CS-25]", { headers: { "x-moz": "prefetch" } }],
  ])("consumes nothing: %s", async (_, request) => {
    const useVerificationToken = vi.fn()
    const { contexts, link } = setup({}, { adapter: { ...memoryAdapter(), useVerificationToken } })
    await expect(finish(await contexts({ path: await link(), ...request }))).resolves.toMatchObject({ kind: "confirm" })
    expect(useVerificationToken).not.toHaveBeenCalled()
  })
})

describe("the option confirm", () => {
  it("never asks by default [spec authentication 6]", async () => {
    const { contexts, link } = setup()
    await expect(finish(await contexts({ path: await link() }))).resolves.toMatchObject({ kind: "proof" })
  })

  it("asks every browser with `always`, and the button's POST signs in [FM-08]", async () => {
    const { contexts, asked } = setup({ confirm: "always" })
    const { path, cookies } = await asked()
    const confirmation = await finish(await contexts({ path, cookies }))
    expect(confirmation).toEqual({
      kind: "confirm",
      saysWrong: false,
      provider: "Mail",
      email: "a@b.test",
      action: `https://app.test${path}`,
    })
    await expect(finish(await contexts({ path, form: {} }))).resolves.toMatchObject({ kind: "proof" })
  })

  it("asks another browser, but not the one that asked, with `other-browser` [CS-11]", async () => {
    const { contexts, asked } = setup({ confirm: "other-browser" })
    const { path, cookies } = await asked()
    await expect(finish(await contexts({ path }))).resolves.toMatchObject({ kind: "confirm" })
    const other = await asked()
    await expect(finish(await contexts({ path, cookies: other.cookies }))).resolves.toMatchObject({ kind: "confirm" })
    await expect(finish(await contexts({ path, cookies }))).resolves.toMatchObject({ kind: "proof" })
  })

  it("does not recognise the requesting browser by the slot of a cookie alone", async () => {
    const { contexts, asked } = setup({ confirm: "other-browser" })
    const [one, other] = [await asked(), await asked()]
    const [name] = [...one.cookies.keys()]
    const [value] = [...other.cookies.values()]
    const cookies = new Map([[name ?? "", value ?? ""]])
    await expect(finish(await contexts({ path: one.path, cookies }))).resolves.toMatchObject({ kind: "confirm" })
  })

  it("knows the asking browser for fifteen minutes", async () => {
    const { contexts, asked } = setup({ confirm: "other-browser" })
    const { path, cookies } = await asked()
    const context = await contexts({ path, cookies, now: later(16 * 60) })
    await expect(finish(context)).resolves.toMatchObject({ kind: "confirm" })
  })

  it("knows the asking browser after the secret was rotated", async () => {
    const adapter = memoryAdapter()
    const { asked } = setup({ confirm: "other-browser" }, { adapter })
    const { path, cookies } = await asked()
    const { contexts } = setup({ confirm: "other-browser" }, { adapter, secret: ["n".repeat(32), testSecret] })
    await expect(finish(await contexts({ path, cookies }))).resolves.toMatchObject({ kind: "proof" })
  })
})
