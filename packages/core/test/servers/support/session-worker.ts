/**
 * A process of an application that lives as long as its input: each line is something to do with a session cookie, and is
 * answered by a line. It keeps whatever an application keeps between two requests.
 */
import { createInterface } from "node:readline"
import { createClock, signInAs } from "@latchkey/testing"
import { createAuth } from "../../../src/index.js"
import { managedSessions } from "../../../src/sessions.js"
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

const clock = createClock()

const sourceOf = (cookie: string) => ({ url: "https://app.test/", headers: { cookie } })
const textOf = (cookies: readonly { readonly name: string; readonly value: string }[]): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ")

async function obey({ what, cookie = "", seconds = 0 }: Order): Promise<Answered> {
  const source = sourceOf(cookie)
  if (what === "pass") {
    clock.advance({ seconds })
    return { done: true, cookie }
  }
  if (what === "signIn") {
    const user = (await store.adapter.getUserByEmail?.(email)) ?? { email }
    const begun = await signInAs(auth, user, { url: "https://app.test" })
    return { done: true, cookie: begun.cookieHeader }
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
