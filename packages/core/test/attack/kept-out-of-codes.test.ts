/** Strangers and neighbours must not keep a mailed code from signing its owner in, nor find it where they do not. */
import { randomBytes } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { limits as control, createAuth } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { openBrowser } from "../support/browser.js"

const ada = "ada@op.test"
const hour = 3600e3
const password = "the password of Ada"
const quiet = { error() {}, warn() {}, debug() {} }

/** Mails the code 047111 and takes passwords, in requests of one address. */
function open(more: object = {}, budgets: object = {}) {
  const mail = { id: "mail", name: "Mail", type: "email", from: "app@app.test", sendVerificationRequest: () => {} }
  const code = { ...mail, generateVerificationToken: () => "047111", ...more }
  const passwords = {
    id: "password",
    name: "Password",
    type: "credentials",
    credentials: { email: {}, password: { type: "password" } },
    authorize: (given: Record<string, unknown>) => (given["password"] === password ? { id: "1", email: ada } : null),
  }
  const auth = createAuth(
    {
      secret: randomBytes(32).toString("hex"),
      trustHost: true,
      adapter: memoryAdapter(),
      session: { strategy: "jwt" },
      logger: quiet,
      limits: { budgets: { mail: { network: { free: 1000 } }, ...budgets } },
      providers: [code, passwords] as never[],
    },
    { env: { NODE_ENV: "production" } },
  )
  const browser = (address = "203.0.113.7") => openBrowser((request) => auth.handle(request, { address }))
  return { auth, browser }
}
type Browser = ReturnType<ReturnType<typeof open>["browser"]>

const link = (token = "047111", email = ada): string =>
  `/auth/callback/mail?${new URLSearchParams({ callbackUrl: "https://app.test/", token, email })}`
const ask = (browser: Browser, email = ada) => browser.post("/auth/signin/mail", { email })
const enter = (browser: Browser, typed: string) =>
  browser.post("/auth/callback/password", { email: ada, password: typed })
const status = async (visit: Promise<{ status: number }>): Promise<number> => (await visit).status

describe("a stranger who guesses", { tags: ["threat:V6-06"] }, () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-01T00:00:00Z") }))
  afterEach(() => void vi.useRealTimers())

  /** Tries whenever it is allowed, and says how many tries were let through. */
  async function tryFor(time: number, attempt: (index: number) => Promise<{ status: number; headers: Headers }>) {
    const end = Date.now() + time
    let passed = 0
    for (let index = 0; Date.now() < end; index += 1) {
      const answer = await attempt(index)
      if (answer.status === 429) vi.setSystemTime(Date.now() + Number(answer.headers.get("retry-after")) * 1000)
      else passed += 1
    }
    return passed
  }

  it("at the password leaves the mailed code alone, and at the code the password", async () => {
    const { browser } = open()
    const owner = browser()
    await ask(owner)
    for (let index = 0; index < 11; index += 1) await enter(browser("203.0.113.8"), `wrong ${index}`)
    expect(await status(owner.get(link()))).toBe(302)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })

    const { browser: other } = open()
    for (let index = 0; index < 11; index += 1) await other("203.0.113.8").get(link(`00000${index}`))
    const typing = other()
    await enter(typing, password)
    expect(await typing.session()).toMatchObject({ user: { email: ada } })
  })

  it("at the code keeps its owner out until a day has passed, and has thirty tries in it", async () => {
    const { browser } = open()
    const thief = browser("203.0.113.8")
    expect(await tryFor(23.9 * hour, (index) => thief.get(link(`${100000 + index}`)))).toBe(30)
    const owner = browser()
    vi.setSystemTime(Date.parse("2026-11-02T00:00:00Z"))
    await ask(owner)
    expect(await status(owner.get(link()))).toBe(302)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  })

  it("at the password still has a hundred tries in thirty days", async () => {
    const { browser } = open()
    const thief = browser("203.0.113.8")
    expect(await tryFor(29 * 24 * hour, (index) => enter(thief, `wrong ${index}`))).toBe(100)
  })

  it("at the code makes nobody wait any longer who was let in again", async () => {
    const { auth, browser } = open()
    for (let index = 0; index < 11; index += 1) await browser("203.0.113.8").get(link(`00000${index}`))
    const owner = browser()
    await ask(owner)
    expect(await status(owner.get(link()))).toBe(429)
    await control.reset(auth, ada)
    expect(await status(owner.get(link()))).toBe(302)
  })
})

describe('a network in which people press the button of `confirm: "other-browser"`', { tags: ["threat:V6-06"] }, () => {
  const small = { code: { network: { free: 20 } } }

  /** Somebody asks at the desk, and presses the button on the phone. */
  async function signIn(browser: () => Browser, email: string): Promise<number> {
    const phone = browser()
    await ask(browser(), email)
    const page = await status(phone.get(link("047111", email)))
    return page === 200 ? status(phone.post(link("047111", email))) : page
  }

  it("has room for any number of them", async () => {
    const { browser } = open({ confirm: "other-browser" }, small)
    const statuses: number[] = []
    for (let index = 0; index < 30; index += 1) statuses.push(await signIn(() => browser(), `p${index}@op.test`))
    expect(statuses.filter((one) => one !== 302)).toEqual([])
  })

  it("has no more guesses at many people than before, with pages and without, however many have pressed it", async () => {
    const { browser } = open({ confirm: "other-browser" }, small)
    let tried = 0
    for (let index = 0; index < 15; index += 1) {
      // Who presses no button that a page showed gives nothing back but the try itself.
      const own = browser()
      await ask(own, `own${index}@op.test`)
      await own.post(link("047111", `own${index}@op.test`))
      if ((await browser().get(link("000000", `p${index}@op.test`))).status !== 429) tried += 1
      if ((await browser().post(link("000001", `q${index}@op.test`))).status !== 429) tried += 1
    }
    expect(tried).toBe(20)
  })

  it("has them at people whose addresses differ by an accent from those that sign in", async () => {
    const { browser } = open({ confirm: "other-browser", normalizeIdentifier: (typed: string) => typed }, small)
    let tried = 0
    for (let index = 0; index < 30; index += 1) {
      if ((await browser().get(link("000000", `p${index}@munchen.test`))).status !== 429) tried += 1
      const own = browser()
      await ask(own, `p${index}@m\u00fcnchen.test`)
      await own.post(link("047111", `p${index}@m\u00fcnchen.test`))
    }
    expect(tried).toBe(20)
  })

  it("has them where a right code follows wrong ones without a page", async () => {
    const { browser } = open({}, small)
    let tried = 0
    for (let index = 0; index < 30; index += 1) {
      const own = browser()
      await ask(own, `own${index}@op.test`)
      if ((await own.post(link("000000", `own${index}@op.test`))).status !== 429) tried += 1
      await own.post(link("047111", `own${index}@op.test`))
    }
    expect(tried).toBe(20)
  })
})
