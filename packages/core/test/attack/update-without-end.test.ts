/** An update of a session that is small, and whose text is endless: members that are shared, in objects of classes, as React's replies make them. */
import { describe, expect, it } from "vitest"
import type { AuthConfig } from "../../src/types/config.js"
import { sessionCookie } from "../support/journeys.js"
import { pairs } from "../support/shared-members.js"
import { makeWorld } from "../support/world.js"

const jwt: NonNullable<NonNullable<AuthConfig["callbacks"]>["jwt"]> = ({ token, trigger, session }) =>
  trigger === "update" ? { ...token, color: (session as { color?: unknown }).color } : token

const tags = ["threat:CT-07"]

describe("a callback that keeps a member of an update as it came", () => {
  it.each([
    ["objects of classes that share their members", pairs(20, 1)],
    ["the same within a Promise that carries members", Object.assign(Promise.resolve(), { value: pairs(20, 1) })],
    ["a string that is shared often", pairs(18, "x".repeat(100))],
  ])("is refused %s, and the session stays", { tags }, async (_, color) => {
    const world = await makeWorld({ strategy: "jwt", config: { callbacks: { jwt } } })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    const source = { secure: true, headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie)}` } }
    await expect(world.auth.update(source, { color })).rejects.toThrow("cannot be sealed. The fields are too large")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
    const { cookies } = await world.auth.update(source, { color: "blue" })
    expect(cookies.length).toBeGreaterThan(0)
  })
})
