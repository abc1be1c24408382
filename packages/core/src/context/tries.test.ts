import { describe, expect, it, vi } from "vitest"
import { noon, post, secret, settingsOf } from "../../test/support/facts.js"
import { mailProvider, passwordProvider, plainSettings } from "../../test/support/password-service.js"
import { readIncoming } from "../../test/support/read-incoming.js"
import { memoryRecords } from "../adapters/records.js"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { keyedHash } from "../crypto/token.js"
import type { TooManyRequests } from "../errors.js"
import type { Result } from "../http/result.js"
import type { AuthConfig } from "../types/config.js"
import { type Context, createContext } from "./context.js"
import { enterLimits, foldedOf, forgetTyped, typedIn } from "./tries.js"

const address = "203.0.113.7"
const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000)
const answered: Pick<Result, "cookies"> = { cookies: [] }
const signedIn: Pick<Result, "cookies"> = { cookies: [{ role: "sessionToken", value: "token" }] }

interface Sent {
  readonly form?: Record<string, string>
  readonly path?: string
  readonly address?: string
  readonly cookies?: string
  readonly now?: Date
}

/** Requests to one service, and the records in which it counts. */
function stage(config: Partial<AuthConfig> = {}) {
  const records = memoryRecords()
  const providers = [passwordProvider(), mailProvider(() => {})]
  const settings = settingsOf({ ...plainSettings, providers, records, limits: {}, ...config })
  const contextOf = async (given: Sent = {}): Promise<Context> => {
    const { form = { username: "ada" }, path = "callback/password", cookies, now = noon } = given
    const request = post(`https://app.test/auth/${path}`, form, cookies ? { cookie: cookies } : {})
    const incoming = await readIncoming(request, settings)
    return createContext({ settings, incoming: { ...incoming, ...(given.address && { address: given.address }) }, now })
  }
  const enter = async (given?: Sent) => enterLimits(await contextOf(given), { limit: "guess" })
  const isLetIn = (given?: Sent): Promise<boolean> =>
    enter(given).then(
      () => true,
      () => false,
    )
  const tryOften = async (count: number, given?: Sent): Promise<number> => {
    let passed = 0
    for (let index = 0; index < count; index += 1) if (await isLetIn(given)) passed += 1
    return passed
  }
  return { records, settings, contextOf, enter, isLetIn, tryOften }
}

const keyring = createKeyring([secret], createKeyCache(4))
const keyOf = async (...parts: string[]): Promise<string> =>
  keyedHash((await keyring.derive(0, "latchkey.limits")).bytes, JSON.stringify(parts))

describe("tries are counted under keys that no version changes, or every count would begin anew with it", () => {
  it("by person and by network", async () => {
    const { records, enter, contextOf } = stage()
    const [count, put] = [vi.spyOn(records, "countRecord"), vi.spyOn(records, "putRecord")]
    await enter({ address, form: { username: " Ada " } })
    expect(count.mock.calls.map(([name]) => name.key)).toEqual([await keyOf("guess", "network", address)])
    expect(put.mock.calls.map(([{ key, userId }]) => [key, userId])).toEqual([
      [await keyOf("guess", "person", "ada"), null],
    ])
    await enterLimits(await contextOf({ path: "signin/mail", form: { email: "Ada@app.test" } }), { limit: "begin" })
    expect(put.mock.lastCall?.[0].key).toBe(await keyOf("mail", "person", "ada@app.test"))
  })

  it("by known browser, beside the person they are about", async () => {
    const { records, enter } = stage()
    const [device] = await (await enter()).leave(signedIn)
    const put = vi.spyOn(records, "putRecord")
    await enter({ address, cookies: `__Host-authjs.device=${device && "value" in device && device.value}` })
    const [{ key, userId } = { key: "", userId: "" }] = put.mock.lastCall ?? []
    expect(userId).toBe(await keyOf("guess", "person", "ada"))
    expect(key).not.toBe(userId)
    expect(put).toHaveBeenCalledOnce()
  })

  it("together, where a name is not a string", async () => {
    const { records, contextOf } = stage()
    const put = vi.spyOn(records, "putRecord")
    const context = await contextOf({ form: {} })
    const odd = { ...context, incoming: { ...context.incoming, form: { username: ["ada"] } } }
    await enterLimits(odd, { limit: "guess" })
    expect(put.mock.lastCall?.[0].key).toBe(await keyOf("guess", "odd names"))
  })
})

describe("who has to wait", () => {
  it.each([
    [0, 2],
    [0.5, 2],
    [1, 1],
    [1.999, 1],
  ])("after %d s hears of %d whole seconds", async (passed, seconds) => {
    const { enter, tryOften } = stage()
    expect(await tryOften(12)).toBe(10)
    const refused = await enter({ now: after(passed) }).catch((error: TooManyRequests) => error)
    expect(refused).toMatchObject({ type: "TooManyRequests", retryAfter: seconds })
  })

  it("hears of a second at least, also where no wait is configured", async () => {
    const { records, enter } = stage({ limits: { budgets: { guess: { person: { wait: 0 } } } } })
    vi.spyOn(records, "putRecord").mockResolvedValue(false)
    await expect(enter()).rejects.toMatchObject({ retryAfter: 1 })
  })
})

