import { expect, it } from "vitest"
import { contextOf } from "../../test/support/facts.js"
import { mailProvider, plainSettings } from "../../test/support/password-service.js"
import { provider, verifying } from "../../test/support/proofs.js"
import { Passkey } from "../providers/passkey.js"
import type { AdapterUser } from "../types/identity.js"
import { unprovenAccounts } from "./holdings.js"

const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }
const account = { provider: "acme", providerAccountId: "1", type: "oauth" as const }
const mail = mailProvider(() => {})

it("counts as unproven what needs no proof of the address", async () => {
  const accounts = [
    account,
    { ...account, provider: "verifying" },
    { ...account, type: "email" },
    { ...account, provider: "gone" },
  ]
  const adapter = { listAccountsByUserId: async () => accounts }
  const config = { providers: [mail, provider("acme"), verifying], ...plainSettings, adapter: adapter as never }
  const context = await contextOf("https://app.test/auth/session", { config })
  expect(await unprovenAccounts(context, ada, context.settings.store)).toEqual([accounts[0], accounts[3]])
  const passkeys = {
    getUserByAccount: async () => ada,
    listAuthenticatorsByUserId: async () => [{ providerAccountId: "c" }],
  }
  const given = {
    ...config,
    providers: [Passkey({})],
    experimental: { enableWebAuthn: true },
    adapter: passkeys as never,
  }
  const alone = await contextOf("https://app.test/auth/session", { config: given as never })
  const found = [{ provider: "passkey", providerAccountId: "c" }]
  expect(await unprovenAccounts(alone, ada, alone.settings.store)).toEqual(found)
})

it("asks for no authenticators where nobody can sign in with one: their table may be missing", async () => {
  const adapter = { listAuthenticatorsByUserId: () => Promise.reject(new Error("no such table")) }
  const config = { providers: [mail, provider("acme")], ...plainSettings, adapter: adapter as never }
  const context = await contextOf("https://app.test/auth/session", { config })
  expect(await unprovenAccounts(context, ada, context.settings.store)).toEqual([])
})
