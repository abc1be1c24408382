/** A sealed value that was changed anywhere is refused like any other that is wrong: nothing says where it went wrong. */
import { describe, expect, it } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

/** The value with one character exchanged for another of the same alphabet. */
function changedAt(value: string, index: number): string {
  const other = value[index] === "A" ? "B" : "A"
  return value.slice(0, index) + other + value.slice(index + 1)
}

/** Every place, or some hundred of them where there are more; the last character of a part may hold unused bits. */
function placesOf(value: string): readonly number[] {
  const step = Math.max(1, Math.floor(value.length / 150))
  return Array.from({ length: Math.floor(value.length / step) }, (_, index) => index * step).filter(
    (index) => value[index] !== "." && value[index + 1] !== "." && index < value.length - 1,
  )
}

it("a session is nobody's, and the answer is the same wherever it was changed", {
  tags: ["threat:TL-09"],
}, async () => {
  const world = await makeWorld({ strategy: "jwt" })
  const browser = world.browser()
  await world.signInByMail(browser, "ada@op.test")
  const token = browser.cookie(sessionCookie) ?? ""
  const answers = new Set<string>()
  for (const value of [...placesOf(token).map((index) => changedAt(token, index)), "x", "a.b.c.d.e", `${token}x`]) {
    const visit = await world.browser().get("/auth/session", { cookie: `${sessionCookie}=${value}` })
    answers.add(JSON.stringify([visit.status, visit.text, [...visit.headers]]))
  }
  expect(answers.size).toBe(1)
  expect([...answers][0]).toContain('200,"null"')
})

describe.each(["state", "pkce.code_verifier"])("the cookie of the check %s", (name) => {
  it("ends the flow before anything is sent, wherever it was changed", { tags: ["threat:TL-09"] }, async () => {
    const world = await makeWorld({ provider: { checks: ["state", "pkce"] } })
    const browser = world.browser()
    const begun = await browser.post("/auth/signin/op", {})
    const back = world.op.authorize(begun.location ?? "")
    const cookie = `__Secure-authjs.${name}`
    const value = browser.cookie(cookie) ?? ""
    const cookies = [...browser.jar].map(([each, { value: held }]) => [each, held] as const)
    const before = world.op.calls.filter(({ endpoint }) => endpoint === "token").length
    const answers = new Set<string>()
    for (const index of placesOf(value).filter((_, place) => place % 5 === 0)) {
      const header = cookies
        .map(([each, held]) => `${each}=${each === cookie ? changedAt(value, index) : held}`)
        .join("; ")
      const visit = await world.browser().get(back.pathname + back.search, { cookie: header })
      // The word that names this one refusal in the log is another each time.
      answers.add(`${visit.status} ${visit.location?.replace(/incident=[^&]*/, "")}`)
      expect(visit.setCookies).not.toContain(sessionCookie)
    }
    expect(answers.size).toBe(1)
    expect(world.op.calls.filter(({ endpoint }) => endpoint === "token")).toHaveLength(before)
  })
})
