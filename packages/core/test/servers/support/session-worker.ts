/**
 * A process of an application that lives as long as its input: each line is something to do with a session cookie, and is
 * answered by a line. It keeps whatever an application keeps between two requests.
 */
import { createInterface } from "node:readline"
import { createAuth } from "../../../src/index.js"
import { managedSessions } from "../../../src/sessions.js"
import { beginSession } from "../../../src/testing.js"
import { plainSettings } from "../../support/password-service.js"
import { openStore } from "./open-store.js"

/** What a process is given when it starts. */
export interface SessionProcess {
  readonly url: string
  readonly strategy: "jwt" | "database"
}

/** Something to do. `pass`: the clock of the process goes on by so many seconds. */
export interface Order {
  readonly what: "signIn" | "read" | "rotate" | "signOut" | "endOthers" | "endAll" | "end" | "pass"
  readonly cookie?: string
  readonly seconds?: number
}

/** What came of it. */
export interface Answered {
  /** Whether somebody is signed in; of `signIn` and changes, whether it was done. */
  readonly done: boolean
  /** The cookie that was set, or the one of the order. */
  readonly cookie: string
}

const { url, strategy } = JSON.parse(process.argv[2] ?? "{}") as SessionProcess
const email = "ada@app.test"
const store = await openStore(url)
const sessions = managedSessions()
const auth = createAuth(
  { ...plainSettings, adapter: store.adapter, session: { strategy }, features: [sessions] },
  { env: {} },
)

let ahead = 0
const RealDate = Date
/** The clock that the service reads. */
class LateDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(given.length === 0 ? RealDate.now() + ahead : given[0])
  }
  static override now(): number {
    return RealDate.now() + ahead
  }
}
globalThis.Date = LateDate as DateConstructor

const sourceOf = (cookie: string) => ({ url: "https://app.test/", headers: { cookie } })
const textOf = (cookies: readonly { readonly name: string; readonly value: string }[]): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ")

async function obey({ what, cookie = "", seconds = 0 }: Order): Promise<Answered> {
  const source = sourceOf(cookie)
  if (what === "pass") {
    ahead += seconds * 1000
    return { done: true, cookie }
  }
  if (what === "signIn") {
    const user = (await store.adapter.getUserByEmail?.(email)) ?? { email }
    const begun = await beginSession(auth, { source: sourceOf(""), user, now: new Date(), account: {} })
    return { done: true, cookie: textOf(begun.cookies) }
  }
  if (what === "read") return { done: (await auth.session(source)).session !== null, cookie }
  if (what === "signOut") return { done: (await auth.signOut(source)).cookies.length > 0, cookie: "" }
  if (what === "endAll") {
    const user = await store.adapter.getUserByEmail?.(email)
    return { done: (await sessions.endAll(auth, user?.id ?? "")).ended > 0, cookie }
  }
  if (what === "end") {
    const other = (await sessions.list(auth, source)).find(({ current }) => !current)
    return { done: (await sessions.end(auth, source, other?.id ?? "")).done, cookie }
  }
  const { done, cookies } = await sessions[what](auth, source)
  return { done, cookie: textOf(cookies) || cookie }
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await obey(JSON.parse(line) as Order)
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
await store.close()
