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

/** Phone numbers are looked up by their digits, as most applications do. */
const asLookedUp = (field: string, value: unknown): unknown =>
  field === "phone" && typeof value === "string" ? value.replace(/\D/g, "") : value

/** Fields that choose among whom to look. */
const chosen = [
  ...["state", "language", "mode", "phoneCode", "areaCode", "zipCode", "slug", "audience", "captcha", "classCode"],
  "dateOfBirth",
]

/** An application that looks Ada up by address, phone, number or name; whoever is refused gets `null`, or it throws. */
function openOne(credentials: Record<string, CredentialInput> | undefined, refuse: () => null = () => null) {
  const people: readonly (Fields & { readonly id: string })[] = [
    {
      id: "ada",
      email: "ada@app.test",
      phone: "+49123456",
      customer: "17",
      name: "ada",
      memberNumber: "4711",
      handle: "ada_",
      password: "right",
    },
    { id: "eve", email: "eve@app.test", phone: "+49666", customer: "66", name: "eve", password: "own" },
    { id: "another ada", name: "ada", dateOfBirth: "evil", password: "own" },
    // Somebody at another tenant, and somebody who took the address of another one for a name.
    { id: "mallory", email: "ada@app.test", tenant: "evil", username: "ada@app.test", password: "own" },
    { id: "carol", email: "ada@app.test", role: "guest", companyId: "evil", password: "own" },
    ...chosen.map((place) => ({ id: place, email: "ada@app.test", [place]: "evil", password: "own" })),
  ]
  let guesses = 0
  // Each that is there is tried, as some applications do.
  const authorize = (given: Record<string, unknown>): { id: string } | null => {
    const found = people.filter(
      (one) =>
        ["tenant", "role", "companyId", ...chosen].every(
          (place) => one[place] === undefined || given[place] === undefined || one[place] === given[place],
        ) &&
        ["email", "phone", "customer", "name", "username", "memberNumber", "handle"].some(
          (field) => one[field] !== undefined && asLookedUp(field, given[field]) === asLookedUp(field, one[field]),
        ),
    )
    const isRight = found.find((one) => one["password"] === given["password"])
    if (!isRight && found.some(({ id }) => id === "ada")) guesses += 1
    return isRight ?? refuse()
  }
  const warnings: string[] = []
  const logger = { error: () => {}, warn: (code: string) => void warnings.push(code), debug: () => {} }
  const provider = { ...(credentialsProvider(authorize as never) as object), credentials } as never
  const config = { secret: randomBytes(32).toString("hex"), trustHost: true, providers: [provider], logger }
  const { handle } = createAuth(config, { env: { NODE_ENV: "production" } })
  const browserOf = () => openBrowser((request) => handle(request, { address: "203.0.113.7" }))
  return { browserOf, warnings, guesses: () => guesses }
}

const signIn = async (browser: ReturnType<ReturnType<typeof openOne>["browserOf"]>, fields: Fields): Promise<number> =>
  (await browser.post("/auth/callback/credentials", fields)).status

const throwing = (): never => {
  throw new Error("Invalid credentials")
}
type Shape = readonly [Record<string, CredentialInput> | undefined, (index: number) => Fields]
const address = "ada@app.test"

