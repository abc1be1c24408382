/** Requests in any order and at the same time: what people do to an account, and to sessions, leaves nobody with what they must not have. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as ended from "../support/ended-in-any-order.js"
import * as claimed from "../support/thief-and-owner.js"

const fuzz = process.env["LATCHKEY_FUZZ"]
/** `npm run fuzz` tries others each time: one for twenty values of other properties, because each is a whole application. */
const runs = fuzz === undefined ? 40 : Math.ceil(Number(fuzz) / 20)
const parameters = { numRuns: runs, ...(fuzz === undefined && { seed: 20_261_127 }), endOnFailure: true }
const timeout = 20_000 + runs * 1_000

/** Adapters that show what was written halfway, and one that does not. */
const without = fc.constantFrom<readonly string[]>([], ["transaction"], ["transaction", "createUserWithAccount"])

/** Two steps at once: each stops at a call of the store, and goes on when the other has. */
interface Together<Step> {
  readonly first: Step
  readonly at: number
  readonly second: Step
  readonly until: number
}
type Moment<Step> = { readonly alone: Step } | Together<Step>

const alone = <Step>(step: fc.Arbitrary<Step>): fc.Arbitrary<Moment<Step>> => step.map((one) => ({ alone: one }))
const together = <Step>(first: fc.Arbitrary<Step>, second: fc.Arbitrary<Step>): fc.Arbitrary<Moment<Step>> =>
  fc.record({ first, at: fc.nat(14), second, until: fc.oneof(fc.constant(99), fc.nat(14)) })

interface Stage<Step> {
  act(step: Step): Promise<void>
  remember(): void
  forget(first: Step, second: Step): void
  interleave(...pair: (readonly [() => Promise<unknown>, number])[]): Promise<void>
  faults(): Promise<readonly string[]>
}

async function expectNoFaults<Step>(stage: Stage<Step>, moments: readonly Moment<Step>[]): Promise<void> {
  for (const moment of moments) {
    if ("alone" in moment) {
      await stage.act(moment.alone)
      continue
    }
    const { first, at, second, until } = moment
    stage.remember()
    await stage.interleave([() => stage.act(first), at], [() => stage.act(second), until])
    stage.forget(first, second)
  }
  expect(await stage.faults()).toEqual([])
}

describe("somebody who claims an address", { tags: ["threat:A-022"] }, () => {
  const { actions } = claimed
  const setups = fc.record<claimed.Setup>({
    strategy: fc.constantFrom("jwt", "database"),
    keeps: fc.constantFrom("nothing", "facts", "records"),
    ownTokens: fc.boolean(),
    mail: fc.boolean(),
    links: fc.boolean(),
    without,
  })
  const anyone = fc.constantFrom<claimed.Action>(...actions)
  const thief = fc.constantFrom<claimed.Action>(...actions.filter((one) => one.startsWith("thief")))
  const proof = fc.constantFrom<claimed.Action>("owner: mail", "owner: provider", "owner: mail, second browser")
  const some = fc.array(
    fc.oneof({ weight: 5, arbitrary: alone(thief) }, { weight: 1, arbitrary: together(thief, anyone) }),
    { minLength: 1, maxLength: 3 },
  )
  /** What is begun in an account at the address, to be finished later. */
  const begun = fc
    .tuple(
      fc.constantFrom<claimed.Action>("thief: passkey at the address", "thief: silent, claiming"),
      fc.constantFrom<claimed.Action>("thief: begin a flow", "thief: ask to register a passkey"),
    )
    .map((steps) => steps.map((one) => ({ alone: one })))
  const before = fc.oneof({ weight: 3, arbitrary: some }, { weight: 1, arbitrary: begun })
  const arrival = fc.oneof(together(thief, proof), together(proof, thief), alone(proof))
  const led = fc.constantFrom<claimed.Action>(...actions.filter((one) => one.startsWith("led")))
  const after = fc.array(fc.oneof(alone(anyone), alone(led), together(thief, anyone)), { maxLength: 2 })

  it(
    "has nothing of its owner's once the owner has proven it, and the owner loses nothing",
    async () => {
      let proven = 0
      const play = fc.asyncProperty(setups, before, arrival, after, async (setup, first, then, last) => {
        const stage = await claimed.ClaimedStage.open(setup)
        await expectNoFaults(stage, [...first, then, ...last])
        if (stage.proven !== undefined) proven++
      })
      await fc.assert(play, parameters)
      expect(proven).toBeGreaterThan(runs / 4)
    },
    timeout,
  )
})

describe("a session that was ended", { tags: ["threat:SF-08"] }, () => {
  const setups = fc.record<ended.Setup>({
    strategy: fc.constantFrom("jwt", "database"),
    ownTokens: fc.boolean(),
    without: fc.oneof(without, fc.constant(["transaction", "deleteSessionsByUserId"])),
    recordsApart: fc.boolean(),
    extends: fc.boolean(),
  })
  const any = fc.constantFrom<ended.Step>(...ended.steps)
  const end = fc.constantFrom<ended.Step>(...ended.ending)
  const steal = fc.constantFrom<ended.Step>(...ended.stealing)
  const before = fc.array(fc.oneof({ weight: 4, arbitrary: alone(any) }, { weight: 1, arbitrary: alone(steal) }), {
    maxLength: 3,
  })
  const main = fc.oneof(together(any, end), together(end, any), alone(end))
  const after = fc.array(alone(any), { maxLength: 2 })

  it(
    "opens nothing any more, in no browser that has it",
    async () => {
      const play = fc.asyncProperty(setups, before, main, after, async (setup, first, then, last) =>
        expectNoFaults(await ended.EndedStage.open(setup), [...first, then, ...last]),
      )
      await fc.assert(play, parameters)
    },
    timeout,
  )
})
