/** The process dies between any two calls of the store: a new one signs the same person in, as one user with one account. */
import { describe, expect, it } from "vitest"
import { faultyAdapter, type Kind } from "../support/faulty.js"
import { address, journeys, openStage, type Stage, saysSignedIn } from "../support/journeys.js"

const strategies = ["database", "jwt"] as const
/** Where a crash heals. */
const healing = ["with transactions", "with createUserWithAccount alone"] as const satisfies readonly Kind[]

const readsAfterEvents: ReadonlySet<string> = new Set(["oidc, first", "webauthn, registration"])

interface Case {
  readonly journey: string
  readonly strategy: (typeof strategies)[number]
  readonly kind: Kind
  readonly survived: number
}

async function casesOf(given: Omit<Case, "survived">): Promise<Case[]> {
  const store = faultyAdapter(given.kind)
  const stage = await openStage(store, given)
  await journeys[given.journey]?.prepare?.(stage)
  store.heal()
  await journeys[given.journey]?.go(stage)
  // The look at the user after the events comes when the person is signed in, and whatever becomes of it changes nothing.
  const calls = readsAfterEvents.has(given.journey) ? store.calls.slice(0, -1) : store.calls
  return calls.map((_, survived) => ({ ...given, survived }))
}

const cases = (
  await Promise.all(
    Object.keys(journeys).flatMap((journey) =>
      strategies.flatMap((strategy) => healing.map((kind) => casesOf({ journey, strategy, kind }))),
    ),
  )
).flat()

/** Another process on the same store; the person has the same authenticator. */
async function restart(store: ReturnType<typeof faultyAdapter>, before: Stage, given: Case): Promise<Stage> {
  store.heal()
  return { ...(await openStage(store, given)), authenticator: before.authenticator }
}

describe("the next sign-in recovers from a crash", {
  tags: ["threat:FP-01", "threat:FP-02", "threat:FP-03", "threat:FP-04", "threat:FP-05"],
}, () => {
  it.each(cases)("$journey, $strategy, $kind: after $survived calls", async (given) => {
    const journey = journeys[given.journey]
    if (!journey) throw new Error("no such journey")
    const store = faultyAdapter(given.kind)
    const before = await openStage(store, given)
    await journey.prepare?.(before)
    store.arm({ operation: "*", nth: given.survived + 1, how: "rejects", isLasting: true })
    const crashed = await journey.go(before)
    expect(saysSignedIn(crashed, before.browser)).toBe(false)

    const stage = await restart(store, before, given)
    // Nobody is signed in before the fresh process: what needs that is begun by mail.
    if (given.journey.includes("who is signed in")) await stage.world.signInByMail(stage.browser, address)
    const again = await journey.go(stage)
    const isIn =
      saysSignedIn(again, stage.browser) ||
      // A passkey is registered once: where everything was stored, the person goes on with it.
      (given.journey === "webauthn, registration" &&
        journey.otherwise !== undefined &&
        saysSignedIn(await journey.otherwise(stage), stage.browser))
    expect(isIn, `${again.status} ${again.location} ${stage.world.errors.at(-1)}`).toBe(true)
    expect(await stage.browser.session()).toMatchObject({ user: { email: address } })
    expect(await store.users()).toHaveLength(1)
    expect(await store.broken()).toEqual([])
  })
})

it.each(strategies)(
  "a code that was exchanged before a crash opens nothing afterwards, %s",
  {
    tags: ["threat:FP-05"],
  },
  async (strategy) => {
    const store = faultyAdapter("with transactions")
    const { world, browser } = await openStage(store, { strategy })
    const begun = await browser.post("/auth/signin/op")
    const { pathname, search } = world.op.authorize(begun.location ?? "")
    const cookies = [...browser.jar]
    store.arm({ operation: "*", nth: 1, how: "rejects", isLasting: true })
    await browser.get(pathname + search)
    expect(world.op.callsOf("token")).toHaveLength(1)
    store.heal()
    // The answer never came: the browser has what it had, and loads the address again.
    browser.jar.clear()
    for (const [name, cookie] of cookies) browser.jar.set(name, cookie)
    expect((await browser.get(pathname + search)).location).toContain("/auth/signin?error=OAuthCallbackError")
    expect([await browser.session(), await store.users()]).toEqual([null, []])
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { email: address } })
  },
)
