/**
 * The most frequent requests create no more objects than budgeted: promises, and objects of the web platform. Keys that
 * are derived, and what is sealed and opened, stand beside them. Bytes on the heap are not counted: what the garbage collector and the compiler do in between makes them differ.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { getToken } from "../../src/jwt.js"
import { rightCredentials } from "../support/credentials.js"
import { sessionCookie } from "../support/journeys.js"
import { worldSecret } from "../support/world.js"
import { differences, howToUpdate, isWriting, readBudgets, writeBudgets } from "./budget-file.js"
import { type Counted, type Counts, measure, startCounting } from "./meter.js"
import { address, openStage, type Stage, type Store } from "./stage.js"

type HotBudgets = Record<string, Record<string, Counts>>

const objects = [
  "sealed",
  "opened",
  "derived",
  "requests",
  "responses",
  "headers",
  "urls",
  "searchParams",
  "promises",
] as const satisfies Counted[]
/** How many promises an `await` makes is for the engine to say: the budgets are those of this version of Node. */
const countsPromises = process.versions.node.startsWith("20.")

const budgets = isWriting ? {} : readBudgets<HotBudgets>("hot")
const written: HotBudgets = {}

let stopCounting: () => void
beforeAll(() => {
  stopCounting = startCounting()
})
afterAll(() => {
  stopCounting()
  if (isWriting) writeBudgets("hot", written)
})

const origin = "https://app.test"
const cookieOf = ({ browser }: Stage): string => `${sessionCookie}=${browser.cookie(sessionCookie)}`
const signIn = ({ world, browser }: Stage): Promise<unknown> => world.signInAtOp(browser)

/** Prepares once; what it answers prepares one call and answers that. */
type Operation = (stage: Stage) => Promise<() => () => Promise<unknown>>

const operations: Readonly<Record<string, Operation>> = {
  "session read in process": async (stage) => {
    await signIn(stage)
    const source = { url: origin, headers: { cookie: cookieOf(stage) } }
    return () => () => stage.world.auth.session(source)
  },
  "session read in process, nobody is signed in": async ({ world }) => {
    return () => () => world.auth.session({ url: origin, headers: {} })
  },
  getToken: async (stage) => {
    await signIn(stage)
    const req = { headers: { cookie: cookieOf(stage) } }
    return () => () => getToken({ req, secret: worldSecret, secureCookie: true })
  },
  "GET session": async (stage) => {
    await signIn(stage)
    const headers = { cookie: cookieOf(stage) }
    return () => answerTo(stage, new Request(`${origin}/auth/session`, { headers }))
  },
  "GET csrf, first visit": async (stage) => () => answerTo(stage, new Request(`${origin}/auth/csrf`)),
  "POST callback, credentials": async (stage) => {
    // Whoever the password belongs to is in the store.
    await signIn(stage.someoneElse())
    return formTo(stage, "/auth/callback/credentials", rightCredentials)
  },
  "POST signin, mail": (stage) => formTo(stage, "/auth/signin/mail", { email: address }),
}

async function formTo(
  stage: Stage,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<() => () => Promise<Response>> {
  const csrfToken = await stage.browser.csrfToken()
  const body = new URLSearchParams({ ...fields, csrfToken }).toString()
  const cookie = [...stage.browser.jar].map(([name, { value }]) => `${name}=${value}`).join("; ")
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded" }
  return () => answerTo(stage, new Request(origin + path, { method: "POST", headers, body }))
}

function answerTo({ world }: Stage, request: Request): () => Promise<Response> {
  return () => world.auth.handle(request)
}

function ofOperation(counts: Counts): Counts {
  return Object.fromEntries(objects.flatMap((what) => (counts[what] ? [[what, counts[what]]] : [])))
}

/** The token of a session in the database is no claims, and links are kept in a store. */
function storesOf(name: string): readonly Store[] {
  if (name === "getToken") return ["jwt"]
  return name.endsWith("mail") ? ["jwt with a store"] : ["jwt", "database"]
}

describe.each(Object.entries(operations))("%s", (name, prepare) => {
  it.each(storesOf(name))("%s", async (store) => {
    const { stage } = await openStage(store)
    const next = await prepare(stage)
    // What is done once is done in the first calls.
    for (let turn = 0; turn < 3; turn += 1) await next()()
    const { counts } = await measure(next())
    const again = await measure(next())
    const came = ofOperation(counts)
    expect(ofOperation(again.counts), "the same work has to cost the same twice").toEqual(came)
    if (isWriting) {
      written[name] = { ...written[name], [store]: came }
      return
    }
    const expected = budgets[name]?.[store]
    const found = expected
      ? differences(expected, came).filter((line) => countsPromises || !line.startsWith("promises"))
      : ["there is no budget yet"]
    expect(found, `${name}, ${store}:\n  ${found.join("\n  ")}\n${howToUpdate}`).toEqual([])
  })
})
