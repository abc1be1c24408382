/** Code of guides to passwords, sessions and accounts, as somebody has it who copies it, and attacked. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { memoryAdapter } from "@latchkey/core/memory"
import type express from "express"
import type { Express, RequestHandler } from "express"
import express4 from "express4"
import { afterAll, afterEach, expect, it, vi } from "vitest"
import { ExpressAuth } from "../src/index.js"
import { Browser, listen } from "./support/app.js"

const parent = fileURLToPath(new URL("../.tmp", import.meta.url))
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, "copied-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => {
  vi.unstubAllEnvs()
})

/** The first block of a page below a heading that names this file, changed where a test needs to get hold of something. */
async function copied<T>(page: string, file: string, changes: Readonly<Record<string, string>> = {}): Promise<T> {
  const { heading, path } = /^(?<path>[^#]*)#?(?<heading>.*)$/.exec(page)?.groups ?? {}
  const text = readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8")
  const from = text.indexOf(heading ? `\n## ${heading}\n` : "")
  let code = new RegExp(`^\`\`\`ts\\n// ${file}\\n(.*?)^\`\`\`$`, "ms").exec(text.slice(from))?.[1] ?? ""
  for (const [found, other] of Object.entries(changes)) {
    expect(code).toContain(found)
    code = code.replace(found, () => other)
  }
  const place = mkdtempSync(join(folder, "page-"))
  writeFileSync(join(place, file), code)
  return (await import(join(place, file))) as T
}

interface People {
  hash(password: string): Promise<string>
  beginSignUp(typed: string): { token: string; email: string }
  finishSignUp(token: string, given: { name: string; password: string }): Promise<boolean>
  findByEmail(email: string): { email: string } | undefined
}
/** Cheap, so that hundreds take no minute. */
const cheap = { "N: 2 ** 17": "N: 2 ** 4" }

it("hashes two passwords at a time and lets some wait", { tags: ["threat:V6-06"] }, async () => {
  const hashes = { now: 0, most: 0 }
  Object.assign(globalThis, { hashes })
  const counted = `const scrypt = (...given) => { hashes.most = Math.max(hashes.most, ++hashes.now); const done = given.pop(); return plain(...given, (...answer) => { hashes.now--; done(...answer) }) }; const { hashes } = globalThis; const`
  const { hash } = await copied<People>("guides/passwords.md", "people.ts", {
    ...cheap,
    "scrypt,": "scrypt as plain,",
    "const people": `${counted} people`,
  })
  await hash("before")
  // The page makes a hash of nobody's password as well, when it is loaded.
  await vi.waitFor(() => expect(hashes.now).toBe(0))
  await new Promise(setImmediate)
  const results = await Promise.allSettled(Array.from({ length: 200 }, () => hash("at once")))
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(34)
  expect(hashes.most).toBe(2)
  await expect(hash("afterwards")).resolves.toContain(".")
})

it("mails to the address that it keeps, and takes a link once", { tags: ["threat:A-024"] }, async () => {
  const { hash, beginSignUp, finishSignUp, findByEmail } = await copied<People>(
    "guides/passwords.md",
    "people.ts",
    cheap,
  )
  const { token, email } = beginSignUp("\u212Aay@app.test")
  expect(email).toBe("kay@app.test")
  const given = { name: "Kay", password: "a long enough one" }
  const crowd = Array.from({ length: 50 }, () => hash("x").catch(() => undefined))
  await expect(finishSignUp(token, given)).rejects.toThrow("Too many passwords")
  await Promise.all(crowd)
  const both = await Promise.all([finishSignUp(token, given), finishSignUp(token, given)])
  // Whichever hash is ready first takes the link: the threads that hash keep no order.
  expect(both.filter(Boolean)).toHaveLength(1)
  expect(findByEmail("kay@app.test")?.email).toBe(email)
})

it("refuses a password that was changed while it was compared", { tags: ["threat:V6-06"] }, async () => {
  const state = { hash: "old", compare: async () => true }
  Object.assign(globalThis, { copiedState: state })
  const stand =
    "const state = globalThis.copiedState; const compare = () => state.compare(); const findByEmail = (email) => ({ id: 1, name: 'Ada', email, hash: state.hash })"
  const taken = await copied<{ authorize: (given: object) => Promise<unknown> }>("guides/passwords.md", "auth.ts", {
    'import { compare, findByEmail } from "./people"': stand,
    "export const auth = createAuth({": "export const { authorize } = ((config) => config.providers[0].options)({",
  })
  const given = { email: "ada@app.test", password: "old" }
  expect(await taken.authorize(given)).toMatchObject({ name: "Ada" })
  state.compare = async () => {
    state.hash = "new"
    return true
  }
  expect(await taken.authorize(given)).toBeNull()
})

it("moves no account to somebody who took an id as their name", { tags: ["threat:A-019"] }, async () => {
  const adapter = memoryAdapter()
  Object.assign(globalThis, { copiedAdapter: adapter })
  type SignIn = (given: object) => Promise<boolean>
  const { signIn } = await copied<{ signIn: SignIn }>("concepts/linking.md#When ids of accounts change", "auth.ts", {
    "memoryAdapter()": "globalThis.copiedAdapter",
    'new Date("2027-01-31")': 'new Date("9999-01-31")',
    "export const auth = createAuth({": "export const { signIn } = ((config) => config.callbacks)({",
  })
  const provider = "pinterest"
  const link = async (providerAccountId: string): Promise<string> => {
    const { id } = await adapter.createUser({ id: "", name: "Ada", email: null as never, emailVerified: null })
    await adapter.linkAccount({ userId: id, type: "oauth", provider, providerAccountId })
    return id
  }
  const victim = await link("549755885175")
  await signIn({ account: { provider, providerAccountId: "999" }, profile: { username: "549755885175" } })
  expect((await adapter.getAccount?.("549755885175", provider))?.userId).toBe(victim)
  const ada = await link("ada")
  await signIn({ account: { provider, providerAccountId: "7" }, profile: { username: "ada" } })
  expect((await adapter.getAccount?.("7", provider))?.userId).toBe(ada)
  expect(await adapter.getAccount?.("ada", provider)).toBeNull()
  const bob = await link("bob")
  adapter.linkAccount = () => Promise.reject(new Error("away"))
  await expect(
    signIn({ account: { provider, providerAccountId: "8" }, profile: { username: "bob" } }),
  ).rejects.toThrow()
  expect((await adapter.getAccount?.("bob", provider))?.userId).toBe(bob)
})

it("ends no other sessions with a stolen cookie of an old sign-in", { tags: ["threat:V7-15"] }, async () => {
  const settings = `secret: "0123456789abcdef0123456789abcdef", trustHost: true, logger: { error() {}, warn() {}, debug() {} }`
  const ada = `{ id: "credentials", type: "credentials", credentials: {}, authorize: () => ({ id: "ada", name: "Ada" }) }`
  const { app } = await copied<{ app: Express }>("guides/sessions.md", "express.ts", {
    "providers: []": `providers: [${ada}], session: { strategy: "jwt", verifyUser: false }, ${settings}`,
  })
  const origin = await listen(app)
  const signedIn = async (): Promise<Browser> => {
    const browser = new Browser(origin)
    await browser.form("/auth/callback/credentials", {})
    return browser
  }
  const leave = async (browser: Browser): Promise<string | null> =>
    (await browser.ask("/devices/leave", { method: "POST", headers: { origin } })).headers.get("location")
  const isIn = async (browser: Browser): Promise<boolean> =>
    (await (await browser.ask("/auth/session")).json()) !== null
  vi.useFakeTimers({ toFake: ["Date"] })
  try {
    const thief = await signedIn()
    vi.setSystemTime(Date.now() + 20 * 60 * 1000)
    const owner = await signedIn()
    expect(await leave(thief)).toMatch(/^\/auth\/signin/)
    expect([await isIn(owner), await isIn(thief)]).toEqual([true, true])
    expect(await leave(owner)).toBe("/devices")
    expect([await isIn(owner), await isIn(thief)]).toEqual([true, false])
  } finally {
    vi.useRealTimers()
  }
})

interface Tokens {
  accessToken: string
  refreshToken?: string
  expiresAt: number
}

it("keeps the tokens of a provider whose answer to a refresh is none", { tags: ["threat:FI-06"] }, async () => {
  const { freshened } = await copied<{ freshened(tokens: Tokens): Promise<Tokens> }>(
    "guides/provider-apis.md",
    "tokens.ts",
  )
  const old = { accessToken: "old", refreshToken: "r", expiresAt: 0 }
  const cut = new ReadableStream({
    start: (body) => {
      body.enqueue(new TextEncoder().encode('{"access_token":'))
      body.error(new Error("cut off"))
    },
  })
  const useless = [
    new Response("<h1>Sign in to the network</h1>"),
    new Response(""),
    new Response(cut),
    Response.json(null),
    Response.json({ access_token: 1, expires_in: 60 }),
    Response.json({ access_token: "" }),
    Response.json({ access_token: "new" }, { status: 503 }),
  ]
  const ask = vi.spyOn(globalThis, "fetch")
  try {
    for (const answer of useless) {
      ask.mockResolvedValueOnce(answer)
      expect(await freshened(old)).toEqual(old)
    }
    ask.mockRejectedValueOnce(new Error("away"))
    expect(await freshened(old)).toEqual(old)
    ask.mockResolvedValueOnce(Response.json({ access_token: "new" }))
    const fresh = await freshened(old)
    expect(fresh).toMatchObject({ accessToken: "new", refreshToken: "r" })
    expect(fresh.expiresAt).toBeGreaterThan(Date.now() / 1000 + 3000)
    expect(ask).toHaveBeenCalledTimes(useless.length + 2)
  } finally {
    ask.mockRestore()
  }
})

it("gives each tenant tables and secrets of its own", { tags: ["threat:A-022"] }, async () => {
  const schemas: unknown[] = []
  Object.assign(globalThis, { copiedSchemas: schemas, copiedAdapter: memoryAdapter })
  const [first, second] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]
  vi.stubEnv("AUTH_SECRET", first)
  const { answer, secretsOf } = await copied<{
    answer(request: Request): Promise<Response>
    secretsOf(host: string): string[]
  }>("guides/several-applications.md", "tenants.ts", {
    'import { sqlAdapter } from "@latchkey/sql-adapter"':
      "const sqlAdapter = (_, { schema }) => { globalThis.copiedSchemas.push(schema); return globalThis.copiedAdapter() }",
    "function secretsOf": "export function secretsOf",
  })
  for (const tenant of ["red", "blue", "red"]) await answer(new Request(`https://${tenant}.app.example/auth/csrf`))
  expect(schemas).toEqual(["red", "blue"])
  expect((await answer(new Request("https://green.app.example/auth/csrf"))).status).toBe(404)
  const before = secretsOf("red.app.example")
  expect([...before, ...secretsOf("blue.app.example")].filter((one) => one !== first)).toHaveLength(2)
  // A new secret seals, the one before still opens: a change of secret signs nobody out.
  vi.stubEnv("AUTH_SECRET_1", second)
  expect(secretsOf("red.app.example")).toEqual([expect.any(String), ...before])
  expect(new Set([...secretsOf("red.app.example"), ...secretsOf("blue.app.example"), first, second]).size).toBe(6)
})

interface Claimed {
  readonly adapter: ReturnType<typeof memoryAdapter>
  claim(email: string): Promise<object | null>
}
const accountOf = (userId: string, providerAccountId: string) =>
  ({ userId, type: "webauthn", provider: "passkey", providerAccountId }) as const
const address = "ada@app.test"
const stolen = "of-a-stranger"

/** The code of the page, and a user whom a stranger has prepared at the address of Ada. */
async function prepared(): Promise<Claimed> {
  vi.stubEnv("AUTH_SECRET", "the secret of whoever copies this page")
  const page = await copied<Claimed>("guides/passwords.md", "claimed.ts", { "const adapter": "export const adapter" })
  const { adapter } = page
  await adapter.createUser({ id: "1", email: address, name: null, emailVerified: null })
  await adapter.createSession({ sessionToken: stolen, userId: "1", expires: new Date(Date.now() + 60_000) })
  await adapter.linkAccount(accountOf("1", "before"))
  return page
}

it("leaves nothing of a stranger in an account that its owner claims by a link", {
  tags: ["threat:A-022"],
}, async () => {
  const { adapter, claim } = await prepared()
  const { deleteSessionsByUserId } = adapter
  let left = 3
  adapter.deleteSessionsByUserId = async (id) => {
    if (left-- > 0) await adapter.linkAccount(accountOf("1", crypto.randomUUID()))
    await deleteSessionsByUserId(id)
  }
  const { updateUser } = adapter
  adapter.updateUser = async (changes) => {
    await adapter.linkAccount(accountOf("1", crypto.randomUUID()))
    return updateUser(changes)
  }
  await claim(address)
  expect(await adapter.listAccountsByUserId("1")).toEqual([])
  expect(await adapter.getSessionAndUser(stolen)).toBeNull()
  expect((await adapter.getUser("1"))?.emailVerified).toBeInstanceOf(Date)
  // The next link, to choose another password, takes nothing from them.
  await adapter.linkAccount(accountOf("1", "their own"))
  await claim(address)
  expect(await adapter.listAccountsByUserId("1")).toHaveLength(1)
  expect(await claim("nobody@app.test")).toBeNull()
})

it("claims no user to whom accounts are added all the time", { tags: ["threat:A-022"] }, async () => {
  const { adapter, claim } = await prepared()
  const { deleteSessionsByUserId } = adapter
  adapter.deleteSessionsByUserId = async (id) => {
    await adapter.linkAccount(accountOf("1", crypto.randomUUID()))
    await deleteSessionsByUserId(id)
  }
  await expect(claim(address)).rejects.toThrow("being added")
  expect((await adapter.getUser("1"))?.emailVerified).toBeNull()
})

it.each(["listAccountsByUserId", "unlinkAccount", "deleteSessionsByUserId", "updateUser"] as const)(
  "claims nothing as long as the store cannot do %s, and all of it afterwards",
  { tags: ["threat:A-022"] },
  async (operation) => {
    const { adapter, claim } = await prepared()
    const works = adapter[operation]
    Object.assign(adapter, { [operation]: () => Promise.reject(new Error("away")) })
    await expect(claim(address)).rejects.toThrow()
    expect((await adapter.getUserByEmail(address))?.emailVerified).toBeNull()
    Object.assign(adapter, { [operation]: works })
    await claim(address)
    expect(await adapter.listAccountsByUserId("1")).toEqual([])
    expect(await adapter.getSessionAndUser(stolen)).toBeNull()
  },
)

it.each(["deleteSessionsByUserId", "updateUser", "getUser"] as const)(
  "claims no user whose address the stranger changes before %s",
  { tags: ["threat:A-022"] },
  async (operation) => {
    const { adapter, claim } = await prepared()
    const { updateUser } = adapter
    const works = adapter[operation] as (given: unknown) => Promise<unknown>
    Object.assign(adapter, {
      [operation]: async (given: unknown) => {
        Object.assign(adapter, { [operation]: works })
        await updateUser({ id: "1", email: "eve@evil.test" })
        return works(given)
      },
    })
    await expect(claim(address)).rejects.toThrow("was changed meanwhile")
    expect(await adapter.getUserByEmail("eve@evil.test")).toMatchObject({ emailVerified: null })
  },
)

it.each([
  ["Ada@App.test", true],
  ["adá@app.test", false],
])(
  "claims a user whom the store finds under another spelling, %s: %j",
  { tags: ["threat:A-022"] },
  async (kept, isTheirs) => {
    const { adapter, claim } = await prepared()
    await adapter.updateUser({ id: "1", email: kept })
    adapter.getUserByEmail = () => adapter.getUser("1")
    expect((await claim(address)) !== null).toBe(isTheirs)
    expect(await adapter.listAccountsByUserId("1")).toHaveLength(isTheirs ? 0 : 1)
  },
)

it("answers a sign-out of another site on Express 4, with the wrapper of the guide, and the process goes on", {
  tags: ["threat:FP-19"],
}, async () => {
  const { route } = await copied<{ route: (handler: RequestHandler) => RequestHandler }>(
    "guides/express.md#Express 4",
    "route.ts",
  )
  const quiet = { error() {}, warn() {}, debug() {} }
  const secret = "0123456789abcdef0123456789abcdef"
  const auth = ExpressAuth({ providers: [], secret, trustHost: true, logger: quiet })
  const app = (express4 as unknown as typeof express)()
  // Whoever rejects without an error refuses as well.
  const forbidden = Object.assign(new Error("not yours"), { status: 403 })
  const reasons = [undefined, null, "", 0, false, "no", "route", "router", Symbol("no"), forbidden]
  app.post(
    "/logout",
    route((req, res) => auth.signOut(req, res, { redirectTo: "/" })),
  )
  app.use(
    "/secret",
    route((req) => Promise.reject(reasons[Number(req.query["reason"])])),
  )
  app.get("/secret", (_req, res) => void res.send("secret"))
  const origin = await listen(app)
  const headers = { origin: "https://elsewhere.test" }
  expect((await fetch(`${origin}/logout`, { method: "POST", headers, redirect: "manual" })).status).toBe(403)
  for (const [index, reason] of reasons.entries()) {
    const answer = await fetch(`${origin}/secret?reason=${index}`)
    expect([reason, answer.status]).toEqual([reason, reason instanceof Error ? 403 : 500])
  }
})
