/** Ends the process after each call of each kind of sign-in; then the same person signs in again. */
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig } from "@latchkey/core/types"
import type { ContractCase, Kit } from "./case.js"
import { fail, same, sameId } from "./check.js"
import { type CrashFlow, crashFlows } from "./crash-flows.js"
import { beginLife, Died, emptyLedger, type Ledger, type Life } from "./mortal.js"
import { type Person, rehearsalConfig, type Stage, type Strategy } from "./rehearsal.js"
import { openVisitor, type Service, type Visitor } from "./visitor.js"

/** Makes the service under test from a configuration. */
export type OpenService = (config: AuthConfig) => Service

/** One run of one flow. */
interface Rehearsal {
  readonly open: OpenService
  readonly kit: Kit
  readonly flow: CrashFlow
  readonly strategy: Strategy
  readonly hidden: readonly (keyof Adapter)[]
}

/** A person on one store, over several runs of the process. */
interface Play {
  readonly stage: Stage
  readonly ledger: Ledger
  /** Starts a process; the person's browser continues with it. @default on the adapter of the kit */
  begin(store?: Adapter): Life
}

function openPlay({ open, kit, strategy, hidden }: Rehearsal): Play {
  const person: Person = {
    email: `${kit.fresh("ada")}@example.test`,
    account: kit.fresh("person"),
    mails: [],
    credentials: [],
  }
  const ledger = emptyLedger()
  const visitor: Visitor = openVisitor({ handle: () => Promise.reject(new Died()) })
  return {
    stage: { person, visitor },
    ledger,
    begin(store = kit.adapter) {
      const life = beginLife(store, { hidden, ledger })
      const service = open(rehearsalConfig(person, life.adapter, strategy))
      visitor.moveTo({
        async handle(request) {
          const response = await service.handle(request)
          // The response of a dead process is dropped.
          if (life.isOver()) throw new Died()
          return response
        },
      })
      return life
    },
  }
}

/** Runs the flow until it or the process ends. Returns the number of calls. */
async function cutOff(rehearsal: Rehearsal, play: Play, survived: number): Promise<number> {
  const { flow } = rehearsal
  const { visitor } = play.stage
  const life = play.begin()
  await flow.prepare?.(play.stage, life.adapter)
  const before = visitor.save()
  life.dieAfter(survived)
  try {
    await flow.go(play.stage)
    // Everything was written, and the process ends before its response arrives.
    visitor.restore(before)
  } catch (error) {
    if (!(error instanceof Died)) throw error
  }
  return life.calls()
}

/** The number of calls that the flow makes without an interruption. Throws when even that signs nobody in. */
async function measure(rehearsal: Rehearsal): Promise<number> {
  const play = openPlay(rehearsal)
  const life = play.begin()
  await rehearsal.flow.prepare?.(play.stage, life.adapter)
  life.dieAfter(Number.POSITIVE_INFINITY)
  const { status, location } = await rehearsal.flow.go(play.stage)
  const calls = life.calls()
  const found = await play.stage.visitor.whoami()
  const led = location ? `, leading to ${location.pathname}${location.search.replace(/incident=\w+/, "")}` : ""
  same(found, play.stage.person.email, `who is signed in when nothing happens (status ${status}${led})`)
  return calls
}

/** Which of the users and accounts that were ever written are there. */
async function countRows({ adapter }: Kit, { users, accounts }: Ledger) {
  const found = await Promise.all([...users].map((id) => adapter.getUser(id)))
  const owners = await Promise.all(
    [...accounts.values()].map(async (key) => ({ ...key, owner: await adapter.getUserByAccount(key) })),
  )
  return { users: found.filter((user) => user !== null), owned: owners.filter(({ owner }) => owner !== null) }
}

async function expectOnePerson({ kit, flow }: Rehearsal, { ledger }: Play, when: string): Promise<void> {
  const { users, owned } = await countRows(kit, ledger)
  same(users.length, 1, `${when}: how many users there are`)
  if (flow.hasAccount && owned.length === 0) fail(`${when}: the user has no account`)
  for (const { provider, owner } of owned) {
    sameId(owner?.id, users[0]?.id, `${when}: the owner of the account of ${provider}`)
    same(owned.filter((other) => other.provider === provider).length, 1, `${when}: how many accounts of ${provider}`)
  }
}

async function runEvery(rehearsal: Rehearsal): Promise<void> {
  const { flow } = rehearsal
  const total = await measure(rehearsal)
  for (let survived = 0; survived <= total; survived += 1) {
    const when = `cut off after ${survived} of ${total} calls`
    const play = openPlay(rehearsal)
    await cutOff(rehearsal, play, survived)
    play.begin()
    await (flow.again ?? flow.go)(play.stage)
    same(await play.stage.visitor.whoami(), play.stage.person.email, `${when}: who is signed in afterwards`)
    await expectOnePerson(rehearsal, play, when)
  }
}

