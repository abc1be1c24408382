/** How often may be tried to sign in, through the whole engine: on by default, by person and by network. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/adapters/memory.js"
import { memoryRecords } from "../../src/adapters/records.js"
import { type Auth, createAuth, limits } from "../../src/index.js"
import type { AuthConfig } from "../../src/types/config.js"
import { recordVerbs } from "../../src/types/records.js"
import { mailProvider, passwordProvider, plainSettings } from "../support/password-service.js"

const origin = "https://app.test"
const start = new Date("2026-03-01T12:00:00.000Z")
const browser = { accept: "text/html" }
const stranger = "203.0.113.7"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

const later = (seconds: number): void => void vi.setSystemTime(new Date(Date.now() + seconds * 1000))

function stage(config: Partial<AuthConfig> = {}, env: Record<string, string> = { NODE_ENV: "production" }) {
  const sent: string[] = []
  const errors: unknown[] = []
  const checked: string[] = []
  const auth = createAuth(
    {
      ...plainSettings,
      providers: [
        passwordProvider((username) => void checked.push(username)),
        mailProvider(({ identifier }) => void sent.push(identifier)),
        {
          id: "op",
          name: "Provider",
          type: "oauth",
          clientId: "app",
          clientSecret: "secret of the app",
          authorization: "https://op.test/authorize",
          token: "https://op.test/token",
          userinfo: "https://op.test/userinfo",
        } as never,
      ],
      adapter: memoryAdapter(),
      logger: { ...plainSettings.logger, error: (error: unknown) => void errors.push(error) },
      ...config,
    },
    { env },
  ) as Auth
  const post = (path: string, form: Record<string, string>, { address, headers = browser }: Client = {}) => {
    const body = new URLSearchParams(form)
    return auth.handle(new Request(`${origin}/auth/${path}`, { method: "POST", headers, body }), { address })
  }
  const guess = (password: string, client?: Client, username = "ada") =>
    post("callback/password", { username, password }, client)
  const mail = (email: string, client?: Client) => post("signin/mail", { email }, client)
  return { auth, post, guess, mail, sent, errors, checked }
}

interface Client {
  readonly address?: string | undefined
  readonly headers?: Record<string, string>
}

/** Statuses of so many requests, one after the other. */
async function statusesOf(count: number, ask: (index: number) => Promise<Response>): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await ask(index)).status)
  return statuses
}
const count = (statuses: readonly number[], status: number): number => statuses.filter((it) => it === status).length

