import { describe, expect, it, vi } from "vitest"
import { noon, post, secret, settingsOf } from "../../test/support/facts.js"
import { mailProvider, passwordProvider, plainSettings } from "../../test/support/password-service.js"
import { readIncoming } from "../../test/support/read-incoming.js"
import { memoryRecords } from "../adapters/records.js"
import { open } from "../crypto/jwe.js"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { keyedHash } from "../crypto/token.js"
import type { TooManyRequests } from "../errors.js"
import type { Result } from "../http/result.js"
import type { AuthConfig } from "../types/config.js"
import { type Context, createContext } from "./context.js"
import { type Counted, countersOf, isChecked } from "./counters.js"
import { enterLimits, forgetTyped } from "./tries.js"
import { typedIn } from "./typed.js"

const address = "203.0.113.7"
const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000)
const answered: Pick<Result, "cookies"> = { cookies: [] }
const signedIn: Pick<Result, "cookies"> = { cookies: [{ role: "sessionToken", value: "token" }] }

interface Sent {
  readonly form?: Record<string, string>
  readonly path?: string
  readonly address?: string | null
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
    return createContext({
      settings,
      incoming: { ...incoming, ...(given.address !== undefined && { address: given.address }) },
      now,
    })
  }
  const enter = async (given?: Sent) => enterLimits(await contextOf(given), { limit: "guess" })
  const tryOften = (count: number, given?: Sent): Promise<number> => countOf(count, () => enter(given))
  return { records, settings, contextOf, enter, tryOften }
}

async function countOf(count: number, attempt: () => Promise<unknown>): Promise<number> {
  let passed = 0
  for (let index = 0; index < count; index += 1)
    passed += await attempt().then(
      () => 1,
      (error: TooManyRequests) => {
        if (error.type !== "TooManyRequests") throw error
        return 0
      },
    )
  return passed
}

const keyring = createKeyring([secret], createKeyCache(4))
const keyOf = async (...parts: string[]): Promise<string> =>
  keyedHash((await keyring.derive(0, "latchkey.limits")).bytes, JSON.stringify(parts))

