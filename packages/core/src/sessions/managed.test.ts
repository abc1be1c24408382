import { describe, expect, it, vi } from "vitest"
import { noon, settingsOf } from "../../test/support/facts.js"
import { plainSettings } from "../../test/support/password-service.js"
import { readIncoming } from "../../test/support/read-incoming.js"
import { memoryRecords } from "../adapters/records.js"
import { type Context, createContext } from "../context/context.js"
import { managedSessions } from "../engine/managed-sessions.js"
import { isMarkedEnded } from "../ledger/ended.js"
import { listSessions, type SessionContent, type SessionRecord, takeSession, writeSession } from "../ledger/session.js"
import { memoryAdapter } from "../memory.js"
import { createRecords } from "../ports/records.js"
import { toSeconds } from "../std/time.js"
import type { AuthConfig } from "../types/config.js"
import type { ManagedSessionsOptions } from "../types/managed-sessions.js"
import { contentOf } from "./content.js"
import { endNamed, endOfMark, isFromBefore, ledgerOf } from "./managed.js"

const facts = { id: "session", startedAt: 7, proofs: [] }
const address = "203.0.113.7"
const expires = new Date(noon.getTime() + 1000)

async function around(options: ManagedSessionsOptions = {}, config: Partial<AuthConfig> = {}) {
  const error = vi.fn()
  const records = memoryRecords()
  const logger = { ...plainSettings.logger, error }
  const given = { ...plainSettings, logger, records, features: [managedSessions(options)], ...config }
  const settings = settingsOf(given)
  const of = async (userAgent: string | undefined): Promise<Context> => {
    const headers: Record<string, string> = userAgent === undefined ? {} : { "user-agent": userAgent }
    const incoming = await readIncoming(new Request("https://app.test/auth/session", { headers }), settings)
    return createContext({ settings, incoming: { ...incoming, address }, now: noon })
  }
  return { context: await of("Browser"), of, error, settings, records }
}

