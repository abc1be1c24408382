/** A copy of a session's token adds an account at the moment at which the owner ends all others, or gets a new token: no session goes on from the copy. */
import { randomUUID } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { TestBrowser } from "../support/browser.js"
import { accountOfThief } from "../support/ending.js"
import { holdingCalls } from "../support/held-calls.js"
import { sessionCookie } from "../support/journeys.js"
import { inLanes } from "../support/lanes.js"
import { registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const tags = ["threat:SF-08"]
const refused = "https://app.test/auth/signin?error=OAuthAccountNotLinked"
const address = "ada@app.test"

const kept = [
  { sessions: "jwt", session: { strategy: "jwt" } },
  { sessions: "database", session: { strategy: "database" } },
  { sessions: "database, own tokens", session: { strategy: "database", generateSessionToken: () => randomUUID() } },
] as const

/** The owner, and a thief with the same cookie; each call of the store can be held, and none is in a transaction. */
async function copied(session: (typeof kept)[number]["session"]) {
  const { transaction: _, ...store } = memoryAdapter()
  const { adapter, interleave } = inLanes(store)
  const sessions = managedSessions()
  const config = { features: [sessions], session, experimental: { enableWebAuthn: true } }
  const world = await makeWorld({ adapter, more: [Passkey()], config })
  world.op.person = { sub: accountOfThief.providerAccountId, name: "Eve", email: "eve@op.test", email_verified: true }
  const [owner, thief] = [world.browser(), world.browser()]
  await world.signInByMail(owner, address)
  thief.setCookie(sessionCookie, owner.cookie(sessionCookie) ?? "")
  const isIn = async (browser: TestBrowser): Promise<boolean> =>
    JSON.stringify(await browser.session()).includes(address)
  return { world, sessions, interleave, owner, thief, isIn }
}

describe.each(kept)("$sessions", { tags }, ({ session }) => {
  it.each(["endOthers", "rotate"] as const)("adds nothing with the token before that of %s", async (how) => {
    const { world, sessions, owner, thief, isIn } = await copied(session)
    const cookie = `${sessionCookie}=${owner.cookie(sessionCookie) ?? ""}`
    const { cookies } = await sessions[how](world.auth, { url: "https://app.test/", headers: { cookie } })
    for (const { name, value } of cookies) owner.setCookie(name, value)
    expect(await isIn(thief)).toBe(true)
    expect((await world.signInAtOp(thief)).location).toBe(refused)
    await registerPasskey(thief, softwarePasskey())
    expect(await world.adapter.getUserByAccount?.(accountOfThief)).toBeNull()
    const user = await world.adapter.getUserByEmail?.(address)
    expect(await world.adapter.listAuthenticatorsByUserId?.(user?.id ?? "")).toEqual([])
    expect([await isIn(owner), (await sessions.list(world.auth, requestOf(owner))).length]).toEqual([true, 1])
  })

  it("takes an account away that was written while the token was replaced", async () => {
    const { transaction: _, ...store } = memoryAdapter()
    const { adapter, hold } = holdingCalls(store)
    const sessions = managedSessions()
    const world = await makeWorld({ adapter, config: { features: [sessions], session } })
    world.op.person = { sub: accountOfThief.providerAccountId, name: "Eve", email: "eve@op.test", email_verified: true }
    const [owner, thief] = [world.browser(), world.browser()]
    await world.signInByMail(owner, address)
    thief.setCookie(sessionCookie, owner.cookie(sessionCookie) ?? "")
    const held = await hold("linkAccount", () => world.signInAtOp(thief))
    expect((await sessions.rotate(world.auth, requestOf(owner))).cookies).not.toEqual([])
    expect((await held.finish()).location).toBe(refused)
    expect(await store.getUserByAccount(accountOfThief)).toBeNull()
  })

  /** Has the owner ended all others, and the thief a session all the same? The token of before is believed for half a minute, and no longer. */
  const outcomeOf = async (at: number, isOwnerHeld: boolean): Promise<{ isEnded: boolean; goesOn: boolean }> => {
    const { world, interleave, owner, thief, isIn } = await copied(session)
    const before = thief.cookie(sessionCookie)
    const answers: number[] = []
    const endOthers = async (): Promise<void> => {
      answers.push((await owner.post("/auth/sessions", { end: "others" })).status)
    }
    const link = (): Promise<unknown> => world.signInAtOp(thief)
    await (isOwnerHeld ? interleave([endOthers, at], [link, 99]) : interleave([link, at], [endOthers, 99]))
    return { isEnded: answers[0] === 200, goesOn: (await isIn(thief)) && thief.cookie(sessionCookie) !== before }
  }

  it.each([
    ["the owner", true],
    ["the thief", false],
  ] as const)(
    "leaves the thief no session that goes on, at whichever call of the store %s waits",
    async (_, isHeld) => {
      const outcomes = []
      for (let at = 0; at < 24; at++) outcomes.push({ at, ...(await outcomeOf(at, isHeld)) })
      expect(outcomes.filter(({ isEnded, goesOn }) => isEnded && goesOn)).toEqual([])
      expect(outcomes.filter(({ isEnded }) => isEnded).length).toBeGreaterThan(5)
    },
    40_000,
  )
})

function requestOf(browser: TestBrowser) {
  return { url: "https://app.test/", headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}` } }
}

it("a request to end others that finds itself signed out says so", { tags }, async () => {
  const { world, interleave, owner, thief } = await copied({ strategy: "database" })
  const answers: number[] = []
  const endOthers = async (): Promise<void> => {
    answers.push((await owner.post("/auth/sessions", { end: "others" })).status)
  }
  for (const at of [1, 2]) await interleave([endOthers, at], [() => thief.post("/auth/signout"), 99])
  expect(answers).toEqual([401, 401])
  expect(await world.browser().session()).toBeNull()
})
