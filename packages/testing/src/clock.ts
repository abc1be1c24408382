/** A clock that tests move: `Date` of this process, which the service, adapters and providers all read. */

/** The clock of this process. */
export interface Clock {
  /** What it says now. */
  now(): Date
  /** Moves it forward; time goes on from there. */
  advance(by: {
    readonly days?: number
    readonly hours?: number
    readonly minutes?: number
    readonly seconds?: number
  }): void
  /** Sets it; time goes on from there. */
  set(to: Date | string): void
  /** Gives the process its own clock back. */
  restore(): void
  /** The same as `restore`, for `using`. */
  [Symbol.dispose](): void
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * Makes a clock and puts it in place of `Date`. Timers and processes apart are not touched. Only one clock may move
 * `Date` at a time: with the fake timers of a test runner use theirs alone.
 *
 * @param at what it says at first; default: the time.
 */
export function createClock(at?: Date | string): Clock {
  const RealDate = globalThis.Date
  let offset = 0
  const time = (): number => RealDate.now() + offset
  const set = (to: Date | string): void => {
    const wanted = new RealDate(to).getTime()
    if (Number.isNaN(wanted)) throw new TypeError(`The clock expects a date, and received ${String(to)}.`)
    offset = wanted - RealDate.now()
  }
  if (at !== undefined) set(at)
  const moved = movedDate(RealDate, time)
  globalThis.Date = moved
  const restore = (): void => {
    if (globalThis.Date === moved) globalThis.Date = RealDate
  }
  return {
    now: () => new RealDate(time()),
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      offset += days * day + hours * hour + minutes * minute + seconds * second
    },
    set,
    restore,
    [Symbol.dispose]: restore,
  }
}

/** The same constructor but for what it makes without arguments: dates made before and after are of one class. */
function movedDate(RealDate: DateConstructor, time: () => number): DateConstructor {
  const moved: DateConstructor = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [time()] : args, newTarget === moved ? target : newTarget) as Date,
    apply: () => new RealDate(time()).toString(),
    get: (target, name) => (name === "now" ? time : Reflect.get(target, name)),
  })
  return moved
}
