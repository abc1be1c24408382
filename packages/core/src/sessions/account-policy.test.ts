import { describe, expect, it, vi } from "vitest"
import { makeContext, startOfTests } from "../../test/support/context.js"
import { managedStage, strategies } from "../../test/support/managed-stage.js"
import { toSeconds } from "../std/time.js"
import type { Policy, SessionProof } from "../types/session-facts.js"
import { unmetPolicy, warnOfCircle } from "./account-policy.js"

function logging() {
  const warn = vi.fn()
  return { warn, logger: { error: () => {}, warn, debug: () => {} } }
}

describe.each(strategies)("the policy of accounts, %s strategy", (strategy) => {
  const policy = { maxAge: 900, passive: true }

  it("is none where none is configured", async () => {
    const { at, newUser, signIn } = managedStage({ strategy, options: null })
    const cookies = await signIn(await newUser("ada@app.test"))
    expect(await unmetPolicy(at(cookies))).toBeUndefined()
  })

  it("is met by a session until it is too old, and by no request without a session", async () => {
    const { warn, logger } = logging()
    const { at, newUser, signIn } = managedStage({ strategy, options: { policy }, config: { logger } })
    const cookies = await signIn(await newUser("ada@app.test"))
    expect(await unmetPolicy(at(cookies, 900))).toBeUndefined()
    expect(await unmetPolicy(at(cookies, 901))).toEqual(policy)
    expect(await unmetPolicy(at())).toEqual(policy)
    expect(warn).not.toHaveBeenCalledWith("policy-out-of-reach")
  })

  it("is in the log where a session that has just begun does not meet it", async () => {
    const { warn, logger } = logging()
    const out = { acr: "mfa" } as const
    const { at, newUser, signIn } = managedStage({ strategy, options: { policy: out }, config: { logger } })
    const cookies = await signIn(await newUser("ada@app.test"))
    expect(await unmetPolicy(at(cookies))).toEqual(out)
    expect(warn).toHaveBeenCalledWith("policy-out-of-reach")
  })
})

describe("a policy that is out of reach is in the log", () => {
  const proof: SessionProof = { how: "oidc", provider: "op", at: toSeconds(startOfTests) }

  /** How often it is, `age` seconds after the session began, where it is asked twice. */
  function warnings(age: number, policy: Policy, proofs: readonly SessionProof[] = [proof]): number {
    const { warn, logger } = logging()
    const context = makeContext({ config: { logger } })
    warn.mockClear()
    const facts = { id: "session", startedAt: toSeconds(startOfTests) - age, proofs }
    for (let time = 0; time < 2; time++) warnOfCircle(context, facts, policy)
    expect(warn.mock.calls.every(([code]) => code === "policy-out-of-reach")).toBe(true)
    return warn.mock.calls.length
  }

  it.each<[string, number, Policy, number]>([
    ["once for a request", 0, {}, 1],
    ["up to a minute after the sign-in", 60, {}, 1],
    ["not later", 61, {}, 0],
    ["not later where an older sign-in would do", 61, { maxAge: 900 }, 0],
    ["as long as the sign-in is new enough", 30, { maxAge: 30 }, 1],
    ["not once it is too old: the next one will be newer", 31, { maxAge: 30 }, 0],
  ])("%s", (_, age, policy, expected) => {
    expect(warnings(age, policy)).toBe(expected)
  })

  it("not where somebody acts for the user, who has proven nothing", () => {
    expect(warnings(0, {}, [])).toBe(0)
  })
})