describe("guesses at a person", () => {
  it("are let through ten times, then one after each wait, and asked of nobody meanwhile", {
    tags: ["threat:V6-06"],
  }, async () => {
    const { guess, checked } = stage()
    expect(count(await statusesOf(12, () => guess("wrong")), 429)).toBe(2)
    expect(checked).toHaveLength(10)
    later(2)
    expect((await guess("wrong")).status).toBe(302)
    later(3)
    expect((await guess("right")).status).toBe(429)
    later(1)
    expect((await guess("right")).headers.get("set-cookie")).toContain("session-token")
  })

  it("are forgotten once the person has signed in", async () => {
    const { guess } = stage()
    for (let round = 0; round < 5; round += 1) {
      await statusesOf(9, () => guess("wrong"))
      expect((await guess("right")).headers.get("set-cookie")).toContain("session-token")
    }
  })

  it("ask the records five times where they are right: counted for network and person, given back to the one, forgotten for the other", async () => {
    const records = memoryRecords()
    const asked: string[] = []
    for (const verb of recordVerbs) {
      const original = records[verb] as (...given: unknown[]) => unknown
      vi.spyOn(records, verb).mockImplementation(((...given: unknown[]) => {
        asked.push(verb)
        return original.apply(records, given)
      }) as never)
    }
    const { guess } = stage({ records })
    expect((await guess("right", { address: stranger })).headers.get("set-cookie")).toContain("session-token")
    expect(asked).toEqual(["countRecord", "getRecord", "putRecord", "putRecord", "countRecord"])
  })

  it("are counted for what is typed, whoever types it and however it is spelt", async () => {
    const { guess } = stage()
    const spellings = ["ada", "ADA", " ada ", "Ada"]
    const statuses = await statusesOf(12, (index) =>
      guess("wrong", { address: `203.0.113.${index}` }, spellings[index % 4]),
    )
    expect(count(statuses, 429)).toBe(2)
    expect((await guess("wrong", {}, "grace")).status).toBe(302)
  })

  it("do not count while nobody can tell whether they are right", async () => {
    const { guess } = stage({ callbacks: { jwt: () => Promise.reject(new Error("down")) } })
    expect(count(await statusesOf(30, () => guess("right")), 429)).toBe(0)
  })

  it("count where `authorize` throws, as many do for a wrong password, and not against the network", async () => {
    const { guess } = stage()
    expect(count(await statusesOf(12, () => guess("down")), 429)).toBe(2)
    later(2)
    expect((await guess("right")).headers.get("set-cookie")).toContain("session-token")
    const statuses = await statusesOf(202, (index) => guess("down", { address: stranger }, `person-${index}`))
    expect(count(statuses, 429)).toBe(0)
  })

  it("of 200 at once are let through ten times, with records and without", {
    tags: ["threat:V6-06", "threat:A-036", "threat:A-147"],
  }, async () => {
    for (const config of [{}, { adapter: undefined }, { records: memoryRecords() }]) {
      const { guess, checked } = stage(config)
      await Promise.all(Array.from({ length: 200 }, () => guess("wrong")))
      expect(checked).toHaveLength(10)
    }
  })

  it("are counted for all processes that share their records", async () => {
    const records = memoryRecords()
    const [one, two] = [stage({ records }), stage({ records })]
    await Promise.all(Array.from({ length: 100 }, () => [one.guess("wrong"), two.guess("wrong")]).flat())
    expect(one.checked.length + two.checked.length).toBe(10)
  })

  it("are counted by the field that the provider names", async () => {
    const provider = {
      id: "password",
      name: "Password",
      type: "credentials",
      credentials: { tenant: {}, username: {}, password: {} },
      accountField: "username",
      authorize: () => null,
    } as const
    const { post } = stage({ providers: [provider] })
    const statuses = await statusesOf(12, (index) =>
      post("callback/password", { tenant: `t${index}`, username: "ada" }),
    )
    expect(count(statuses, 429)).toBe(2)
  })

  it("keep nothing that was typed", async () => {
    const adapter = memoryAdapter()
    const put = vi.spyOn(adapter, "putRecord")
    await stage({ adapter }).guess("a wrong password", { address: stranger }, "ada@app.test")
    expect(put).toHaveBeenCalledOnce()
    // Keys are random letters and digits, in which a short word may stand by chance.
    const typed = /ada@|@app|app\.test|password|203\./
    expect(JSON.stringify(put.mock.calls)).not.toMatch(typed)
    expect(JSON.stringify(await adapter.scanRecords("limit-wait", { limit: 10 }))).not.toMatch(typed)
  })
})

