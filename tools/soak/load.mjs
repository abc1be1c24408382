/** The load: people who sign in, look and sign out until the time is up. Prints what it saw as JSON; a program of its own. */
import { createServer } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { createProvider } from "@latchkey/testing"
import { Browser, Person } from "./person.mjs"

const { SOAK_ORIGIN: origin, SOAK_SECONDS, SOAK_PEOPLE = "16", SOAK_PASSWORD: password } = process.env
const people = Array.from({ length: Number(SOAK_PEOPLE) }, (_, index) => `person-${index}`)
const provider = await createProvider({
  client: { id: "latchkey-test", secret: password },
  people: people.map((name) => ({ sub: name, name, email: `${name}@people.test`, email_verified: true })),
})

const waiting = new Map()
const mailbox = createServer(async (request, response) => {
  let text = ""
  for await (const chunk of request) text += chunk
  const { identifier, url } = JSON.parse(text)
  waiting.get(identifier)?.(url)
  response.end()
})
await new Promise((resolve) => mailbox.listen(0, "127.0.0.1", resolve))

const times = new Map()
const statuses = []
const counts = {}
const wrong = new Set()
const began = Date.now()
const world = {
  origin,
  password,
  ended: [],
  count: (name) => {
    counts[name] = (counts[name] ?? 0) + 1
  },
  wrong: (sentence) => void wrong.add(sentence),
  timed: (kind, milliseconds, status) => {
    times.set(kind, [...(times.get(kind) ?? []), milliseconds])
    if (status === 0 || status >= 500) statuses.push({ at: (Date.now() - began) / 1000, kind, status })
  },
  mailFor: (address) =>
    Promise.race([new Promise((resolve) => waiting.set(address, resolve)), pause(10_000, undefined, { ref: false })]),
  authorize: (url) => provider.authorize(url).catch(() => undefined),
}

process.stdout.write(
  `${JSON.stringify({ issuer: provider.issuer, mailbox: `http://127.0.0.1:${mailbox.address().port}/` })}\n`,
)
await new Promise((resolve) => process.stdin.once("data", resolve))

const isOver = () => Date.now() - began > Number(SOAK_SECONDS) * 1000
const pick = (list) => list[Math.floor(Math.random() * list.length)]

/** An address belongs to one way in: those who come from the provider have no password here. */
const waysOf = (index) => (index % 3 === 0 ? ["provider"] : ["password", "mail"])

async function live(name, index) {
  const person = new Person(name, world)
  const ways = waysOf(index)
  while (!isOver()) {
    if (!person.isIn || Math.random() < 0.05) await person.signIn(pick(ways))
    for (let looks = 0; looks < 6 && !isOver(); looks++) {
      await person.look()
      await pause(20 + Math.random() * 40)
    }
    if (Math.random() < 0.3) await person.signOut()
    if (Math.random() < 0.1) await person.guess()
    if (Math.random() < 0.3) await replay()
  }
  await person.look()
}

/** A cookie of a session that is over opens nothing. */
async function replay() {
  const token = pick(world.ended)
  if (token === undefined) return
  const thief = new Browser(origin, world.timed)
  thief.cookies.set("authjs.session-token", token)
  const answer = await thief.send("replay", "/me")
  if (answer?.status === 200 && JSON.parse(answer.text).email !== null)
    world.wrong("a session that was over opened again")
  world.count("replayed")
}

await Promise.all(people.map(live))
const percentile = (list, part) =>
  Math.round(list.toSorted((one, other) => one - other)[Math.floor(list.length * part)] ?? 0)
const latencies = Object.fromEntries(
  [...times].map(([kind, list]) => [
    kind,
    { requests: list.length, p50: percentile(list, 0.5), p99: percentile(list, 0.99) },
  ]),
)
process.stdout.write(`${JSON.stringify({ wrong: [...wrong], counts, statuses, latencies })}\n`)
await provider.close()
mailbox.close()
process.exit(0)
