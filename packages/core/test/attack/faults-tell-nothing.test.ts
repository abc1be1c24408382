/** What is answered when something breaks says that it did, and nothing of what broke: no message, no stack, no path of a file. */
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Visit } from "../support/browser.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

const detail = "connect ECONNREFUSED db.internal:5432 as app_user"
const page = { accept: "text/html" }
const fail = (): never => {
  throw new Error(detail)
}

/** A store that is out of reach from the moment at which its state says so. */
function breakable() {
  const state = { isBroken: false }
  const adapter = Object.fromEntries(
    Object.entries(memoryAdapter()).map(([name, work]) => [
      name,
      typeof work === "function"
        ? (...given: never[]) => (state.isBroken ? fail() : (work as (...all: never[]) => unknown)(...given))
        : work,
    ]),
  )
  return { state, adapter }
}

it("no fault is described to the visitor, in a page, in JSON or in an address", {
  tags: ["threat:VX-42"],
}, async () => {
  const { state, adapter } = breakable()
  const more = [credentialsProvider(fail)]
  const world = await makeWorld({ adapter, strategy: "database", more })
  const browser = world.browser()
  await world.signInByMail(browser, "ada@op.test")
  const session = browser.cookie(sessionCookie) ?? expect.fail("nobody is signed in")
  state.isBroken = true
  const asAda = () => {
    const one = world.browser()
    one.setCookie(sessionCookie, session)
    return one
  }
  const faults: Visit[] = [
    await asAda().get("/auth/session"),
    await asAda().get("/auth/session", page),
    await asAda().get("/auth/signin", page),
    await asAda().get("/auth/signout", page),
    await asAda().post("/auth/signout"),
    await world.signInAtOp(world.browser()),
    await world.browser().post("/auth/signin/mail", { email: "eve@app.test" }),
    await world.browser().post("/auth/callback/credentials", rightCredentials),
    await world.browser().get("/auth/callback/mail?token=x&email=eve%40app.test", page),
  ]
  const shown: Visit[] = []
  for (const { location } of faults) if (location) shown.push(await world.browser().get(location, page))
  expect(world.errors.length).toBeGreaterThan(6)
  for (const { url, status, text, headers } of [...faults, ...shown]) {
    const answer = `${text} ${JSON.stringify([...headers])}`
    expect(answer, `${status} ${url}`).not.toMatch(
      /ECONNREFUSED|db\.internal|app_user|(?:\n|\\n)\s+at |\.[mc]?[jt]s:\d|node_modules/,
    )
  }
  expect(faults.filter(({ status }) => status >= 500).length).toBeGreaterThan(1)
  expect(shown.length).toBeGreaterThan(3)
})