/** What an interruption may lead to without a repair: signed in or refused, but never two users. */
async function runPromise(rehearsal: Rehearsal): Promise<void> {
  const total = await measure(rehearsal)
  for (let survived = 0; survived <= total; survived += 1) {
    const when = `cut off after ${survived} of ${total} calls`
    const play = openPlay(rehearsal)
    await cutOff(rehearsal, play, survived)
    play.begin()
    const { location } = await rehearsal.flow.go(play.stage)
    const found = await play.stage.visitor.whoami()
    const { users, owned } = await countRows(rehearsal.kit, play.ledger)
    same(users.length, 1, `${when}: how many users there are`)
    if (found === undefined) {
      same(location?.searchParams.get("error"), "OAuthAccountNotLinked", `${when}: why nobody is signed in`)
      same(owned.length, 0, `${when}: how many accounts an unfinished user has`)
    } else same(found, play.stage.person.email, `${when}: who is signed in afterwards`)
  }
}

/** An error in the middle, without the end of the process: what was begun is undone. */
async function runError(rehearsal: Rehearsal): Promise<void> {
  const play = openPlay(rehearsal)
  const { visitor, person } = play.stage
  const spoilt = new Proxy<Adapter>(rehearsal.kit.adapter, {
    get: (target, name) =>
      name === "linkAccount" ? () => Promise.reject(new Error("out of order")) : Reflect.get(target, name, target),
  })
  play.begin(spoilt)
  await rehearsal.flow.go(play.stage)
  same(await visitor.whoami(), undefined, "who is signed in when the account cannot be linked")
  play.begin()
  await rehearsal.flow.go(play.stage)
  same(await visitor.whoami(), person.email, "who is signed in afterwards")
  await expectOnePerson(rehearsal, play, "after an error")
}

const sessionRows: readonly (keyof Adapter)[] = ["createSession", "getSessionAndUser"]
/** What decides whether an interrupted sign-in can be completed. */
const withNeither: readonly (keyof Adapter)[] = ["transaction", "createUserWithAccount"]
const kinds: Readonly<Record<Strategy, string>> = { database: "session rows", jwt: "session tokens" }

function unique(names: readonly (keyof Adapter)[]): readonly (keyof Adapter)[] {
  return [...new Set(names)]
}

/** Two cases for a flow and a strategy: a store with transactions, and one without. */
function casesOf(open: OpenService, flow: CrashFlow, strategy: Strategy): ContractCase[] {
  const forSessions = strategy === "database" ? [...sessionRows, ...(flow.needsForRows ?? [])] : []
  const run = (hidden: readonly (keyof Adapter)[]) => (kit: Kit) => runEvery({ open, kit, flow, strategy, hidden })
  const sentence = `${flow.name} with ${kinds[strategy]}, cut off anywhere,`
  return [
    {
      name: `${sentence} heals by the transaction`,
      group: "crash",
      needs: unique([...flow.needs, ...forSessions, "transaction"]),
      run: run([]),
    },
    {
      name: `${sentence} heals without a transaction`,
      group: "crash",
      needs: unique([...(flow.needsInOneStep ?? flow.needs), ...forSessions]),
      unless: ["transaction"],
      run: run(flow.needsInOneStep ? ["transaction"] : withNeither),
    },
  ]
}

function promises(open: OpenService): ContractCase[] {
  const [flow] = crashFlows
  if (!flow) return []
  const shared = { open, flow, strategy: "database", hidden: withNeither } as const
  const needs = unique([...flow.needs, ...sessionRows])
  return [
    {
      name: "a first sign-in at a provider that an error ends is undone",
      group: "crash",
      needs: [...needs, "deleteUser"],
      unless: withNeither,
      run: (kit) => runError({ ...shared, kit }),
    },
    {
      name: "a first sign-in at a provider that is cut off is refused at worst, and makes no second user",
      group: "crash",
      needs,
      unless: withNeither,
      run: (kit) => runPromise({ ...shared, kit }),
    },
  ]
}

/** The cases about crashes, for a service made by `open`. */
export function crashCases(open: OpenService): readonly ContractCase[] {
  const healing = crashFlows.flatMap((flow) => flow.strategies.flatMap((strategy) => casesOf(open, flow, strategy)))
  return [...healing, ...promises(open)]
}

/** What people may expect of an adapter when the process ends in the middle of a sign-in. */
export function crashPromise(adapter: Adapter): string {
  const offers = (operation: keyof Adapter): boolean => typeof adapter[operation] === "function"
  const healing = (["transaction", "createUserWithAccount"] as const).find(offers)
  if (healing) return `A sign-in that is cut off at any point is completed by the next one, through \`${healing}\`.`
  const undone = offers("deleteUser")
    ? "An error during a first sign-in is undone with `deleteUser`; a crash is not."
    : "Neither an error nor a crash during a first sign-in is undone."
  return (
    "The adapter offers neither `transaction` nor `createUserWithAccount`. " +
    `${undone} Whoever is cut off between \`createUser\` and \`linkAccount\` is refused with OAuthAccountNotLinked ` +
    "until the unfinished user is removed. No second user is made, and nobody else gets in."
  )
}
