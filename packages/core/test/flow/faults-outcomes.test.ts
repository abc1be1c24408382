/** What comes of every fault in every flow, as docs/security/faults.md says it. `LATCHKEY_FAULTS=write` writes the page. */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { AuthConfig } from "../../src/types/config.js"
import { faultyAdapter } from "../support/faulty.js"
import { address, type Journey, journeys, openStage } from "../support/journeys.js"
import type { OpEndpoint } from "../support/op.js"
import { type Outcome, outcomeOf, pageOf, settled } from "../support/outcomes.js"

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const page = fileURLToPath(new URL("../../../../docs/security/faults.md", import.meta.url))
const isWriting = process.env["LATCHKEY_FAULTS"] === "write" && process.env["CI"] !== "true"
const strategies = ["database", "jwt"] as const
type Strategy = (typeof strategies)[number]

const atOp = journeys["oidc, first"]
const flows: Readonly<Record<string, Journey>> = {
  ...journeys,
  "a link that is asked for": { go: ({ browser }) => browser.post("/auth/signin/mail", { email: address }) },
  "a session that is read": { ...(atOp && { prepare: atOp.go }), go: ({ browser }) => browser.get("/auth/session") },
  "a session that is updated": {
    ...(atOp && { prepare: atOp.go }),
    go: ({ browser }) => browser.post("/auth/session", {}, { json: true }),
  },
  "a sign-out": { ...(atOp && { prepare: atOp.go }), go: ({ browser }) => browser.post("/auth/signout") },
}

interface Place {
  readonly flow: string
  readonly strategy: Strategy
}

async function open({ flow, strategy }: Place, config: Partial<AuthConfig> = {}) {
  const store = faultyAdapter("with transactions")
  const stage = await openStage(store, { strategy, config })
  const journey = flows[flow]
  if (!journey) throw new Error(`There is no flow "${flow}".`)
  await journey.prepare?.(stage)
  store.heal()
  return { store, stage, journey }
}

const outcomes: Outcome[] = []
const places = Object.keys(flows).flatMap((flow) => strategies.map((strategy): Place => ({ flow, strategy })))
const words = { rejects: "fails", lost: "is done, and its answer lost", garbage: "answers something else" }

/** Lets the clock run ahead for callbacks and mail. */
const hurry = (): void => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })

/** The same for calls to providers, whose limit is a signal. It ends what hangs, and nothing else. */
function hurrySignals(): void {
  hurry()
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException("It took too long.", "TimeoutError")), milliseconds)
    return controller.signal
  })
}

describe.each(places)("$flow, $strategy", (place) => {
  it("has a known outcome for every fault of the store", async () => {
    const { store, stage, journey } = await open(place)
    await journey.go(stage)
    for (const operation of new Set(store.calls)) {
      for (const how of ["rejects", "lost", "garbage"] as const) {
        const { store: faulty, stage: there, journey: tried } = await open(place)
        const arm = (): void => faulty.arm({ operation, nth: 1, how, isLasting: false })
        const outcome = await outcomeOf({ stage: there, store: faulty, journey: tried, arm, heal: faulty.heal })
        outcomes.push({ ...place, what: operation, how: words[how], ...outcome })
      }
    }
    expect(outcomes.length).toBeGreaterThan(0)
  })

  it("has a known outcome for every fault of a provider and of mail", async () => {
    const { stage, journey } = await open(place)
    const callsBefore = stage.world.op.calls.length
    await journey.go(stage)
    const endpoints = new Set(stage.world.op.calls.slice(callsBefore).map(({ endpoint }) => endpoint as OpEndpoint))
    for (const endpoint of endpoints) {
      for (const [how, answer] of Object.entries(answers)) {
        const { store, stage: there, journey: tried } = await open(place)
        const { op } = there.world
        let asked = 0
        const arm = (): void => {
          if (how === "never answers") hurrySignals()
          op.faults[endpoint] = () => {
            asked += 1
            return answer()
          }
        }
        const heal = (): void => {
          delete op.faults[endpoint]
        }
        const hung = how === "never answers" ? () => asked : undefined
        const outcome = await outcomeOf({ stage: there, store, journey: tried, arm, heal, hung })
        outcomes.push({ ...place, what: `the ${endpoint} endpoint`, how, ...outcome })
      }
    }
    expect(outcomes.length).toBeGreaterThan(0)
  })

  it("has a known outcome for every fault of a callback", async () => {
    for (const name of ["signIn", "jwt", "session", "redirect"] as const) {
      for (const how of ["throws", "never answers", "answers something else"]) {
        let isArmed = false
        let asked = 0
        const faulty = (honest: (given: never) => unknown) => (given: never) => {
          if (!isArmed) return honest(given)
          asked += 1
          if (how === "throws") throw new Error("out of order")
          return how === "never answers" ? new Promise(() => {}) : 42
        }
        const { store, stage, journey } = await open(place, { callbacks: callbacksWith(name, faulty) })
        const arm = (): void => {
          if (how === "never answers") hurry()
          isArmed = true
        }
        const heal = (): void => {
          isArmed = false
        }
        const hung = how === "never answers" ? () => asked : undefined
        const outcome = await outcomeOf({ stage, store, journey, arm, heal, hung })
        if (asked > 0) outcomes.push({ ...place, what: `callbacks.${name}`, how, ...outcome })
      }
    }
    expect(outcomes.length).toBeGreaterThan(0)
  })
})

