/** The owner of an account, where the database may have found the account of another id. */
import { expect, it, vi } from "vitest"
import { contextOf } from "../../test/support/facts.js"
import { plainSettings } from "../../test/support/password-service.js"
import { account, proofFor, provider } from "../../test/support/proofs.js"
import type { Proof } from "../methods/method.js"
import { passkeyPolicy } from "../methods/policy.js"
import type { AdapterUser } from "../types/identity.js"
import { type Facts, gatherFacts } from "./facts.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const proofOf = proofFor({ id: "candidate" })
const jose = { ...account, providerAccountId: "jose" }

interface Stage {
  /** Id of the account that the store has; by default the one that is asked for. */
  readonly stored?: string
  /** More of the adapter. */
  readonly adapter?: object
  readonly before?: Partial<Facts>
  readonly asked?: Proof["account"]
  readonly policy?: Proof["policy"]
}

async function find({ stored, adapter, before, asked = jose, policy }: Stage = {}) {
  const getAccount = vi.fn(async () => ({ ...asked, providerAccountId: stored ?? asked.providerAccountId }))
  const given = { getUserByAccount: async () => ada, getUserByEmail: async () => null, getAccount, ...adapter }
  const config = { ...plainSettings, providers: [provider("acme")], adapter: given as never }
  const context = await contextOf("https://app.test/auth/session", { config })
  const around = { store: context.settings.store, ...(before && { before: before as Facts }) }
  const { accountOwner } = await gatherFacts(context, proofOf({ account: asked, ...(policy && { policy }) }), around)
  return { accountOwner, asked: getAccount.mock.calls }
}

it("is nobody where the account has another id, and the account is asked for by its id and its provider", async () => {
  expect(await find({ stored: "José" })).toEqual({ accountOwner: null, asked: [["jose", "acme"]] })
})

it("is who the store says where the account has that id", async () => {
  expect(await find()).toEqual({ accountOwner: ada, asked: [["jose", "acme"]] })
})

const passkey = { ...jose, type: "webauthn" as const }
it.each<[string, Stage]>([
  ["compares exactly", { adapter: { comparesExactly: true } }],
  ["cannot be asked for accounts", { adapter: { getAccount: undefined } }],
  ["has found it before, in the same request", { before: { accountOwner: ada } }],
])("is who the store says, without a question, where it %s", async (_, stage) => {
  expect(await find({ stored: "José", ...stage })).toEqual({ accountOwner: ada, asked: [] })
})

it.each<[string, Stage]>([
  ["a number", { asked: { ...jose, providerAccountId: "123" } }],
  ["that of a passkey", { asked: passkey, policy: passkeyPolicy }],
])("is who the store says, without a question, where the id is %s", async (_, stage) => {
  expect(await find({ stored: "José", ...stage })).toEqual({ accountOwner: ada, asked: [] })
})

it("is looked at again where somebody else, or nobody, had the account before, in the same request", async () => {
  for (const accountOwner of [{ ...ada, id: "grace" }, null])
    expect(await find({ stored: "José", before: { accountOwner } })).toMatchObject({ accountOwner: null })
})