/** A browser in which Ada has signed in: its cookie, and its name. */
async function known(enter: ReturnType<typeof stage>["enter"]) {
  const name = "__Host-authjs.device"
  const [device] = await (await enter()).leave(signedIn)
  const value = device && "value" in device ? device.value : ""
  const { id } = await open(value, { keyring, salt: name, now: noon })
  return { cookies: `${name}=${value}`, id: String(id) }
}

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

  it("by all fields of the person", async () => {
    const provider = { ...passwordProvider(), accountField: ["tenant", "username"] }
    const { records, enter } = stage({ providers: [provider as never] })
    const put = vi.spyOn(records, "putRecord")
    for (const form of [{ tenant: "ACME", username: " Ada " }, { username: "ada" }]) await enter({ form } as Sent)
    expect(put.mock.calls.map(([{ key }]) => key)).toEqual([
      await keyOf("guess", "person", "acme", "ada"),
      await keyOf("guess", "person", "", "ada"),
    ])
  })

  it("by known browser, beside the person they are about", async () => {
    const { records, enter } = stage()
    const { cookies, id } = await known(enter)
    const put = vi.spyOn(records, "putRecord")
    await enter({ address, cookies })
    expect(put.mock.calls.map(([{ key, userId }]) => [key, userId])).toEqual([
      [
        await keyOf("guess", "browser", id, '["app.test/auth","password","ada"]'),
        await keyOf("guess", "person", "ada"),
      ],
    ])
  })

  it("by person alone, known browser or not, where mails are sent", async () => {
    const { records, enter, contextOf } = stage()
    const { cookies } = await known(enter)
    const put = vi.spyOn(records, "putRecord")
    await enterLimits(await contextOf({ path: "signin/mail", form: { email: "ada@app.test" }, cookies }), {
      limit: "begin",
    })
    expect(put.mock.lastCall?.[0].key).toBe(await keyOf("mail", "person", "ada@app.test"))
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

it("lets nobody try whose address is gone with the connection, and counts them nowhere", async () => {
  const { records, enter } = stage()
  const put = vi.spyOn(records, "putRecord")
  await expect(enter({ address: null })).rejects.toMatchObject({ type: "UnreadableRequest", status: 400 })
  expect(put).not.toHaveBeenCalled()
  await enter({})
  expect(put).toHaveBeenCalledOnce()
})

describe("who has to wait", () => {
  it.each([
    [0.5, 2],
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

it("whose network has to wait is no more looked at", { tags: ["threat:V6-06"] }, async () => {
  const { settings, enter } = stage({ limits: { budgets: { guess: { network: { free: 1 } } } } })
  await enter({ address })
  const derive = vi.spyOn(settings.keyring, "derive")
  await expect(enter({ address, form: { username: "grace" } })).rejects.toMatchObject({ type: "TooManyRequests" })
  // For the key of the network: none is made for the person.
  expect(derive).toHaveBeenCalledOnce()
})

describe("nothing is counted", () => {
  it("where nothing is limited, or the row is not", async () => {
    const { contextOf } = stage({ limits: false })
    expect(await (await enterLimits(await contextOf(), { limit: "guess" })).leave(signedIn)).toEqual([])
    const { contextOf: limited } = stage()
    expect(await (await enterLimits(await limited(), { limit: "nothing" })).leave(signedIn)).toEqual([])
  })

  it.each<[Record<string, unknown>, number]>([
    [{ username: ["ada"] }, 10],
    [{ username: { name: "ada" } }, 10],
    [{}, 12],
    [{ username: null }, 12],
    [{ other: ["ada"], undefined: ["ada"] }, 12],
  ])("for a name that is none: of twelve with %j pass %d", async (form, passed) => {
    const { contextOf } = stage()
    const context = await contextOf()
    const given = { ...context, incoming: { ...context.incoming, form } }
    expect(await countOf(12, () => enterLimits(given, { limit: "guess" }))).toBe(passed)
  })

  it("by name where no provider is named, a mail has no address, or no field holds a name", async () => {
    const { contextOf } = stage()
    const none = await contextOf({ path: "session", form: {} })
    const mail = await contextOf({ path: "signin/mail", form: {} })
    const list = { ...mail, incoming: { ...mail.incoming, form: { email: ["ada"] } } }
    const credentials = { password: { type: "password" } }
    const nameless = stage({ providers: [{ ...passwordProvider(), credentials } as never] })
    const odd = await nameless.contextOf({ form: {} })
    const named = { ...odd, incoming: { ...odd.incoming, form: { undefined: ["ada"] } } }
    for (const limit of ["guess", "begin"] as const) {
      expect(await countOf(12, () => enterLimits(none, { limit }))).toBe(12)
      expect(await countOf(12, () => enterLimits(mail, { limit }))).toBe(12)
      expect(await countOf(12, () => enterLimits(list, { limit }))).toBe(12)
      expect(await countOf(12, () => enterLimits(named, { limit }))).toBe(12)
    }
    expect(typedIn({ ...named, incoming: { ...named.incoming, form: { undefined: "ada" } } })).toBeUndefined()
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

  it.each([
    ["failed", 1],
    [signedIn, 10],
    // What leads elsewhere, such as a second factor that was wrong, says nothing of the person.
    [answered, 0],
  ] as const)("is given back to the network after %j, of which the person has %i left", async (ended, left) => {
    const { enter, tryOften } = stage({ limits: { budgets: { guess: { network: { free: 10 } } } } })
    for (let index = 0; index < 9; index += 1) await (await enter({ address })).leave("refused")
    await (await enter({ address })).leave(ended)
    expect(await tryOften(3, network)).toBe(1)
    expect(await tryOften(12)).toBe(left)
  })

  it("makes a browser known only where a session has begun", async () => {
    const { enter } = stage()
    const cleared = { cookies: [{ role: "sessionToken", clear: true }] } as const
    const other = { cookies: [{ role: "callbackUrl", value: "/" }] } as const
    for (const ended of ["failed", "refused", answered, cleared, other] as const)
      expect(await (await enter()).leave(ended)).toEqual([])
    const [device] = await (await enter()).leave({ cookies: [...other.cookies, ...signedIn.cookies] })
    expect(device).toMatchObject({ role: "device", value: expect.stringMatching(/^eyJ/) })
  })

  it("is only forgotten where somebody is named, and where it was right", async () => {
    const error = vi.fn()
    const { enter, records } = stage({ logger: { ...plainSettings.logger, error } })
    const put = vi.spyOn(records, "putRecord")
    const left = async () => (await records.scanRecords("limit-wait", { limit: 9 })).filter((it) => it.expires > noon)
    expect(await (await enter({ form: {} })).leave(signedIn)).toEqual([])
    await (await enter()).leave("failed")
    expect([put.mock.calls.length, (await left()).length]).toEqual([2, 1])
    await (await enter()).leave(signedIn)
    expect([put.mock.calls.length, (await left()).length]).toEqual([4, 0])
    expect(error).not.toHaveBeenCalled()
  })

  it("is counted in memory where the records cannot be asked, which is logged", async () => {
    const error = vi.fn()
    const { tryOften, records } = stage({ logger: { ...plainSettings.logger, error } })
    vi.spyOn(records, "getRecord").mockRejectedValue(new Error("down"))
    expect(await tryOften(12)).toBe(10)
    expect(error).toHaveBeenCalledOnce()
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

  it("stays counted however it ends, where a mail is sent", async () => {
    const { contextOf } = stage()
    const mail = await contextOf({ path: "signin/mail", form: { email: "ada@app.test" } })
    const send = async () => (await enterLimits(mail, { limit: "begin" })).leave(answered)
    expect(await countOf(5, send)).toBe(3)
  })

  it("is forgotten for whoever is named, in records and in memory, guesses, codes and mails", async () => {
    const { settings, tryOften, contextOf } = stage()
    const who = "ada@app.test"
    const form = { username: who, email: who }
    const mailed = { path: "signin/mail", form }
    const mayMail = async () => enterLimits(await contextOf(mailed), { limit: "begin" }).then(Boolean, () => false)
    const inMemory = vi.spyOn(settings.caches.tries, "deleteRecords")
    const code = { path: `callback/mail?email=${who}&token=123456` }
    const tryCodes = (count: number) =>
      countOf(count, async () => enterLimits(await contextOf(code), { limit: "code" }))
    await tryOften(10, { form })
    expect([await tryCodes(11), await tryCodes(1)]).toEqual([10, 0])
    for (let index = 0; index < 3; index += 1) expect(await mayMail()).toBe(true)
    expect([await tryOften(1, { form }), await mayMail()]).toEqual([0, false])
    await forgetTyped(settings, " ADA@app.test")
    expect([await tryOften(10, { form }), await tryCodes(10), await mayMail()]).toEqual([10, 10, true])
    const keys = await Promise.all(["guess", "code", "mail"].map((name) => keyOf(name, "person", who)))
    expect(inMemory.mock.calls.map(([key]) => key)).toEqual(keys)
  })
})

it.each([
  ["guess", true],
  ["code", true],
  ["exchange", true],
  ["mail", false],
  ["ceremony", false],
] as const)("tells of %s whether there are wrong tries and right ones: %s", (name, expected) => {
  expect(isChecked(name)).toBe(expected)
})

describe("who is named", () => {
  const counted = async (form: Record<string, unknown>, { cookies = "", stand = stage() } = {}): Promise<Counted> => {
    const context = await stand.contextOf({ cookies })
    const given = { ...context, incoming: { ...context.incoming, form } }
    return countersOf(given, "guess", { person: { free: 10, window: 60, wait: 2, longest: 60, most: 10 } })
  }

  it.each<[Record<string, unknown>, boolean]>([
    [{ username: "ada" }, true],
    [{ username: ["ada"] }, true],
    [{}, false],
    [{ other: "ada" }, false],
  ])("by %j: somebody, for sure: %s", async (form, isNamed) => {
    expect(await counted(form)).toMatchObject({ isNamed })
  })

  it("is as sure in a browser that is known to them", async () => {
    const stand = stage()
    const { cookies, id } = await known(stand.enter)
    expect(await counted({ username: "ada" }, { cookies, stand })).toMatchObject({
      isNamed: true,
      mayForget: true,
      written: '["app.test/auth","password","ada"]',
      browser: { id },
    })
  })
})

it("lets a known browser go on at the network, without a fault, when all known ones together have used theirs up", async () => {
  const error = vi.fn()
  const person = { free: 2, most: 2 }
  const { enter, records } = stage({
    limits: { budgets: { guess: { person } } },
    logger: { ...plainSettings.logger, error },
  })
  const [one, other] = [await known(enter), await known(enter)]
  for (let count = 0; count < 2; count += 1) await (await enter({ address, cookies: one.cookies })).leave("refused")
  await expect(enter({ address, cookies: one.cookies })).rejects.toMatchObject({ type: "TooManyRequests" })
  const count = vi.spyOn(records, "countRecord")
  const passage = await enter({ address, cookies: other.cookies })
  const atNetwork = count.mock.lastCall?.[0]
  expect(atNetwork?.key).toBe(await keyOf("guess", "network", address))
  await passage.leave("failed")
  // What could not be checked is given back there.
  expect(count.mock.lastCall).toEqual([atNetwork, expect.objectContaining({ add: -1 })])
  expect(error).not.toHaveBeenCalled()
})

describe("what one success takes back", () => {
  it("is nothing where a list stands for a name: guesses at everybody were counted there", async () => {
    const { contextOf } = stage()
    const enterOddly = async () => {
      const context = await contextOf()
      return enterLimits(
        { ...context, incoming: { ...context.incoming, form: { username: ["ada"] } } },
        { limit: "guess" },
      )
    }
    const passed = await countOf(4, async () => (await enterOddly()).leave("refused"))
    await (await enterOddly()).leave(signedIn)
    expect(passed + (await countOf(30, enterOddly))).toBe(10)
  })
})

describe("a browser that is known by a mailed code", () => {
  it("shares the mails to that address with all others", async () => {
    const { contextOf } = stage()
    const link = await contextOf({ path: "callback/mail?email=ada%40app.test&token=123456", form: {} })
    const [device] = await (await enterLimits(link, { limit: "code" })).leave(signedIn)
    const cookies = `__Host-authjs.device=${device && "value" in device ? device.value : ""}`
    const mail = { path: "signin/mail", form: { email: "ada@app.test" } }
    const ask = async (given: Sent) => enterLimits(await contextOf(given), { limit: "begin" })
    expect(await countOf(30, () => ask({ ...mail, cookies }))).toBe(3)
    expect(await countOf(1, () => ask(mail))).toBe(0)
  })
})