describe("guesses from a network", () => {
  const many = (
    ask: ReturnType<typeof stage>["guess"],
    address: string | undefined,
    headers: Record<string, string> = browser,
  ) => statusesOf(202, (index) => ask("wrong", { address, headers }, `person-${index}`))

  it("are let through 200 times in a quarter of an hour, however many people are guessed at", {
    tags: ["threat:V6-06"],
  }, async () => {
    const { guess } = stage()
    expect(count(await many(guess, stranger), 429)).toBe(2)
    expect((await guess("wrong", { address: "203.0.113.8" })).status).toBe(302)
    later(15 * 60)
    expect((await guess("wrong", { address: stranger })).status).toBe(302)
  })

  it("are counted for 2^64 addresses of one network of IPv6 together", { tags: ["threat:A-035"] }, async () => {
    const { guess } = stage()
    const statuses = await statusesOf(202, (index) =>
      guess("wrong", { address: `2001:db8:1:2:${index.toString(16)}::${index.toString(16)}` }, `person-${index}`),
    )
    expect(count(statuses, 429)).toBe(2)
    expect((await guess("wrong", { address: "2001:db8:1:3::1" }, "another")).status).toBe(302)
  })

  it("do not count when they were right", async () => {
    const { guess } = stage()
    const statuses = await statusesOf(210, (index) => guess("right", { address: stranger }, `person-${index}`))
    expect(count(statuses, 429)).toBe(0)
  })

  it.each([undefined, "127.0.0.1", "::1", "10.0.0.1", "192.168.1.1", "fe80::1"])(
    "are not counted where the address says nothing: %j",
    async (address) => {
      expect(count(await many(stage().guess, address), 429)).toBe(0)
    },
  )

  it("are not counted by a header that anybody can write", { tags: ["threat:A-171", "threat:U-17"] }, async () => {
    const headers = { ...browser, "x-forwarded-for": stranger, "x-real-ip": stranger, forwarded: `for=${stranger}` }
    expect(count(await many(stage().guess, undefined, headers), 429)).toBe(0)
  })

  it("are counted by the address that the application names", async () => {
    const { guess } = stage({ limits: { address: ({ headers }) => headers.get("x-client") ?? undefined } })
    expect(count(await many(guess, undefined, { ...browser, "x-client": stranger }), 429)).toBe(2)
  })

  it("are not counted where the application names none, though people are, and the log says so once", {
    tags: ["threat:U-17"],
  }, async () => {
    for (const answer of [null, undefined, ""]) {
      const warnings: string[] = []
      const logger = { ...plainSettings.logger, warn: (code: string) => void warnings.push(code) }
      const { guess } = stage({ logger, limits: { address: () => answer } })
      expect(count(await many(guess, stranger), 429)).toBe(0)
      expect(count(await statusesOf(12, () => guess("wrong", { address: stranger })), 429)).toBe(2)
      expect(warnings).toEqual(["address-unknown"])
    }
  })

  it.each([
    ["a promise", Promise.resolve(stranger)],
    ["a number", 7],
    ["a list", [stranger]],
  ])("are an error where the application answers %s: nobody is let in", async (_, answer) => {
    const { guess, checked, errors } = stage({ limits: { address: () => answer as never } })
    expect((await guess("right")).headers.get("location")).toContain("error=Configuration")
    expect(String(errors[0])).toContain("`limits.address` must return a string, or null where it is not known, not")
    expect(checked).toEqual([])
  })
})

