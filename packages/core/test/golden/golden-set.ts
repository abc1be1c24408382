/** What one version has left with browsers, stores and mailboxes, and how a later one is asked to go on with it. */
import type { Adapter, AdapterSession, AdapterUser, VerificationToken } from "@latchkey/core/adapters"
import { memoryAdapter } from "../../src/memory.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TestBrowser } from "../support/browser.js"
import { makeWorld, type World } from "../support/world.js"

type Cookies = Readonly<Record<string, string>>

/** The artefacts of one version, as JSON. Times are those of `made`. */
export interface GoldenSet {
  readonly version: string
  readonly made: string
  /** A session that is a sealed cookie. */
  readonly sealed: Cookies
  /** One that is larger than a cookie. */
  readonly chunked: Cookies
  /** A session that is a row, and the cookie that finds it. */
  readonly row: { readonly cookies: Cookies; readonly session: AdapterSession; readonly user: AdapterUser }
  /** A sign-in under way: where the person was sent, and what the browser holds. */
  readonly flow: { readonly cookies: Cookies; readonly location: string }
  /** A mail that has been sent: its link, and the row that it is compared with. */
  readonly mail: { readonly link: string; readonly row: VerificationToken; readonly email: string }
  /** The token of an open form, and its cookie. */
  readonly form: { readonly cookies: Cookies; readonly csrfToken: string }
}

const large = "0123456789".repeat(500)
const largeSessions: Partial<AuthConfig> = { callbacks: { jwt: ({ token }) => ({ ...token, large }) } }

const cookiesOf = ({ jar }: TestBrowser): Cookies =>
  Object.fromEntries([...jar].map(([name, { value }]) => [name, value]))

/** The cookies of a session alone. */
const sessionOf = (browser: TestBrowser): Cookies =>
  Object.fromEntries(Object.entries(cookiesOf(browser)).filter(([name]) => name.includes("session-token")))

/** Makes the set of this version. */
export async function makeSet(version: string, made: Date): Promise<GoldenSet> {
  return {
    version,
    made: made.toISOString(),
    sealed: await signedIn({ adapter: false }),
    chunked: await signedIn({ adapter: false, config: largeSessions }),
    row: await rowSession(),
    flow: await flowUnderWay(),
    mail: await mailSent(),
    form: await openForm(),
  }
}

async function signedIn(options: Parameters<typeof makeWorld>[0]): Promise<Cookies> {
  const world = await makeWorld(options)
  const browser = world.browser()
  await world.signInAtOp(browser)
  return sessionOf(browser)
}

async function rowSession(): Promise<GoldenSet["row"]> {
  // Without transactions: inside of one the adapter calls itself, and nothing would be seen.
  const { transaction: _, ...inner } = memoryAdapter()
  const made: AdapterSession[] = []
  const createSession: Adapter["createSession"] = async (session) => {
    made.push(session)
    return inner.createSession(session)
  }
  const world = await makeWorld({ strategy: "database", adapter: { ...inner, createSession } })
  const browser = world.browser()
  await world.signInAtOp(browser)
  const [session] = made
  const user = session && (await inner.getUser(session.userId))
  if (!session || !user) throw new Error("Expected a session and its user in the store.")
  return { cookies: sessionOf(browser), session, user }
}

async function flowUnderWay(): Promise<GoldenSet["flow"]> {
  const world = await makeWorld({ adapter: false })
  const browser = world.browser()
  const { location = "" } = await browser.post("/auth/signin/op", { callbackUrl: "/inside" })
  return { cookies: cookiesOf(browser), location }
}

async function mailSent(): Promise<GoldenSet["mail"]> {
  // Without transactions: inside of one the adapter calls itself, and nothing would be seen.
  const { transaction: _, ...inner } = memoryAdapter()
  const rows: VerificationToken[] = []
  const createVerificationToken: Adapter["createVerificationToken"] = async (row) => {
    rows.push(row)
    return inner.createVerificationToken(row)
  }
  const world = await makeWorld({ adapter: { ...inner, createVerificationToken } })
  await world.browser().post("/auth/signin/mail", { email: "ada@app.test" })
  const [row] = rows
  const [mail] = world.mails
  if (!row || !mail) throw new Error("Expected a mail and its row.")
  return { link: mail.url, row, email: "ada@app.test" }
}

async function openForm(): Promise<GoldenSet["form"]> {
  const browser = (await makeWorld({ adapter: false })).browser()
  const csrfToken = await browser.csrfToken()
  return { cookies: cookiesOf(browser), csrfToken }
}

/** A browser of a world of this version that still holds cookies of another. */
export function browserWith(world: World, cookies: Cookies): TestBrowser {
  const browser = world.browser()
  for (const [name, value] of Object.entries(cookies)) browser.setCookie(name, value)
  return browser
}

/** Times of rows are text in JSON. */
export function revived<T extends { readonly expires: unknown }>(row: T): T & { readonly expires: Date } {
  return { ...row, expires: new Date(String(row.expires)) }
}
