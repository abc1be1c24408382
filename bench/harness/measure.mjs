/**
 * Measures targets side by side: every target has a slice of each round, forwards in one round and backwards in the
 * next, and the medians of the ratios within each round are compared. Other load of the machine slows all
 * targets of a round alike.
 */
import { availableParallelism, loadavg } from "node:os"

/** @returns {number} the middle value */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** The middle half of the values, as a share of their median. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)]
  return (at(0.75) - at(0.25)) / at(0.5)
}

const processorTime = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Runs `work` for about so many milliseconds. Answers microseconds per operation: as they pass, and of the processor. */
async function slice(work, milliseconds, from) {
  let count = from
  const [begun, worked] = [performance.now(), processorTime()]
  do {
    // Reading the clock takes as long as a small operation.
    for (let left = 10; left > 0; left -= 1) {
      await work(count)
      count += 1
    }
  } while (performance.now() - begun < milliseconds)
  const done = count - from
  return { wall: ((performance.now() - begun) * 1000) / done, cpu: (processorTime() - worked) / done, count }
}

/** Slices in a row without a new shortest time, after which a target is taken to be warm. */
const steadyAfter = 8
/** Slices that warming up takes at most. */
const warmAfter = 30

/**
 * Runs `work` until its time no longer falls: engines compile what is used often, and a sign-in, which touches a hundred
 * times as much code as reading a cookie, is compiled after seconds. In the same time the smallest target would be measured
 * compiled, and the largest one interpreted.
 */
async function warmUp(run) {
  let [shortest, since] = [Number.POSITIVE_INFINITY, 0]
  for (let slices = 0; slices < warmAfter && since < steadyAfter; slices += 1) {
    const { cpu } = await run()
    since = cpu < shortest ? 0 : since + 1
    shortest = Math.min(cpu, shortest)
  }
}

/**
 * @param {Record<string, (turn: number) => unknown>} targets the first one is what the others are compared with
 * @param {{ rounds: number, milliseconds: number }} options
 * @returns {Promise<Record<string, { wall: number, cpu: number, ratio: number, spread: number }>>} microseconds per
 * operation, and how many times as long as the first one it takes
 */
export async function compare(targets, { rounds, milliseconds }) {
  const names = Object.keys(targets)
  const taken = Object.fromEntries(names.map((name) => [name, []]))
  const next = Object.fromEntries(names.map((name) => [name, 0]))
  const run = async (name) => {
    const { count, ...times } = await slice(targets[name], milliseconds, next[name])
    next[name] = count
    return times
  }
  for (const name of names) await warmUp(() => run(name))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 ? names.toReversed() : names) taken[name].push(await run(name))
  }
  return summary(taken)
}

/** Medians of the measurements of each round, by name; ratios are relative to the first name. */
export function summary(taken) {
  const [reference] = Object.values(taken)
  return Object.fromEntries(
    Object.entries(taken).map(([name, rounds]) => [
      name,
      {
        wall: median(rounds.map(({ wall }) => wall)),
        cpu: median(rounds.map(({ cpu }) => cpu)),
        ratio: median(rounds.map(({ wall }, round) => wall / reference[round].wall)),
        spread: spread(rounds.map(({ wall }, round) => wall / reference[round].wall)),
      },
    ]),
  )
}

/** A loop that waits for nothing takes as long on the clock as of the processor, unless others have the processor. */
async function stolenShare() {
  const shares = []
  for (let turn = 0; turn < 5; turn += 1) {
    const [begun, worked] = [performance.now(), processorTime()]
    while (performance.now() - begun < 40);
    shares.push(1 - (processorTime() - worked) / ((performance.now() - begun) * 1000))
  }
  return median(shares)
}

/** Says what else the machine does before anything is measured; an empty list where it does nothing. */
export async function disturbancesBefore() {
  const [load] = loadavg()
  const processors = availableParallelism()
  const busy = load > processors / 2 ? [`the load was ${load.toFixed(1)} on ${processors} processors at the start`] : []
  return [...busy, ...(await disturbances("the start"))]
}

/** The share of the processors that other processes use; the load average would include our own work. */
export async function disturbances(moment) {
  const stolen = await stolenShare()
  return stolen > 0.05 ? [`${(stolen * 100).toFixed(0)} % of the processor time went elsewhere at ${moment}`] : []
}

/** The names whose ratios differ from round to round. */
export function unsteady(figures) {
  return Object.entries(figures)
    .filter(([, { spread: share }]) => share > 0.2)
    .map(([name, { spread: share }]) => `${name}: ratios differ by ${(share * 100).toFixed(0)} % between rounds`)
}