const shapes: Readonly<Record<string, Shape>> = {
  "by the address behind a name": [{ name: {}, email: {}, password }, (n) => ({ name: `n${n}`, email: address })],
  "by the address, without the name": [{ name: {}, email: {}, password }, () => ({ email: address })],
  "by the name, without the address": [{ name: {}, email: {}, password }, () => ({ name: "ada" })],
  "by the address behind what is hidden": [
    { step: { type: "hidden" }, email: {}, password },
    (n) => ({ step: `${n}`, email: address }),
  ],
  "by a handle that is hidden": [
    { handle: { type: "hidden" }, device: {}, password },
    (n) => ({ device: `${n}`, handle: "ada_" }),
  ],
  "by the address behind a store": [{ store: {}, email: {}, password }, (n) => ({ store: `${n}`, email: address })],
  "by a phone number that is written in another way each time": [
    { phone: {}, otp: {} },
    (n) => ({ phone: `+4${" -./()x"[n % 7]}91${"-".repeat(n)}23456`, otp: `${n}` }),
  ],
  "by the address beside a name that browsers complete, as React writes it": [
    { nombre: {}, email: { autoComplete: "username" }, password } as never,
    (n) => ({ nombre: `${n}`, email: address }),
  ],
  "by the address, where the password is a text": [
    { email: {}, Password: { type: "Password" }, pass: { type: "text" } },
    (n) => ({ email: address, pass: `${n}` }),
  ],
  "by the phone beside a code": [{ otp: {}, phone: {} }, (n) => ({ otp: `${n}`, phone: "+49123456" })],
  "by the phone in place of the address": [{ email: {}, phone: {}, password }, () => ({ phone: "+49123456" })],
  "by the phone beside an address": [
    { email: {}, phone: {}, password },
    (n) => ({ email: `${n}@app.test`, phone: "+49123456" }),
  ],
  "by a number beside an address": [
    { email: {}, memberNumber: {}, password },
    (n) => ({ email: `${n}@app.test`, memberNumber: "4711" }),
  ],
  "by a number beside an address, which browsers complete": [
    { email: {}, customer: { autocomplete: "username" }, password },
    (n) => ({ email: `${n}@app.test`, customer: "17" }),
  ],
  "by a handle that looks like a word": [
    { email: {}, handle: {}, passengerId: {}, password },
    (n) => ({ email: `${n}@app.test`, handle: "ada_" }),
  ],
  "by the address beside a phone": [{ email: {}, phone: {}, password }, (n) => ({ email: address, phone: `${n}` })],
  "by the address, where no field is listed": [undefined, () => ({ email: address })],
  "by the phone, where no field is listed": [undefined, (n) => ({ phone: "+49123456", username: `${n}` })],
}
const answers = { null: () => null, "an error": throwing } as const

it.each(
  Object.entries(shapes).flatMap(([by, shape]) =>
    Object.entries(answers).map(([kind, refuse]) => [by, kind, shape, refuse] as const),
  ),
)("%s, refused by %s, are let through ten times", { tags }, async (_, __, [credentials, fieldsOf], refuse) => {
  const { browserOf, guesses } = openOne(credentials, refuse)
  const browser = browserOf()
  for (let n = 0; n < 40; n++) await signIn(browser, { ...fieldsOf(n), password: `guess ${n}` })
  expect(guesses()).toBe(10)
})