describe("messages", () => {
  it("are counted for the address they are sent to, in whatever spelling it was typed", async () => {
    const sent: string[] = []
    const mail = {
      id: "mail",
      name: "Mail",
      type: "email",
      from: "app@app.test",
      normalizeIdentifier: (typed: string) => typed.toLowerCase().replace(/,.*$/, ""),
      sendVerificationRequest: ({ identifier }: { identifier: string }) => void sent.push(identifier),
    } as never
    const { post } = stage({ providers: [mail] })
    const answers: number[] = []
    for (let index = 0; index < 5; index += 1) {
      answers.push((await post("signin/mail", { email: `ada@app.test,${index}` })).status)
    }
    expect(answers).toEqual([302, 302, 302, 429, 429])
    expect(sent).toEqual(Array(3).fill("ada@app.test"))
  })

  it("to one address are sent three times, then after waits of 1, 2 and 4 minutes, and 20 times a day at most", {
    tags: ["threat:VX-13"],
  }, async () => {
    const { mail, sent } = stage()
    expect(count(await statusesOf(5, () => mail("Ada@App.test")), 429)).toBe(2)
    for (const minutes of [1, 2, 4]) {
      later(minutes * 60 - 1)
      expect((await mail("ada@app.test")).status).toBe(429)
      later(1)
      expect((await mail("ada@app.test")).status).toBe(302)
    }
    for (let hour = 0; hour < 15; hour += 1) {
      later(3600)
      await mail("ada@app.test")
    }
    expect(sent).toHaveLength(20)
    later(24 * 3600)
    expect((await mail("ada@app.test")).status).toBe(302)
  })

  it("to one address are sent three times, of a thousand that are asked for at once", {
    tags: ["threat:VX-13"],
  }, async () => {
    const { mail, sent } = stage()
    await Promise.all(Array.from({ length: 1000 }, () => mail("ada@app.test")))
    expect(sent).toHaveLength(3)
  })

  it("from one network are sent 60 times an hour", { tags: ["threat:VX-13"] }, async () => {
    const { mail, sent } = stage()
    await statusesOf(65, (index) => mail(`person-${index}@app.test`, { address: stranger }))
    expect(sent).toHaveLength(60)
  })
})

describe("sign-ins at a provider", () => {
  it("begin 600 times in ten minutes from one network, and as often as anybody likes where it is not known", async () => {
    const { post } = stage()
    const begin = (address?: string) => post("signin/op", {}, { address })
    expect(count(await statusesOf(602, () => begin(stranger)), 429)).toBe(2)
    expect(count(await statusesOf(602, () => begin()), 429)).toBe(0)
  })
})

describe("the answer to too many tries", () => {
  const exhausted = async (config?: Partial<AuthConfig>) => {
    const it = stage(config)
    await statusesOf(10, () => it.guess("wrong"))
    return it
  }

  it("is a page for a person, with the status and the seconds to wait", async () => {
    const { guess, errors } = await exhausted()
    const response = await guess("wrong")
    expect(response.status).toBe(429)
    expect(response.headers.get("retry-after")).toBe("2")
    expect(response.headers.get("content-type")).toContain("text/html")
    expect(await response.text()).toContain("Too many tries")
    expect(errors.at(-1)).toMatchObject({ type: "TooManyRequests" })
  })

  it("is JSON for a program", async () => {
    const { guess } = await exhausted()
    const response = await guess("wrong", { headers: { accept: "application/json" } })
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "2"])
    expect(await response.json()).toEqual({ error: "Signin", message: "There were too many tries. Try again later." })
  })

  it("is JSON with the status and an address for the client of the browser", async () => {
    const { guess } = await exhausted()
    const response = await guess("wrong", { headers: { "x-auth-return-redirect": "1" } })
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "2"])
    expect(await response.json()).toMatchObject({ error: "Signin", url: expect.stringContaining("error=Signin") })
  })

  it("is thrown to code in this process, or is the address of a page", async () => {
    const { auth } = await exhausted()
    const call = { fields: { username: "ada", password: "wrong" } }
    await expect(auth.signIn({ url: origin, headers: {} }, "password", call)).rejects.toMatchObject({
      type: "TooManyRequests",
      retryAfter: 2,
    })
    const answer = await auth.signIn({ url: origin, headers: {} }, "password", { ...call, onRefusal: "redirect" })
    expect(answer.redirect).toContain("error=Signin")
  })

  it("is the same for people who exist and who do not", async () => {
    const { guess } = stage()
    await statusesOf(10, () => guess("wrong"))
    await statusesOf(10, () => guess("wrong", {}, "nobody"))
    const [known, unknown] = [await guess("wrong"), await guess("wrong", {}, "nobody")]
    expect(await known.text()).toBe(await unknown.text())
    expect(known.headers.get("retry-after")).toBe(unknown.headers.get("retry-after"))
  })
})

