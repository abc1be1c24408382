/** Guesses at a person whom an application finds by another field than the first, or by any of several. */
import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import type { CredentialInput } from "../../src/types/provider.js"
import { openBrowser } from "../support/browser.js"
import { credentialsProvider } from "../support/credentials.js"

const tags = ["threat:V6-06"]
const password = { type: "password" }
type Fields = Readonly<Record<string, string>>

/** An application that looks Ada up by address, phone, number or name, and its warnings. */
function open(credentials: Record<string, CredentialInput> | undefined) {
  const people: readonly (Fields & { readonly id: string })[] = [
    { id: "ada", email: "ada@app.test", phone: "+49123", customer: "17", name: "ada", password: "right" },
    { id: "eve", email: "eve@app.test", phone: "+49666", customer: "66", name: "eve", password: "own" },
  ]
  let guesses = 0
  // Each that is there is tried, as some applications do.
  const authorize = (given: Record<string, unknown>): { id: string } | null => {
    const found = people.filter((one) =>
      ["email", "phone", "customer", "name"].some((field) => given[field] === one[field]),
    )
    if (found.some(({ id }) => id === "ada")) guesses += 1
    return found.find((one) => one["password"] === given["password"]) ?? null
  }
  const warnings: string[] = []
  const logger = { error: () => {}, warn: (code: string) => void warnings.push(code), debug: () => {} }
  const provider = { ...(credentialsProvider(authorize as never) as object), credentials } as never
  const config = { secret: randomBytes(32).toString("hex"), trustHost: true, providers: [provider], logger }
  const { handle } = createAuth(config, { env: { NODE_ENV: "production" } })
  const browserOf = () => openBrowser((request) => handle(request, { address: "203.0.113.7" }))
  return { browserOf, warnings, guesses: () => guesses }
}

const signIn = async (browser: ReturnType<ReturnType<typeof open>["browserOf"]>, fields: Fields): Promise<number> =>
  (await browser.post("/auth/callback/credentials", fields)).status

const shapes: Readonly<
  Record<string, readonly [Record<string, CredentialInput> | undefined, (index: number) => Fields]>
> = {
  "by the address behind a name": [
    { name: {}, email: {}, password },
    (n) => ({ name: `n${n}`, email: "ada@app.test" }),
  ],
  "by the address, without the name": [{ name: {}, email: {}, password }, () => ({ email: "ada@app.test" })],
  "by the address behind what is hidden": [
    { step: { type: "hidden" }, email: {}, password },
    (n) => ({ step: `${n}`, email: "ada@app.test" }),
  ],
  "by the phone beside a code": [{ otp: {}, phone: {} }, (n) => ({ otp: `${n}`, phone: "+49123" })],
  "by the phone in place of the address": [{ email: {}, phone: {}, password }, () => ({ phone: "+49123" })],
  "by the phone beside an address": [
    { email: {}, phone: {}, password },
    (n) => ({ email: `${n}@app.test`, phone: "+49123" }),
  ],
  "by a number beside an address": [
    { customer: {}, email: {}, password },
    (n) => ({ customer: "17", email: `${n}@app.test` }),
  ],
  "by the address beside a number": [
    { customer: {}, email: {}, password },
    (n) => ({ customer: `${n}`, email: "ada@app.test" }),
  ],
  "by the address, where no field is listed": [undefined, () => ({ email: "ada@app.test" })],
  "by the phone, where no field is listed": [undefined, (n) => ({ phone: "+49123", username: `${n}` })],
}

it.each(Object.entries(shapes))("%s are let through ten times", { tags }, async (_, [credentials, fieldsOf]) => {
  const { browserOf, guesses } = open(credentials)
  const browser = browserOf()
  for (let n = 0; n < 40; n++) await signIn(browser, { ...fieldsOf(n), password: `guess ${n}` })
  expect(guesses()).toBe(10)
})

it.each<[string, Record<string, CredentialInput>, Fields, Fields]>([
  ["their address", { name: {}, email: {}, password }, { email: "eve@app.test" }, { email: "ada@app.test" }],
  [
    "the same name",
    { name: {}, email: {}, password },
    { name: "x", email: "eve@app.test" },
    { name: "x", email: "ada@app.test" },
  ],
  [
    "Ada's address beside their phone",
    { email: {}, phone: {}, password },
    { phone: "+49666", email: "ada@app.test" },
    { email: "ada@app.test" },
  ],
  [
    "Ada's phone beside their address",
    { email: {}, phone: {}, password },
    { email: "eve@app.test", phone: "+49123" },
    { phone: "+49123" },
  ],
  [
    "both, in each request",
    { email: {}, phone: {}, password },
    { email: "ada@app.test", phone: "+49666" },
    { email: "ada@app.test", phone: "+49666" },
  ],
])("are not forgotten when the guesser signs in with %s", { tags }, async (_, credentials, own, guess) => {
  const { browserOf, guesses } = open(credentials)
  const browser = browserOf()
  let rightOnes = 0
  for (let n = 0; n < 40; n++) {
    if (
      n % 5 === 0 &&
      (await signIn(browser, { ...own, password: "own" })) === 302 &&
      Object.values(own).some((one) => one === "ada@app.test" || one === "+49123")
    )
      rightOnes += 1
    await signIn(browser, { ...guess, password: `guess ${n}` })
  }
  expect(guesses() - rightOnes).toBeLessThanOrEqual(11)
})

it("leaves everybody of a tenant their tries, though one of them is guessed at", async () => {
  const { browserOf } = open({ tenant: {}, email: {}, password })
  const [guesser, ada] = [browserOf(), browserOf()]
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) await signIn(guesser, { tenant: "acme", email: "ada@app.test", password: "wrong" })
  for (let n = 0; n < 20; n++) {
    statuses.push(await signIn(ada, { tenant: "acme", email: "eve@app.test", password: n % 2 ? "own" : "wrong" }))
  }
  expect(statuses.filter((status) => status === 429)).toEqual([])
})

it("is said at the start where no field may say who it is", () => {
  const ofCode = { code: { label: "Code" }, password }
  const warned = [{ email: {}, password }, { token: {} }, { password }, ofCode, undefined].map(
    (given) => open(given).warnings,
  )
  expect(warned).toEqual([[], [], ["person-unknown"], ["person-unknown"], ["person-unknown"]])
})