const answers: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "cannot be reached": () => Promise.reject(new TypeError("fetch failed")),
  "never answers": () => new Promise(() => {}),
  "answers 500": () => new Response("down", { status: 500 }),
  "answers something else": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
}

type Callbacks = NonNullable<AuthConfig["callbacks"]>

const honest = {
  signIn: () => true,
  jwt: ({ token }: { token: unknown }) => token,
  session: ({ session }: { session: unknown }) => session,
  redirect: ({ url, baseUrl }: { url: string; baseUrl: string }) => (url.startsWith(baseUrl) ? url : baseUrl),
}

function callbacksWith(
  name: keyof typeof honest,
  faulty: (honest: (given: never) => unknown) => (given: never) => unknown,
): Callbacks {
  return { [name]: faulty(honest[name] as (given: never) => unknown) } as Callbacks
}

const heading = `# What comes of faults

<!-- Written by \`LATCHKEY_FAULTS=write npx vitest run packages/core/test/flow/faults-outcomes.test.ts\`; do not edit. -->

One fault at a time, in every flow: what the person sees, what the log says, what is kept in the browser, and whether the
same flow works once the fault is over. The tests that write this page compare it with what they see. Where an outcome
differs between the two kinds of sessions, the row names the kind.

- "Fails": the call throws. "Is done, and its answer lost": it has its effect, and throws. "Answers something else": it has
  its effect, and answers \`"<html>"\`, or 42 where it is a callback.
- The store is the one in memory, with transactions. A transaction that fails is run again once, because another request
  may have won a race: a single fault in it is then healed, and not logged.
- A store that never answers keeps the request waiting: there is no limit of the engine's own. The adapters for SQL and
  Redis have one, and so should yours.
- In the log, every fault has an incident, which the person sees as well; refusals ("no incident") have none.
`

describe.each(strategies)("a link that is asked for, %s", (strategy) => {
  it.each(["is refused", "never answers", "is sent, and then refused", "answers something else"])(
    "has a known outcome when the mail %s",
    async (how) => {
      const place = { flow: "a link that is asked for", strategy }
      const { store, stage, journey } = await open(place)
      const { mails, post } = stage.world
      let asked = 0
      const arm = (): void => {
        if (how === "never answers") hurry()
        post.send = (mail) => {
          asked += 1
          if (how === "never answers") return new Promise(() => {})
          if (how !== "is refused") mails.push(mail)
          if (how === "answers something else") return 42
          throw new Error("out of order")
        }
      }
      const heal = (): void => {
        delete post.send
      }
      const hung = how === "never answers" ? () => asked : undefined
      outcomes.push({
        ...place,
        what: "the mail",
        how,
        ...(await outcomeOf({ stage, store, journey, arm, heal, hung })),
      })
      expect(asked).toBe(1)
    },
  )
})

describe("a store that never answers", () => {
  it.each(Object.keys(flows))("keeps the request waiting, and answers nothing wrong: %s", async (flow) => {
    const { store, stage, journey } = await open({ flow, strategy: "database" })
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    store.arm({ operation: "*", nth: 1, how: "hangs", isLasting: true })
    let isDone = false
    void journey.go(stage).then(() => {
      isDone = true
    })
    while (store.calls.length === 0) await settled()
    await vi.advanceTimersByTimeAsync(5 * 60 * 1000)
    await settled()
    expect(isDone).toBe(false)
  })
})

describe("the page of faults", () => {
  it("says what the tests above saw", () => {
    const written = `${heading}\n${pageOf(outcomes)}\n`
    if (isWriting) writeFileSync(page, written)
    expect(readFileSync(page, "utf8")).toBe(written)
  })
})
