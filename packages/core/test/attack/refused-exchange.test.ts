/** A provider that refuses at the last step: nothing secret reaches the log, the flow is over, nobody is signed in. */
import { inspect } from "node:util"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { json } from "../support/op.js"
import { makeWorld, type World, worldSecret } from "../support/world.js"

const checks = ["state", "pkce", "nonce"]
const checkCookies = ["state", "pkce.code_verifier", "nonce"].map((name) => `__Secure-authjs.${name}`)
const heldOf = (browser: TestBrowser): string[] => checkCookies.filter((name) => browser.cookie(name) !== undefined)

afterEach(() => void vi.restoreAllMocks())

async function begin(world: World, extra: Record<string, string | undefined> = {}) {
  const browser = world.browser()
  const begun = await browser.post("/auth/signin/op", {})
  expect(heldOf(browser)).toEqual(checkCookies)
  const cookies = [...browser.jar].map(([, { value }]) => value)
  return { browser, cookies, begun, back: world.op.authorize(begun.location ?? "", extra) }
}

describe.each([false, true])("the log that is there by default, with debug %s", (debug) => {
  it.each([
    ["401 and what it was sent", 401],
    ["400 and what it was sent", 400],
  ])(
    "holds no secret where the token endpoint answers %s",
    {
      tags: ["threat:A-012", "threat:P7-06", "threat:P7-07"],
    },
    async (_, status) => {
      const lines: unknown[] = []
      for (const way of ["error", "warn", "info", "log", "debug"] as const)
        vi.spyOn(console, way).mockImplementation((...said) => void lines.push(said))
      const world = await makeWorld({
        strategy: "jwt",
        provider: { checks },
        config: { logger: undefined, debug } as object,
      })
      world.op.faults.token = ({ body, headers }) =>
        json(
          {
            error: "invalid_grant",
            error_description: `${body} ${headers.get("authorization")}`,
            access_token: "an-access-token-of-somebody",
            refresh_token: "a-refresh-token-of-somebody",
          },
          status,
        )
      const { browser, cookies, back } = await begin(world)
      const visit = await browser.get(back.pathname + back.search)
      expect(visit.location).toContain("error=OAuthCallbackError")
      expect([heldOf(browser), browser.cookie(sessionCookie), await browser.session()]).toEqual([[], undefined, null])
      const [{ body, headers } = {} as never] = world.op.callsOf("token")
      const secrets = [
        worldSecret,
        world.op.clientSecret,
        body.get("code"),
        body.get("code_verifier"),
        headers.get("authorization")?.replace("Basic ", ""),
        "an-access-token-of-somebody",
        "a-refresh-token-of-somebody",
        ...cookies.filter((value) => value.length > 40),
      ] as string[]
      const text = inspect(lines, { depth: null, maxStringLength: null, maxArrayLength: null })
      expect(text).toContain("invalid_grant")
      expect(secrets.every((secret) => secret.length > 20)).toBe(true)
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
      // The verifier goes to the provider in the body of one request, and nowhere else.
      const rest = world.op.calls.map((call) => call.url + JSON.stringify([...call.headers])).join() + visit.location
      expect(rest).not.toContain(body.get("code_verifier"))
    },
  )
})

describe.each(["jwt", "database"] as const)("an error in place of a code, sessions of %s", (strategy) => {
  it.each([
    ["that there is no such transformation", { error: "invalid_request", error_description: "transform algorithm" }],
    ["in the name of another issuer", { error: "access_denied", iss: "https://evil.test" }],
  ])(
    "%s ends the flow, and nothing is sent to anybody",
    {
      tags: ["threat:P7-05", "threat:I9-04"],
    },
    async (_, said) => {
      const world = await makeWorld({ strategy, provider: { checks } })
      const { browser, back } = await begin(world, { code: undefined, ...said })
      const before = world.op.calls.length
      const visit = await browser.get(back.pathname + back.search)
      expect(visit.location).toMatch(/^https:\/\/app\.test\/auth\/(?:error|signin)\?error=/)
      if ("iss" in said) expect(visit.location).not.toContain("access_denied")
      expect([world.op.calls.length, heldOf(browser), await browser.session()]).toEqual([before, [], null])
      // The same answer once more, and a code with it, opens nothing.
      back.searchParams.delete("error")
      back.searchParams.set("code", "another")
      expect((await browser.get(back.pathname + back.search)).location).toContain("error=OAuthCallbackError")
      expect(world.op.callsOf("token")).toEqual([])
      // No second try with less.
      const again = new URL((await browser.post("/auth/signin/op", {})).location ?? "").searchParams
      expect([again.get("code_challenge_method"), again.get("code_challenge")?.length]).toEqual(["S256", 43])
    },
  )
})
