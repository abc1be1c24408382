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

it.each([
  ["keeps the time of the sign-in, as jsonwebtoken does", (token: object) => token],
  ["says no times", (token: object) => ({ ...token, iat: null, exp: null })],
])("and somebody who comes every ten days, where `jwt.encode` of the application %s", async (_, made) => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") })
  const encode = ({ token }: { token?: object }) =>
    Buffer.from(JSON.stringify(made({ iat: 0, ...token }))).toString("hex")
  const decode = ({ token = "" }) => JSON.parse(Buffer.from(token, "hex").toString())
  const world = await makeWorld({
    config: {
      ...lasting(30 * day),
      jwt: { encode, decode },
      callbacks: { jwt: ({ token }: { token: object }) => ({ iat: Math.floor(Date.now() / 1000), ...token }) },
    } as never,
  })
  const browser = world.browser()
  await world.signInByMail(browser, "ada@app.test")
  for (let visit = 1; visit < 8; visit += 1) {
    vi.setSystemTime(Date.now() + 10 * day * 1000)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  }
})
