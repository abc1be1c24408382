/** Whose accounts have ended because the owner of the address came: they are looked at once more after the transaction. */
import { expect, it } from "vitest"
import { ada, adapterOf, admitting } from "../../test/support/admitting.js"
import { noon } from "../../test/support/facts.js"
import { account } from "../../test/support/proofs.js"
import type { Proof } from "../methods/method.js"
import { credentialsPolicy, emailPolicy } from "../methods/policy.js"
import type { Facts } from "./facts.js"

const mailed = { ...account, provider: "mail", type: "email" as const, providerAccountId: "ada@app.test" }
const byMail: Partial<Proof> = { policy: emailPolicy, account: mailed, stored: mailed }
const byProvider: Partial<Proof> = { mayLinkByEmail: true, emailStatus: "verified" }
const proven = { ...ada, emailVerified: noon }

const claimed = async (given: Partial<Proof>, known: Partial<Facts>) =>
  (await (await admitting(given, known, adapterOf({ listAccountsByUserId: async () => [] }))).admitted).claimed

it.each<[string, Partial<Proof>, Partial<Facts>]>([
  ["who comes by mail for the first time", byMail, { emailOwner: ada }],
  ["who comes by a provider for the first time", byProvider, { emailOwner: ada }],
])("it is the user %s", async (_, given, known) => {
  expect(await claimed(given, known)).toEqual(ada)
})

it.each<[string, Partial<Proof>, Partial<Facts>]>([
  ["who has come by mail before", byMail, { emailOwner: proven }],
  ["who has come by a provider before", byProvider, { emailOwner: proven }],
  ["who is new by mail", byMail, {}],
  ["who is new by a provider", byProvider, {}],
  ["whose account is known", byProvider, { accountOwner: ada }],
  ["who links an account while signed in", byProvider, { currentUser: ada }],
  ["whom the application knows", { policy: credentialsPolicy, stored: undefined }, {}],
  ["whom nobody stores", { ...byMail, user: ada }, { hasStore: false }],
])("it is nobody %s", async (_, given, known) => {
  expect(await claimed(given, known)).toBeUndefined()
})
