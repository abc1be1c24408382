/** The token of a session leaves in its cookie alone, and those of a provider not at all: no body, address, header or log has them. */
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { getToken } from "../../src/jwt.js"
import type { Visit } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld, worldSecret } from "../support/world.js"

const page = { accept: "text/html" }

/** Everything of an answer but its cookies. */
function shownBy({ url, text, headers }: Visit): string {
  const rest = [...headers].filter(([name]) => name !== "set-cookie")
  return `${url}\n${text}\n${JSON.stringify(rest)}`
}

describe.each(["jwt", "database"] as const)("with the strategy %s", (strategy) => {
  it("no answer and no log has the token of the session, or a token of the provider", {
    tags: ["threat:V3-06", "threat:VO-01"],
  }, async () => {
    const world = await makeWorld({ strategy, config: { debug: true } })
    world.op.tokens = { refresh_token: "refresh-token-of-ada" }
    const tokens = ["refresh-token-of-ada"]
    const { sign } = world.op
    world.op.sign = async (claims) => {
      const idToken = await sign(claims)
      tokens.push(idToken)
      return idToken
    }
    const browser = world.browser()
    const visits: Visit[] = [await browser.get("/auth/signin", page), await world.signInAtOp(browser)]
    const setCookie = visits[1]?.headers.getSetCookie().find((line) => line.startsWith(`${sessionCookie}=`))
    expect(setCookie).toMatch(/; HttpOnly(?:;|$)/)
    const session = browser.cookie(sessionCookie) ?? expect.fail("nobody is signed in")
    for (const action of ["session", "csrf", "providers", "signin", "signout", "error", "verify-request", "none"])
      visits.push(await browser.get(`/auth/${action}`), await browser.get(`/auth/${action}`, page))
    const csrfToken = await browser.csrfToken()
    const updated = { csrfToken, data: { name: "Lovelace" } }
    visits.push(await browser.post("/auth/session", updated as never, { csrf: false, json: true }))
    const renewed = browser.cookie(sessionCookie) ?? expect.fail("nobody is signed in any more")
    visits.push(
      await browser.post("/auth/signin/mail", { email: "ada@op.test" }),
      await browser.get("/auth/callback/op?code=1&state=2", page),
      await browser.post("/auth/signout", { callbackUrl: "/bye" }),
    )

    const account = await world.adapter.getAccount?.("person-1", "op")
    tokens.push(session, renewed, account?.access_token ?? expect.fail("the provider gave no access token"))
    const logged = inspect([world.errors, world.warnings, world.debugs], { depth: null })
    for (const token of tokens) {
      for (const visit of visits) expect(shownBy(visit), visit.url).not.toContain(token)
      expect(logged).not.toContain(token)
    }
    if (strategy === "database") return
    const req = { headers: new Headers({ cookie: `${sessionCookie}=${session}` }) }
    const claims = await getToken({ req, secret: worldSecret, secureCookie: true })
    expect(claims).toMatchObject({ name: "Ada" })
    for (const token of tokens) expect(JSON.stringify(claims)).not.toContain(token)
  })
})
