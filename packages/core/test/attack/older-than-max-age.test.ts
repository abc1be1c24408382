/** Whoever has kept a copy of a sealed session is nobody once `session.maxAge` has passed, however long the token itself is valid. */
import { afterEach, expect, it, vi } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

afterEach(() => void vi.useRealTimers())

const day = 86_400

/** The session of a browser with a cookie of twenty days ago. */
async function afterTwentyDays({ before, after }: { before: object; after: object }) {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") })
  const world = await makeWorld({ config: before })
  const browser = world.browser()
  await world.signInByMail(browser, "ada@app.test")
  const later = await makeWorld({ adapter: world.adapter, config: after })
  const copy = later.browser()
  const cookie = browser.cookie(sessionCookie) ?? ""
  expect(cookie).toMatch(/^eyJ/)
  vi.setSystemTime(new Date("2026-03-21T12:00:00Z"))
  copy.setCookie(sessionCookie, cookie)
  return copy.session()
}

const lasting = (maxAge: number, token = 30 * day) => ({
  session: { strategy: "jwt" as const, maxAge },
  jwt: { maxAge: token },
})

it.each([
  ["the token is valid for longer", { before: lasting(3600), after: lasting(3600) }],
  ["sessions were made shorter since", { before: lasting(30 * day), after: lasting(3600) }],
])("where %s", { tags: ["threat:SF-09"] }, async (_, given) => {
  expect(await afterTwentyDays(given)).toBeNull()
})

it("and somebody until then", async () => {
  const given = { before: lasting(21 * day), after: lasting(21 * day) }
  expect(await afterTwentyDays(given)).toMatchObject({ user: { email: "ada@app.test" } })
})
