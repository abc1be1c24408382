/** Every call of the adapter fails, in every way of signing in: written data remains consistent, no response is wrong, and the person can sign in afterwards. */
import { describe, expect, it } from "vitest"
import { casesOfMatrix } from "../../../../tools/matrix/pairwise.js"
import { type Fault, faultyAdapter, type Kind, kinds } from "../support/faulty.js"
import { address, isRefusal, journeys, openStage, saysSignedIn, sessionCookie } from "../support/journeys.js"
import { leaks } from "../support/logged.js"
import { makeWorld } from "../support/world.js"

const strategies = ["database", "jwt"] as const

interface Surroundings {
  readonly journey: string
  readonly strategy: (typeof strategies)[number]
  readonly kind: Kind
}

interface Case extends Surroundings, Fault {}

/** The calls of each journey are counted where nothing fails; each of them becomes some cases. */
async function casesOf(given: Surroundings): Promise<Case[]> {
  const store = faultyAdapter(given.kind)
  const stage = await openStage(store, given)
  const { prepare, go } = journeyOf(given)
  await prepare?.(stage)
  store.heal()
  const visit = await go(stage)
  if (!saysSignedIn(visit, stage.browser)) throw new Error(`${given.journey}: ${visit.status} ${visit.location}`)
  const met = new Map<string, number>()
  return store.calls.flatMap((operation) => {
    const nth = (met.get(operation) ?? 0) + 1
    met.set(operation, nth)
    return waysToFail(given, operation).map((way): Case => ({ ...given, operation, nth, ...way }))
  })
}

function waysToFail({ kind, journey }: Surroundings, operation: string): readonly Pick<Fault, "how" | "isLasting">[] {
  // A user whose creation was never reported: only a transaction undoes that.
  const isLostForEver = operation === "createUser" && kind !== "with transactions" && !journey.startsWith("email")
  return [
    { how: "rejects", isLasting: false },
    { how: "throws", isLasting: true },
    ...(isLostForEver ? [] : [{ how: "lost", isLasting: false } as const]),
  ]
}

function journeyOf({ journey }: Surroundings): (typeof journeys)[string] {
  const found = journeys[journey]
  if (!found) throw new Error(`there is no journey "${journey}"`)
  return found
}

const surroundings = Object.keys(journeys).flatMap((journey) =>
  strategies.flatMap((strategy) => (Object.keys(kinds) as Kind[]).map((kind) => ({ journey, strategy, kind }))),
)
const all = (await Promise.all(surroundings.map(casesOf))).flat()
/** Which calls there are depends on the journey and on what the adapter offers: these count as one value. */
const cases = casesOfMatrix(all, ({ journey, kind, operation, nth, strategy, how, isLasting }) => ({
  call: [journey, kind, operation, nth].join(", "),
  strategy,
  way: `${how} ${isLasting}`,
}))

describe("an adapter that fails leaves no inconsistent state", {
  tags: [
    "threat:FD-13",
    "threat:FD-03",
    "threat:FD-05",
    "threat:FD-06",
    "threat:FD-08",
    "threat:FD-11",
    "threat:FD-12",
    "threat:RC-02",
  ],
}, () => {
  it("has cases for every way in", () => {
    const met = new Set(cases.map(({ journey, kind }) => `${journey}, ${kind}`))
    expect(met.size).toBe(Object.keys(journeys).length * Object.keys(kinds).length)
    expect(all.length).toBeGreaterThan(1_500)
  })

  it.each(cases)("$journey, $strategy, $kind: call $nth of $operation $how (lasting: $isLasting)", async (given) => {
    const { prepare, go, otherwise } = journeyOf(given)
    const store = faultyAdapter(given.kind)
    const stage = await openStage(store, given)
    const { world, browser } = stage
    await prepare?.(stage)
    const before = browser.cookie(sessionCookie)
    const loggedBefore = world.errors.length
    store.arm(given)
    const visit = await go(stage)
    const isFailed = isRefusal(visit) || visit.status >= 400
    store.heal()

    expect(await store.broken()).toEqual([])
    if (saysSignedIn(visit, browser)) expect(await browser.session()).toMatchObject({ user: { email: address } })
    else {
      expect(isFailed, `${visit.status} ${visit.location}`).toBe(true)
      expect(browser.cookie(sessionCookie)).toBe(before)
      expect(world.errors.slice(loggedBefore)).toHaveLength(1)
      // A refusal after a lost answer: the passkey is there, and its owner signs in with it.
      if (world.errors.at(-1)?.name !== "AccountNotLinked") expect(world.errors.at(-1)).toHaveProperty("incident")
    }

    const again = await go(stage)
    const isIn = saysSignedIn(again, browser) || (otherwise && saysSignedIn(await otherwise(stage), browser))
    expect(isIn, `again: ${again.status} ${again.location} ${world.errors.at(-1)}`).toBe(true)
    expect(await browser.session()).toMatchObject({ user: { email: address } })
    expect(await store.broken()).toEqual([])
    const users = await store.users()
    expect(users).toHaveLength(1)
    expect(leaks(world, [browser], store.secrets)).toEqual([])
    if (given.how !== "lost") {
      const created = world.events.filter(([name]) => name === "createUser").map(([, message]) => message["user"])
      expect(created).toMatchObject(users[0]?.id === "seeded" ? [] : [{ id: users[0]?.id }])
    }
  })
})

it.each(Object.keys(kinds) as Kind[])(
  "a link is spent where its user cannot be created, and the next one works: %s",
  { tags: ["threat:FD-08"] },
  async (kind) => {
    const store = faultyAdapter(kind)
    const world = await makeWorld({ strategy: "database", adapter: store.adapter })
    const browser = world.browser()
    await browser.post("/auth/signin/mail", { email: address })
    const { pathname, search } = new URL(world.mails[0]?.url ?? "")
    store.arm({ operation: "createUser", nth: 1, how: "rejects", isLasting: true })
    // The sign-in page says that the account could not be made, and asks to try again.
    expect((await browser.get(pathname + search)).location).toContain("/auth/signin?error=EmailCreateAccount")
    expect([await store.broken(), await store.users(), browser.cookie(sessionCookie)]).toEqual([[], [], undefined])
    store.heal()
    expect((await browser.get(pathname + search)).location).toBe("https://app.test/auth/error?error=Verification")
    expect(await store.users()).toEqual([])
    await world.signInByMail(browser, address)
    expect(await browser.session()).toMatchObject({ user: { email: address } })
  },
)