const [tenant, eve] = [{ tenant: "acme" }, "eve@app.test"]
const ofTwo = { email: {}, phone: {}, password }
type Choice = [string, Record<string, CredentialInput> | undefined, Fields, Fields]
it.each<Choice>([
  ["their address", { name: {}, email: {}, password }, { email: eve }, { email: address }],
  ["the same name", { name: {}, email: {}, password }, { name: "x", email: eve }, { name: "x", email: address }],
  ["Ada's address beside their phone", ofTwo, { phone: "+49666", email: address }, { email: address }],
  ["Ada's phone beside their address", ofTwo, { email: eve, phone: "+49123456" }, { phone: "+49123456" }],
  ["both, in each request", ofTwo, { email: address, phone: "+49666" }, { email: address, phone: "+49666" }],
  [
    "their address at the same tenant",
    { tenant: {}, email: {}, password },
    { ...tenant, email: eve },
    { ...tenant, email: address },
  ],
  [
    "her address at another tenant",
    { tenant: {}, email: {}, password },
    { tenant: "evil", email: address },
    { ...tenant, email: address },
  ],
  [
    "her address in another role",
    { email: {}, password, role: { type: "hidden" } },
    { role: "guest", email: address },
    { role: "admin", email: address },
  ],
  [
    "her address at a company that is a number",
    { email: {}, companyId: { type: "number" }, password },
    { companyId: "evil", email: address },
    { companyId: "17", email: address },
  ],
  ...["state", "language", "mode", "phoneCode", "captcha"].map(
    (place): Choice => [
      `her address at another choice of ${place}`,
      { email: {}, password, [place]: { type: place === "mode" ? "radio" : "select" } },
      { [place]: "evil", email: address },
      { [place]: "own", email: address },
    ],
  ),
  ...["state", "areaCode", "zipCode", "slug", "audience", "classCode"].flatMap((place) =>
    [{ [place]: {} }, { [place]: { type: "hidden" } }, ...(place === "state" ? [] : [{}])].map(
      (listed, index): Choice => [
        `her address at another ${place}, ${["listed", "hidden", "not listed"][index]}`,
        { email: {}, password, ...listed },
        { [place]: "evil", email: address },
        { [place]: "own", email: address },
      ],
    ),
  ),
  [
    "her name and another day of birth",
    { name: {}, dateOfBirth: {}, password },
    { name: "ada", dateOfBirth: "evil" },
    { name: "ada", dateOfBirth: "own" },
  ],
  ["Ada's address for a name", { email: {}, username: {}, password }, { username: address }, { email: address }],
  [
    "Ada's address for both",
    { email: {}, username: {}, password },
    { email: address, username: address },
    { email: address },
  ],
  [
    "Ada's address for both, in each request",
    { email: {}, username: {}, password },
    { email: address, username: address },
    { email: address, username: address },
  ],
  ["Ada's address for a name that is not listed", undefined, { username: address }, { email: address }],
])("are not forgotten when the guesser signs in with %s", { tags }, async (_, credentials, own, guess) => {
  for (const isKept of [true, false]) {
    const { browserOf, guesses } = openOne(credentials)
    const browser = browserOf()
    for (let n = 0; n < 40; n++) {
      const one = isKept ? browser : browserOf()
      if (n % 5 === 0) await signIn(one, { ...own, password: "own" })
      await signIn(one, { ...guess, password: `guess ${n}` })
    }
    expect([isKept, guesses() <= 11]).toEqual([isKept, true])
  }
})

it.each<[string, Record<string, CredentialInput> | undefined, Fields]>([
  ["of a tenant", { tenant: {}, email: {}, password }, tenant],
  ["of a role", { role: {}, email: {}, password }, { role: "member" }],
  ["of an account", { email: {}, password, account: {} }, { account: "acme" }],
  ["of a name", { email: {}, password, name: {} }, { name: "Ada" }],
  ["who use one button", undefined, { login: "Sign in" }],
  ["who use one listed button", { email: {}, password, login: { type: "submit" } }, { login: "Sign in" }],
])("leaves everybody %s their tries, though others of them are guessed at", async (_, credentials, shared) => {
  const { browserOf } = openOne(credentials)
  const [guesser, honest] = [browserOf(), browserOf()]
  for (let n = 0; n < 120; n++) await signIn(guesser, { ...shared, email: `${n}@app.test`, password: "wrong" })
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) {
    statuses.push(await signIn(honest, { ...shared, email: eve, password: n % 2 ? "own" : "wrong" }))
  }
  expect(statuses.filter((status) => status === 429)).toEqual([])
})

it.each<[string, Record<string, CredentialInput>, Fields, (index: number) => Fields]>([
  ["a captcha", { email: {}, password, captchaToken: {} }, { email: eve }, (n) => ({ captchaToken: `${n}` })],
  ["a state of its page", { email: {}, password }, { email: eve }, (n) => ({ state: `${n}` })],
  [
    "the position of its device",
    { email: {}, password },
    { email: eve },
    (n) => ({ user_location: `${n}`, city: `${n}` }),
  ],
  ["a code", { phone: { type: "tel" }, code: { type: "tel" } }, { phone: "+49666" }, (n) => ({ code: `${n}` })],
  ["a secret of another name", { email: {}, clave: {} }, { email: eve }, (n) => ({ clave: `${n}` })],
  [
    "an address to return to",
    { username: {}, password, callbackUrl: {} },
    { username: "eve@app.test", name: "eve" },
    (n) => ({ callbackUrl: `/${n}` }),
  ],
])(
  "forgets the wrong tries of somebody who signs in with %s that is another each time",
  async (_, credentials, own, changing) => {
    const { browserOf } = openOne(credentials)
    const browser = browserOf()
    const statuses: number[] = []
    for (let n = 0; n < 40; n++)
      statuses.push(await signIn(browser, { ...own, ...changing(n), password: n % 2 ? "own" : "wrong" }))
    expect(statuses.filter((status) => status === 429)).toEqual([])
  },
)