describe("limits.reset", () => {
  const places: readonly (readonly [string, Partial<AuthConfig>])[] = [
    ["with records", { adapter: {}, records: memoryRecords() }],
    ["without records", { adapter: {} }],
  ]

  it.each(places)("lets a person who has to wait try again at once, and nobody else, %s", async (_, config) => {
    const { auth, guess } = stage(config)
    await statusesOf(10, () => guess("wrong"))
    await statusesOf(10, () => guess("wrong", {}, "grace"))
    await limits.reset(auth, " ADA ")
    expect((await guess("right")).headers.get("set-cookie")).toContain("session-token")
    expect((await guess("right", {}, "grace")).status).toBe(429)
  })

  it("opens a person who has used up every try", async () => {
    const { auth, guess } = stage({ limits: { budgets: { guess: { person: { free: 2, most: 2 } } } } })
    await statusesOf(2, () => guess("wrong"))
    later(29 * 24 * 3600)
    expect((await guess("right")).status).toBe(429)
    await limits.reset(auth, "ada")
    expect((await guess("right")).headers.get("set-cookie")).toContain("session-token")
  })

  it("lets messages be sent again", async () => {
    const { auth, mail, sent } = stage()
    await statusesOf(4, () => mail("ada@app.test"))
    await limits.reset(auth, "Ada@App.test")
    await mail("ada@app.test")
    expect(sent).toHaveLength(4)
  })

  it("says when the records cannot be asked, and does nothing where nothing is limited", async () => {
    const records = memoryRecords()
    vi.spyOn(records, "takeRecord").mockRejectedValue(new Error("down"))
    await expect(limits.reset(stage({ records }).auth, "ada")).rejects.toMatchObject({ type: "AdapterError" })
    await expect(limits.reset(stage({ records, limits: false }).auth, "ada")).resolves.toBeUndefined()
    await expect(limits.reset({} as never, "ada")).resolves.toBeUndefined()
  })
})

describe("the option limits", () => {
  it.each([
    ["is on by default", undefined, { NODE_ENV: "production" }, 2],
    ["is off under NODE_ENV=test", undefined, { NODE_ENV: "test" }, 0],
    ["can be switched on there", {}, { NODE_ENV: "test" }, 2],
    ["can be switched off", false, { NODE_ENV: "production" }, 0],
    ["changes sizes", { budgets: { guess: { person: { free: 4 } } } }, { NODE_ENV: "production" }, 8],
  ] as const)("%s", async (_, limits, env, refused) => {
    const { guess } = stage(limits === undefined ? {} : { limits }, env)
    expect(count(await statusesOf(12, () => guess("wrong")), 429)).toBe(refused)
  })

  it("leaves no trace when it is false: no record is asked", async () => {
    const records = memoryRecords()
    const asked = recordVerbs.map((verb) => vi.spyOn(records, verb))
    const { guess, mail, post } = stage({ limits: false, records })
    await guess("wrong", { address: stranger })
    await guess("right", { address: stranger })
    await mail("ada@app.test", { address: stranger })
    await post("signin/op", {}, { address: stranger })
    for (const verb of asked) expect(verb).not.toHaveBeenCalled()
  })

  it.each([
    [{ limits: true }, '"limits": expected an object, or false'],
    [{ limits: { address: "req.ip" } }, '"limits.address": expected a function'],
    [{ limits: { budgets: { gess: {} } } }, '"limits.budgets": expected one of mail, guess, code, ceremony'],
    [{ limits: { budgets: { guess: { person: { free: 0 } } } } }, '"limits.budgets.guess.person.free": expected'],
    [
      { limits: { budgets: { mail: { network: { window: "1h" } } } } },
      '"limits.budgets.mail.network.window": expected',
    ],
  ])("reports what cannot work: %j", (config, message) => {
    const { auth } = stage(config as Partial<AuthConfig>)
    expect(auth.problems().map((problem) => problem.message)).toEqual([expect.stringContaining(message)])
  })
})
