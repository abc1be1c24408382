/** What comes of a fault: what the person sees, what the log says, what is kept, and whether the next try works; as data, and as a page. */
import { vi } from "vitest"
import type { Visit } from "./browser.js"
import type { FaultyAdapter } from "./faulty.js"
import { isRefusal, type Journey, type Stage, saysSignedIn, sessionCookie } from "./journeys.js"

/** One fault, and what came of it. */
export interface Outcome {
  readonly flow: string
  /** What failed, such as "getUser" or "the token endpoint". */
  readonly what: string
  /** How, such as "fails". */
  readonly how: string
  readonly strategy: string
  readonly seen: string
  readonly logged: string
  readonly kept: string
  readonly next: string
}

/** A flow with a fault in it. */
export interface Tried {
  readonly stage: Stage
  readonly store: FaultyAdapter
  readonly journey: Journey
  /** Makes the fault happen. */
  arm(): void
  /** Ends it. */
  heal(): void
  /** How many calls wait for an answer that never comes. @default none can */
  hung?: (() => number) | undefined
}

/** Lets everything happen that needs no clock. */
export const settled = async (): Promise<void> => {
  for (let round = 0; round < 10; round++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Waits for an answer. Each time something hangs, the clock runs ahead just beyond the longest limit there is, and no further: what is asked next is in time. */
async function answered(pending: Promise<Visit>, hung: (() => number) | undefined): Promise<Visit> {
  if (!hung) return pending
  let isDone = false
  void pending.then(
    () => {
      isDone = true
    },
    () => {
      isDone = true
    },
  )
  for (let seen = 0; !isDone; ) {
    await settled()
    if (hung() <= seen) continue
    seen = hung()
    await vi.advanceTimersByTimeAsync(justBeyond)
  }
  return pending
}

const justBeyond = 31_000

/** Runs the flow with its fault, then without. */
export async function outcomeOf({
  stage,
  store,
  journey,
  arm,
  heal,
  hung,
}: Tried): Promise<Omit<Outcome, "flow" | "what" | "how" | "strategy">> {
  const { browser, world } = stage
  const before = browser.cookie(sessionCookie)
  world.errors.length = 0
  arm()
  const visit = await answered(journey.go(stage), hung)
  heal()
  const logged = world.errors.map(({ name }) => name)
  const hasIncident = world.errors.some((error) => "incident" in error && error.incident !== undefined)
  const now = browser.cookie(sessionCookie)
  const kept = keptOf({ before, now, isIn: saysSignedIn(visit, browser) })
  const broken = await store.broken()
  if (broken.length > 0) throw new Error(broken.join("; "))
  return { seen: seenIn(visit), logged: logOf(logged, hasIncident), kept, next: await nextTry(stage, journey) }
}

function keptOf({ before, now, isIn }: { before: string | undefined; now: string | undefined; isIn: boolean }): string {
  if (isIn) return "signed in"
  if (now === before) return before === undefined ? "signed out" : "the session there was"
  return now === undefined ? "signed out" : "a new cookie"
}

function logOf(names: readonly string[], hasIncident: boolean): string {
  if (names.length === 0) return "nothing"
  return `${[...new Set(names)].join(", ")}${hasIncident ? "" : ", no incident"}`
}

async function nextTry(stage: Stage, { go, otherwise }: Journey): Promise<string> {
  vi.useRealTimers()
  const again = await go(stage)
  if (!isRefusal(again) && again.status < 400) return "works"
  if (otherwise && saysSignedIn(await otherwise(stage), stage.browser)) return "signs in another way"
  return seenIn(again)
}

function seenIn({ status, location, text }: Visit): string {
  if (location !== undefined) {
    const { pathname, searchParams } = new URL(location)
    const error = searchParams.get("error")
    return `${status} to ${pathname}${error === null ? "" : `?error=${error}`}`
  }
  const error = /^\{"error":"(\w+)"/.exec(text)?.[1]
  return error === undefined ? String(status) : `${status} ${error}`
}

/** The page: a table for each flow, faults with the same outcome in one row. */
export function pageOf(outcomes: readonly Outcome[]): string {
  const flows = [...new Set(outcomes.map(({ flow }) => flow))]
  return flows
    .map((flow) => `## ${titleOf(flow)}\n\n${tableOf(outcomes.filter((one) => one.flow === flow))}`)
    .join("\n\n")
}

function titleOf(flow: string): string {
  const named = flow
    .replace("oidc", "OpenID Connect")
    .replace("webauthn", "passkey")
    .replace(/^email/, "mail")
  return named[0]?.toUpperCase() + named.slice(1)
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = new Map<string, Outcome[]>()
  for (const one of outcomes) {
    const key = [one.how, one.seen, one.logged, one.kept, one.next].join("|")
    rows.set(key, [...(rows.get(key) ?? []), one])
  }
  const lines = [...rows.values()].map((group) => {
    const { how, seen, logged, kept, next } = group[0] as Outcome
    return `| ${subjects(group)} ${how} | ${seen} | ${logged} | ${kept} | ${next} |`
  })
  return [
    "| what happens | what the person sees | the log | what is kept | the next try |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n")
}

/** Which strategy it is stands there only where the other one has another outcome. */
function subjects(group: readonly Outcome[]): string {
  const names = [...new Set(group.map(({ what }) => what))]
  return names
    .map((name) => {
      const strategies = new Set(group.filter(({ what }) => what === name).map(({ strategy }) => strategy))
      return strategies.size > 1 ? `\`${name}\`` : `\`${name}\` (${[...strategies].join()})`
    })
    .join(", ")
}