describe("what was counted", () => {
  const network = { form: { username: "grace" }, address }

  it("stays counted where it was wrong", async () => {
    const { enter, tryOften, records } = stage()
    const count = vi.spyOn(records, "countRecord")
    expect(await (await enter({ address })).leave("refused")).toEqual([])
    expect(count).toHaveBeenCalledOnce()
    expect(await tryOften(12)).toBe(9)
  })

  it.each([["failed"], [answered], [signedIn]] as const)(
    "is given back to person and network after %j",
    async (ended) => {
      const { enter, tryOften } = stage({ limits: { budgets: { guess: { network: { free: 10 } } } } })
      for (let index = 0; index < 9; index += 1) await (await enter({ address })).leave("refused")
      await (await enter({ address })).leave(ended)
      expect(await tryOften(3, network)).toBe(1)
      expect(await tryOften(12)).toBe(ended === "failed" ? 1 : 10)
    },
  )

  it("makes a browser known only where a session has begun", async () => {
    const { enter } = stage()
    const cleared = { cookies: [{ role: "sessionToken", clear: true }] } as const
    const other = { cookies: [{ role: "callbackUrl", value: "/" }] } as const
    for (const ended of ["failed", "refused", answered, cleared, other] as const)
      expect(await (await enter()).leave(ended)).toEqual([])
    const [device] = await (await enter()).leave({ cookies: [...other.cookies, ...signedIn.cookies] })
    expect(device).toMatchObject({ role: "device", value: expect.stringMatching(/^eyJ/) })
    expect(await (await enter({ form: {} })).leave(signedIn)).toEqual([])
  })

  it("is settled without a fault where the records fail meanwhile", async () => {
    const error = vi.fn()
    const { enter, settings } = stage({ logger: { ...plainSettings.logger, error } })
    const passage = await enter()
    vi.spyOn(settings.keyring, "derive").mockImplementation(() => {
      throw new Error("gone")
    })
    expect(await passage.leave(signedIn)).toEqual([])
    expect(error).toHaveBeenCalledOnce()
  })

  it("is no guess where a mail is sent: that stays counted however it ends", async () => {
    const { contextOf } = stage()
    const given = { path: "signin/mail", form: { email: "ada@app.test" } }
    let sent = 0
    for (let index = 0; index < 5; index += 1) {
      const passage = await enterLimits(await contextOf(given), { limit: "begin" }).catch(() => undefined)
      if (passage) sent += 1
      expect(await passage?.leave(answered)).toEqual(passage && [])
    }
    expect(sent).toBe(3)
  })

  it("is forgotten for whoever is named, in records and in memory, guesses and mails", async () => {
    const { settings, tryOften, contextOf } = stage()
    const mailed = { path: "signin/mail", form: { email: "ada" } }
    const mayMail = async () => enterLimits(await contextOf(mailed), { limit: "begin" }).then(Boolean, () => false)
    const inMemory = vi.spyOn(settings.caches.tries, "deleteRecords")
    await tryOften(10)
    for (let index = 0; index < 3; index += 1) expect(await mayMail()).toBe(true)
    expect([await tryOften(1), await mayMail()]).toEqual([0, false])
    await forgetTyped(settings, " ADA")
    expect([await tryOften(10), await mayMail()]).toEqual([10, true])
    const keys = await Promise.all(["guess", "mail"].map((name) => keyOf(name, "person", "ada")))
    expect(inMemory.mock.calls.map(([key]) => key)).toEqual(keys)
  })
})

describe("who a request is about", () => {
  const read = async (form: Record<string, unknown>, provider: object = {}) => {
    const { contextOf } = stage({
      providers: [{ ...passwordProvider(), ...provider } as never, mailProvider(() => {})],
    })
    const context = await contextOf()
    return typedIn({ ...context, incoming: { ...context.incoming, form } })
  }

  it.each<[unknown, string | undefined]>([
    [" ada ", "ada"],
    [4711, "4711"],
    ["", undefined],
    ["   ", undefined],
    [["ada"], undefined],
    [true, undefined],
    [undefined, undefined],
    ["a".repeat(512), "a".repeat(512)],
    [`${"a".repeat(512)}b`, "a".repeat(512)],
  ])("is %j, read as %j", async (username, expected) => {
    expect(await read({ username })).toBe(expected)
  })

  it.each<[object, string | undefined]>([
    [{ credentials: { password: { type: "password" }, tenant: { type: "text" }, username: {} } }, "acme"],
    [{ accountField: "username" }, "ada"],
    [{ credentials: { password: { type: "password" } } }, undefined],
    [{ credentials: undefined }, undefined],
  ])(
    "stands in the first field that is no password, or in the one the provider names: %j",
    async (provider, expected) => {
      expect(await read({ username: "ada", tenant: "acme", password: "secret" }, provider)).toBe(expected)
    },
  )

  it("is the address as the provider spells it, and nobody where the provider refuses it or there is none", async () => {
    const at = async (email: string, normalizeIdentifier?: (email: string) => string) => {
      const { contextOf } = stage({
        providers: [{ ...(mailProvider(() => {}) as object), normalizeIdentifier } as never],
      })
      return typedIn(await contextOf({ path: "signin/mail", form: { email } }))
    }
    const throwing = () => {
      throw new Error("no")
    }
    expect(await at(" Ada@app.test ")).toBe("Ada@app.test")
    expect(await at("ada+1@app.test", (email) => email.replace("+1", ""))).toBe("ada@app.test")
    expect(await at("ada@app.test", throwing)).toBeUndefined()
    expect(await at("", throwing)).toBeUndefined()
  })

  it("is nobody elsewhere", async () => {
    const { contextOf } = stage()
    const context = await contextOf({ path: "session" })
    expect(typedIn(context)).toBeUndefined()
  })

  it.each([
    [" Ada ", "ada"],
    ["ＡＤＡ", "ada"],
  ])("is the same in the spelling %j", (typed, folded) => {
    expect(foldedOf(typed)).toBe(folded)
  })
})
