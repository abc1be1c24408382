import { describe, expect, it, vi } from "vitest"
import { contextOf } from "../../test/support/facts.js"
import { plainSettings } from "../../test/support/password-service.js"
import { account, proofFor, provider } from "../../test/support/proofs.js"
import { managedSessions } from "../engine/managed-sessions.js"
import { memoryRecords } from "../memory.js"
import type { AuthConfig } from "../types/config.js"
import type { AdapterUser } from "../types/identity.js"
import type { Admission } from "./admit.js"
import type { Facts } from "./facts.js"
import { endedBefore, expectStanding, mayHaveEnded } from "./standing.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const down = () => Promise.reject(new Error("down"))
const facts = { proof: proofFor({ id: "candidate" })(), currentUser: ada } as Facts
const row = "__Secure-authjs.session-token=row"

/** A request with the token of a row, and what is announced. */
async function around(operations: object, config: Partial<AuthConfig> = {}) {
  const announced = vi.fn()
  const unlinkAccount = vi.fn(async () => {})
  const adapter = { getSessionAndUser: async () => null, unlinkAccount, ...memoryRecords(), ...operations }
  const given: Partial<AuthConfig> = {
    ...plainSettings,
    providers: [provider("acme")],
    session: { strategy: "database" },
    features: [managedSessions()],
    events: { createUser: announced, linkAccount: announced },
    adapter: adapter as never,
    ...config,
  }
  const request = new Request("https://app.test/auth/callback/acme", { headers: { cookie: row } })
  return { context: await contextOf(request, { config: given }), announced, unlinkAccount }
}

const linked = { kind: "linkAccount", message: { user: ada, account, profile: ada } }
const created = { kind: "createUser", message: { user: ada } }
const admitted = (login: object = { addsAccount: true }): Admission =>
  ({ login: { user: ada, account, isNew: false, ...login }, events: [created, linked] }) as unknown as Admission

describe("a session may have ended while an account is added", () => {
  const currentSession = { user: ada, session: undefined }
  it.each<[string, Partial<AuthConfig>, Facts, boolean]>([
    ["where somebody can end it by name", {}, { ...facts, currentSession }, true],
    ["not without one", {}, facts, false],
    ["not where nobody manages sessions", { features: [] }, { ...facts, currentSession }, false],
  ])("%s", async (_, config, known, expected) => {
    expect(mayHaveEnded((await around({}, config)).context, known)).toBe(expected)
  })
})

describe("a session that has ended", () => {
  it("loses the account that was added, and nothing else is taken away or announced", async () => {
    const { context, announced, unlinkAccount } = await around({})
    await expect(expectStanding(context, facts, admitted())).rejects.toMatchObject({ type: "OAuthAccountNotLinked" })
    const { provider, providerAccountId } = account
    expect(unlinkAccount.mock.calls).toEqual([[{ provider, providerAccountId }]])
    expect(announced).not.toHaveBeenCalled()
  })

  it("is not asked for where no account was added", async () => {
    const getSessionAndUser = vi.fn(async () => null)
    const { context, unlinkAccount } = await around({ getSessionAndUser })
    await expectStanding(context, facts, admitted({}))
    expect([getSessionAndUser.mock.calls, unlinkAccount.mock.calls]).toEqual([[], []])
  })

  it.each([
    ["cannot be asked for", { getSessionAndUser: down }, [[created.message], [linked.message]]],
    ["keeps what cannot be taken away", { unlinkAccount: down }, [[linked.message]]],
  ])("%s: the failure says so, and what stays is announced", async (_, operations, expected) => {
    const { context, announced } = await around(operations)
    await expect(expectStanding(context, facts, admitted())).rejects.toMatchObject({ type: "AdapterError" })
    expect(announced.mock.calls).toEqual(expected)
  })

  it("keeps it where the adapter cannot take accounts away, which is announced", async () => {
    const { context, announced } = await around({ unlinkAccount: undefined })
    expect(await endedBefore(context, facts, admitted())).toMatchObject({ type: "OAuthAccountNotLinked" })
    expect(announced.mock.calls).toEqual([[linked.message]])
  })
})