it.each([
  ["0171.1234567", {}],
  ["213.3734253", { type: "tel" }],
  ["٠٥٠-١٢٣٤٥٦٧", { type: "tel" }],
  ["0171 1234567 ext 7", { type: "tel" }],
  ["-123456", {}],
])("forgets the wrong tries of %s, which is read in several ways", { tags }, async (phone, field) => {
  const { browserOf } = openOwn({ phone: field, password }, ["phone", "password", phone])
  const statuses: number[] = []
  // Each in a browser that knows nobody.
  for (let n = 0; n < 40; n++) statuses.push(await signIn(browserOf(), { phone, password: n % 2 ? "own" : "wrong" }))
  expect(statuses.filter((status) => status === 429)).toEqual([])
})

it("are not forgotten when the guesser signs in with a name that is read as hers as well", { tags }, async () => {
  const { browserOf } = openOwn({ customer: {}, password }, ["customer", "password", "-123456"])
  const statuses: number[] = []
  for (let n = 0; n < 40; n++) {
    if (n % 5 === 0) await signIn(browserOf(), { customer: "-123456", password: "own" })
    statuses.push(await signIn(browserOf(), { customer: "123456", password: "wrong" }))
  }
  expect(statuses.filter((status) => status !== 429)).toHaveLength(10)
})

it.each<[string, Record<string, CredentialInput>]>([
  ["a PIN", { customer: {}, password: { type: "tel" } }],
  ["a code", { name: {}, pin: { type: "tel", autocomplete: "tel-extension" } }],
])("are let through ten times where %s has the type of a telephone number", { tags }, async (_, credentials) => {
  const { browserOf, guesses } = openOne(credentials)
  const browser = browserOf()
  for (let n = 0; n < 40; n++) await signIn(browser, { customer: "17", name: "ada", pin: `${n}`, password: `${n}` })
  expect(guesses()).toBe(10)
})

it("counts one request at three people at most, where no field is listed", { tags }, async () => {
  const { browserOf } = openOne(undefined)
  const names = ["email", "Email", "EMAIL", "mail", "user", "userName", "login", "phone", "tel", "username", "mobile"]
  const guesser = browserOf()
  for (let n = 0; n < 12; n++)
    await signIn(guesser, {
      ...Object.fromEntries(names.map((name, index) => [name, `${index}@app.test`])),
      password: "wrong",
    })
  const statuses: number[] = []
  for (const index of names.keys())
    statuses.push(await signIn(browserOf(), { email: `${index}@app.test`, password: "x" }))
  expect(statuses.filter((status) => status === 429)).toHaveLength(3)
})

/** An application that looks people up by a field of its own name: those of one network guess with an account of their own. */
function openOwn(
  credentials: Record<string, CredentialInput> | undefined,
  [field, secret, own = "eve"]: readonly [string, string, string?],
) {
  let guesses = 0
  const authorize = (given: Record<string, unknown>): { id: string } => {
    if (given[field] === "ada") guesses += 1
    if (given[field] === own && given[secret] === "own") return { id: "eve" }
    throw new Error("Invalid credentials")
  }
  const provider = { ...(credentialsProvider(authorize as never) as object), credentials } as never
  const config = { secret: randomBytes(32).toString("hex"), trustHost: true, providers: [provider], logger: silent }
  const { handle } = createAuth(config, { env: { NODE_ENV: "production" } })
  const browserOf = (last = 7) => openBrowser((request) => handle(request, { address: `203.0.113.${last}` }))
  return { browserOf, guesses: () => guesses }
}
const silent = { error: () => {}, warn: () => {}, debug: () => {} }