describe("what is kept of a session that begins", () => {
  it("is what it rests on, how it began, and when", async () => {
    const { context } = await around()
    const account = { provider: "op", type: "oidc", providerAccountId: "1" } as const
    const login = { user: { id: "ada" }, account, isNew: false }
    const beganWith = { provider: "op", providerAccountId: "1" }
    const kept = { facts, client: { userAgent: "Browser" }, seenAt: toSeconds(noon), generation: 0 }
    expect(await contentOf(context, { facts, login })).toEqual({
      ...kept,
      via: { provider: "op", type: "oidc" },
      beganWith,
    })
    expect(await contentOf(context, { facts, login: { ...login, account: null } })).toEqual(kept)
    const proofs = [
      { how: "webauthn" as const, provider: "passkey", at: 9 },
      { how: "email" as const, provider: "mail", at: 5 },
    ]
    const adding = { ...login, addsAccount: true as const }
    const added = await contentOf(context, { facts: { ...facts, proofs }, login: adding })
    expect(added).toEqual({ ...kept, facts: added.facts, via: { provider: "mail", type: "email" } })
    const before = { ...kept, beganWith }
    expect(await contentOf(context, { facts, login: adding, before })).toMatchObject({ beganWith })
    expect(await contentOf(context, { facts: { ...facts, proofs: [] }, login: adding })).not.toHaveProperty("via")
    expect(await contentOf(context, { facts })).toEqual(kept)
  })

  it("is of the browser its name alone, cut to 256 characters", async () => {
    const { of } = await around()
    expect((await contentOf(await of("x".repeat(300)), { facts })).client).toEqual({ userAgent: "x".repeat(256) })
    for (const nameless of [undefined, ""]) expect((await contentOf(await of(nameless), { facts })).client).toEqual({})
  })

  it("is what the application says of it instead, in a few short texts", async () => {
    const long = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${index}`, "v"]))
    const describe = vi.fn(() => ({ ["k".repeat(300)]: "v".repeat(300), number: 7 as never, ...long }))
    const { context, error } = await around({ describe })
    const { client } = await contentOf(context, { facts })
    expect(describe.mock.calls).toEqual([[{ userAgent: "Browser", address }]])
    expect(Object.keys(client)).toEqual(["k".repeat(256), ...Array.from({ length: 14 }, (_, index) => `n${index}`)])
    expect(client["k".repeat(256)]).toBe("v".repeat(256))
    expect(error).not.toHaveBeenCalled()
    const { context: silent } = await around({ describe: () => undefined as never })
    expect((await contentOf(silent, { facts })).client).toEqual({})
  })

  it("is nothing where the application fails, which is logged", async () => {
    const failing = () => {
      throw new Error("no")
    }
    const { context, error } = await around({ describe: failing })
    expect((await contentOf(context, { facts })).client).toEqual({})
    expect(error).toHaveBeenCalledOnce()
    expect(error.mock.calls[0]?.[0]).toMatchObject({
      type: "CallbackRouteError",
      cause: { callback: "managedSessions.describe" },
    })
  })
})

describe("the ledger of a request", () => {
  it("is of the records of the configuration, or of a transaction of the adapter that keeps them", async () => {
    const inside = { records: createRecords(memoryRecords()) } as never
    const own = await around()
    expect(ledgerOf(own.context, inside).records).toBe(own.settings.records)
    const adapter = memoryAdapter()
    const both = await around({}, { adapter, records: adapter as never })
    expect(ledgerOf(both.context, inside).records).toBe((inside as { records: unknown }).records)
    const kept = await around({}, { adapter, records: undefined })
    expect(ledgerOf(kept.context, inside).records).toBe((inside as { records: unknown }).records)
    expect(ledgerOf(kept.context)).toEqual({
      records: kept.settings.records,
      keyring: kept.settings.recordKeyring,
      now: noon,
    })
  })
})

describe("a session whose record does not say how it began", () => {
  const via = { provider: "op", type: "oidc" } as const
  // Without management a sealed cookie says it as well.
  const proofs = [{ how: "oidc" as const, at: 7 }]

  it.each<[string, Parameters<typeof isFromBefore>[0], boolean]>([
    ["it rests on nothing", { facts }, true],
    ["it is known how it began", { facts, via }, false],
    ["somebody acts in it", { facts: { ...facts, actor: "support" } }, false],
    ["it rests on a proof", { facts: { ...facts, proofs } }, true],
  ])("may be from before: %s", (_, session, expected) => {
    expect(isFromBefore(session)).toBe(expected)
  })
})

it.each([
  ["of the session", { maxAge: 9 }, { maxAge: 5 }],
  ["of its token", { maxAge: 5 }, { maxAge: 9 }],
])(
  "the mark of a session that ended stays for as long as a token may: the age %s, whichever is longer",
  async (_, session, jwt) => {
    const { context } = await around({}, { session, jwt })
    expect(endOfMark(context)).toEqual(new Date(noon.getTime() + 9000))
  },
)

it.each([
  ["jwt", 3650 * 86_400],
  ["database", 9],
] as const)(
  "where the application opens tokens itself, the mark of a session in %s stays for %i s",
  async (strategy, seconds) => {
    const { context } = await around(
      {},
      { session: { strategy, maxAge: 9 }, jwt: { maxAge: 5, decode: async () => null } },
    )
    expect(endOfMark(context)).toEqual(new Date(noon.getTime() + seconds * 1000))
  },
)

describe("sessions that are named", () => {
  const contentIn = (id: string, isReplaced: boolean): SessionContent => ({
    ...{ facts: { ...facts, id }, client: {}, seenAt: 0, generation: 0, sessionToken: `token of ${id}` },
    ...(isReplaced && { isReplaced }),
  })

  it("end with all their records, those first that can be renewed, and no others", async () => {
    const { context, records } = await around()
    const ledger = ledgerOf(context)
    const write = (key: string, id: string, isReplaced = false) =>
      writeSession(ledger, { key, userId: "ada", expires, content: contentIn(id, isReplaced) })
    await write("a1", "a", true)
    await write("b", "b")
    await write("c", "c")
    const { listRecords } = records
    vi.spyOn(records, "listRecords").mockImplementationOnce(async (...args) => {
      const found = await listRecords.apply(records, args)
      // As by a request that gives it a new token at this moment.
      await write("a2", "a")
      return found
    })
    const end = vi.fn()
    const isMeant = (content: SessionContent) => content.facts.id !== "c"
    expect(await endNamed(context, { end }, { userId: "ada", isMeant })).toEqual({ ids: new Set(["a", "b"]) })
    expect(end.mock.calls.map(([, { key }]) => key)).toEqual(["b", "a2", "a1"])
    expect(await Promise.all(["a", "b", "c"].map((id) => isMarkedEnded(ledger, id)))).toEqual([true, true, false])
  })

  it("are not marked where they are no rows, and their records are asked for once more, for those that went on from them", async () => {
    const { context, records } = await around()
    const { sessionToken: _, ...content } = contentIn("a", false)
    const via = { provider: "op", type: "oidc" } as const
    await writeSession(ledgerOf(context), { key: "a", userId: "ada", expires, content: { ...content, via } })
    const [record] = await listSessions(ledgerOf(context), "ada")
    const [count, listed] = [vi.spyOn(records, "countRecord"), vi.spyOn(records, "listRecords")]
    const end = vi.fn()
    await endNamed(context, { end }, { userId: "ada", isMeant: () => true })
    expect(end.mock.calls).toEqual([[context, record]])
    expect([count.mock.calls.length, listed.mock.calls.length]).toEqual([0, 2])
  })

  it("end with what goes on from them meanwhile", async () => {
    const { context } = await around()
    const ledger = ledgerOf(context)
    const write = (id: string, follows: readonly string[]) =>
      writeSession(ledger, { key: id, userId: "ada", expires, content: { ...contentIn(id, false), follows } })
    await write("a", [])
    const end = vi.fn(async (_context: unknown, { key }: SessionRecord) => {
      if (key === "a") await write("c", ["a", "b"])
      await takeSession(ledger, key)
    })
    const isMeant = ({ facts: { id } }: SessionContent) => id === "a"
    expect(await endNamed(context, { end }, { userId: "ada", isMeant })).toEqual({ ids: new Set(["a", "c"]) })
    expect(await listSessions(ledger, "ada")).toEqual([])
  })

  it("are marked where a token from before may open them", async () => {
    const { context } = await around()
    const { sessionToken: _, ...content } = contentIn("a", false)
    await writeSession(ledgerOf(context), { key: "a", userId: "ada", expires, content })
    await endNamed(context, { end: vi.fn() }, { userId: "ada", isMeant: () => true })
    expect(await isMarkedEnded(ledgerOf(context), "a")).toBe(true)
  })

  it("end where they cannot be marked, and it is said", async () => {
    const { context, records } = await around()
    await writeSession(ledgerOf(context), { key: "a", userId: "ada", expires, content: contentIn("a", false) })
    vi.spyOn(records, "countRecord").mockRejectedValue(new Error("full"))
    const end = vi.fn()
    const { ids, failed } = await endNamed(context, { end }, { userId: "ada", isMeant: () => true })
    expect([[...ids], end.mock.calls.length]).toEqual([["a"], 1])
    expect(failed?.reason).toMatchObject({ type: "AdapterError" })
  })
})
