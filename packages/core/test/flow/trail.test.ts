/** The trail through the whole engine: which entries there are, what they hold, and that none is made for nobody. */
import diagnostics from "node:diagnostics_channel"
import { afterEach, describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/adapters/memory.js"
import type { AuthConfig } from "../../src/types/config.js"
import { passwordProvider } from "../support/password-service.js"
import { agent, trailStage as stage } from "../support/trail-stage.js"

const channel = "latchkey.trail"
const client = { network: "203.0.113.7", userAgent: agent }

describe("the trail", () => {
  it("has a sign-in and a sign-out, with the id of the user and what is known of the client", async () => {
    const { ask, guess, entries } = stage()
    const cookies = (await guess("right")).headers.getSetCookie()
    const cookie = cookies.map((line) => line.split(";", 1)[0]).join("; ")
    await ask("signout", {}, { cookie })
    expect(entries).toEqual([
      { at: expect.any(Date), what: "signIn", outcome: "done", userId: "ada", provider: "password", client },
      { at: expect.any(Date), what: "signOut", outcome: "done", userId: "ada", client },
    ])
    for (const entry of entries) expect([entry, entry.client].every(Object.isFrozen)).toBe(true)
  })

  it("has the new user, the account and the sign-in of a mailed link, in order", async () => {
    const { ask, entries, links } = stage()
    await ask("signin/mail", { email: "ada@app.test" })
    await ask(links[0] ?? "")
    expect(entries.map(({ what, provider }) => [what, provider])).toEqual([
      ["userCreated", "mail"],
      ["accountLinked", "mail"],
      ["signIn", "mail"],
    ])
    expect(new Set(entries.map(({ userId }) => userId)).size).toBe(1)
    expect(JSON.stringify(entries)).not.toContain("ada@app.test")
  })

  it("names whoever was claimed in vain by a keyed hash, and never as the user", async () => {
    const { guess, entries } = stage()
    await guess("wrong", " ADA ")
    await guess("wrong", "ada")
    await guess("wrong", "grace")
    const [first, second, third] = entries
    expect(first).toEqual({
      at: expect.any(Date),
      what: "signInFailed",
      outcome: "refused",
      reason: "CredentialsSignin",
      claimed: expect.stringMatching(/^[\w-]{43}$/),
      provider: "password",
      client,
    })
    expect(second?.claimed).toBe(first?.claimed)
    expect(third?.claimed).not.toBe(first?.claimed)
    // In a hash a short word may stand by chance.
    const withoutHashes = entries.map((entry) => ({ ...entry, claimed: "" }))
    expect(JSON.stringify(withoutHashes)).not.toMatch(/ada|grace|wrong/i)
  })

  it("tells people apart by all fields that name them", async () => {
    const provider = { ...passwordProvider(), accountField: ["tenant", "username"] } as never
    const { ask, entries } = stage({ providers: [provider] })
    const people = ["acme ada", "ACME Ada", "acm eada", "other ada"]
    for (const person of people) {
      const [tenant = "", username = ""] = person.split(" ")
      await ask("callback/password", { tenant, username, password: "wrong" })
    }
    const [first, second, ...others] = entries.map(({ claimed }) => claimed)
    expect(second).toBe(first)
    expect(new Set([first, ...others]).size).toBe(3)
  })

  it("tells a fault from a refusal, with the incident of the answer", async () => {
    const { guess, entries } = stage()
    const response = await guess("down")
    const incident = new URL(response.headers.get("location") ?? "").searchParams.get("incident")
    expect(entries).toMatchObject([
      { what: "signInFailed", outcome: "fault", reason: "CallbackRouteError", incident, provider: "password" },
    ])
  })

  it("has what was limited", async () => {
    const { guess, entries } = stage({ limits: { budgets: { guess: { person: { free: 1 } } } } })
    await guess("wrong", "edith")
    await guess("wrong", "edith")
    expect(entries.map(({ what, outcome, reason }) => [what, outcome, reason])).toEqual([
      ["signInFailed", "refused", "CredentialsSignin"],
      ["limited", "refused", "TooManyRequests"],
    ])
    expect(entries[1]?.claimed).toBe(entries[0]?.claimed)
  })

  it("has a fault of another endpoint, and nothing of refusals that concern no sign-in", async () => {
    const adapter = memoryAdapter()
    vi.spyOn(adapter, "getSessionAndUser").mockRejectedValue(new Error("down"))
    const { ask, entries } = stage({ adapter, session: { strategy: "database" } })
    await ask("nothing")
    await ask("session", {}, { "content-type": "text/strange" })
    await ask("signin/unknown")
    await ask("session", undefined, { cookie: "__Secure-authjs.session-token=x" })
    expect(entries).toMatchObject([{ what: "fault", outcome: "fault", incident: expect.stringMatching(/^\w{12}$/) }])
    expect(entries[0]).not.toHaveProperty("claimed")
  })

  it("is awaited, and what a listener throws is logged and changes nothing", async () => {
    let isOver = false
    const waiting = stage({
      async trail() {
        await new Promise((resolve) => setTimeout(resolve, 20))
        isOver = true
      },
    })
    await waiting.guess("right")
    expect(isOver).toBe(true)
    const failing = stage({ trail: () => Promise.reject(new Error("the disk is full")) })
    const response = await failing.guess("right")
    expect(response.headers.getSetCookie().join()).toContain("session-token=ey")
    expect(failing.errors.map(({ name, message }) => [name, message])).toEqual([["EventError", "the disk is full"]])
  })

  it("that fails while an entry is made is logged as well", async () => {
    const address = (): string => {
      throw new Error("no such header")
    }
    const { ask, errors } = stage({ limits: { address } })
    expect((await ask("signout", {})).status).toBe(302)
    expect((await ask("signin/mail", { email: "" })).status).toBeLessThan(500)
    expect(errors.some(({ name }) => name === "EventError")).toBe(true)
  })

  it("must be a function", () => {
    const { auth } = stage({ trail: [] as never })
    expect(auth.problems().map(({ message }) => message)).toEqual([
      expect.stringContaining('"trail": expected a function'),
    ])
  })
})

describe("the channel latchkey.trail", () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it("publishes the same entries, without a listener in the configuration as well", async () => {
    const heard: unknown[] = []
    const listen = (entry: unknown): void => void heard.push(entry)
    diagnostics.subscribe(channel, listen)
    try {
      const { guess, entries } = stage()
      await guess("right")
      expect(heard).toEqual(entries)
      await stage({ trail: undefined }).guess("wrong")
      expect(heard).toMatchObject([{ what: "signIn" }, { what: "signInFailed" }])
    } finally {
      diagnostics.unsubscribe(channel, listen)
    }
  })

  it("costs nothing while nobody listens: no entry is made", async () => {
    const freeze = vi.spyOn(Object, "freeze")
    const read: string[] = []
    const made = () =>
      freeze.mock.calls.filter(([value]) => typeof value === "object" && value !== null && "what" in value)
    const walk = async (trail: AuthConfig["trail"]): Promise<number> => {
      read.length = 0
      freeze.mockClear()
      const address = ({ headers }: { headers: { get(name: string): string | null } }) => {
        read.push("address")
        return headers.get("x-client") ?? undefined
      }
      const { guess, ask } = stage({ trail, limits: { address, budgets: { guess: { person: { free: 2 } } } } })
      for (const password of ["right", "wrong", "down", "wrong", "wrong"])
        await guess(password, `person-${String(trail)}`)
      await ask("signout", {})
      await ask("session")
      return made().length
    }
    expect(await walk(undefined)).toBe(0)
    // Once for each request that is limited, and never for an entry.
    expect(read).toHaveLength(5)
    expect(await walk(() => {})).toBe(5)
    expect(read).toHaveLength(10)
  })
})