it.each<[string, Record<string, CredentialInput> | undefined, Fields, string, string]>([
  ["none is listed", undefined, { email: "x" }, "login", "password"],
  ["none may say who it is", { code: {}, password }, { email: "x" }, "code", "password"],
  ["a code alone is asked for", { code: {} }, { email: "x" }, "who", "code"],
  ["one of two has a name of its own", { email: {}, kennung: {}, password }, { email: "x" }, "kennung", "password"],
  ["a name stands beside an address", { email: {}, name: {}, password }, { email: "x" }, "name", "password"],
  ["two have names of their own", { rolle: {}, kennung: {}, password }, { rolle: "x" }, "kennung", "password"],
  ["a secret is all", { clave: {} }, {}, "who", "clave"],
])(
  "stop at the network of whoever has an account of their own, where %s",
  { tags },
  async (_, credentials, shared, field, secret) => {
    const { browserOf, guesses } = openOwn(credentials, [field, secret])
    const browser = browserOf()
    for (let n = 0; n < 280; n++) {
      if (n % 9 === 0) await signIn(browser, { ...shared, [field]: "eve", [secret]: "own" })
      await signIn(browser, { ...shared, [field]: "ada", [secret]: `guess ${n}` })
    }
    expect(guesses()).toBeLessThanOrEqual(200)
  },
)

it.each<[string, Record<string, CredentialInput>, (who: string) => Fields]>([
  ["a role", { role: { type: "text" }, kennung: {}, password }, (kennung) => ({ role: "student", kennung })],
  ["a type", { userType: { type: "select" }, kennung: {}, password }, (kennung) => ({ userType: "1", kennung })],
  ["a school", { school: {}, kennung: {}, password }, (kennung) => ({ school: "one", kennung })],
  ["a chain", { chainId: {}, address: {}, signature: {} }, (address) => ({ chainId: "1", address })],
  ["a field of an unknown name", { rolle: {}, kennung: {}, password }, (kennung) => ({ rolle: "1", kennung })],
])("keep nobody else out who has the same in %s", { tags }, async (_, credentials, fieldsOf) => {
  const { browserOf } = openOwn(credentials, [credentials["address"] ? "address" : "kennung", "password"])
  for (let n = 0; n < 12; n++) await signIn(browserOf(8), { ...fieldsOf(`nobody ${n}`), password: "wrong" })
  expect(await signIn(browserOf(), { ...fieldsOf("eve"), password: "own" })).toBe(302)
})

it.each(["hcaptcha", "h-captcha", "grecaptcha", "g-recaptcha", "user", "id"])(
  "are answered at once where another field is called like %s, many times",
  { tags: ["threat:AL-01"] },
  async (word) => {
    const { browserOf } = openOne({ email: {}, password })
    const name = `${word.repeat(60)}!`
    expect(await signIn(browserOf(), { email: "eve@app.test", password: "own", [name]: "1" })).toBe(302)
  },
)

it("is said at the start where it is not sure which field says who it is", () => {
  const ofCode = { code: { label: "Code" }, password }
  const sure = [
    { email: {}, password },
    { name: {}, email: {}, password, role: {}, remember: { type: "checkbox" } },
    { kennung: {}, password },
    { phone: {}, otp: {} },
    { tenant: {}, email: {}, password },
    { message: {}, signature: {} },
    { provider: {}, idToken: {} },
    { token: {} },
    { password, callbackUrl: {} },
    { senha: {} },
    { clave: {} },
  ]
  const open = [
    ofCode,
    { code: {} },
    {},
    undefined,
    { email: {}, kennung: {}, password },
    { rolle: {}, kennung: {}, password },
    { id: {}, name: {}, password },
    { first: { type: "password" }, second: { type: "password" } },
    { fullName: {}, password },
    { firstName: {}, lastName: {}, password },
    { id: { type: "hidden" }, pin: {} },
  ]
  const warningsOf = (given: Record<string, CredentialInput> | undefined) => openOne(given).warnings
  expect(sure.map(warningsOf)).toEqual(sure.map(() => []))
  expect(open.map(warningsOf)).toEqual(open.map(() => ["person-unknown"]))
})
