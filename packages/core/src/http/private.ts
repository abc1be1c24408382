/** Keeps responses out of shared caches, for integrations that add the cookie of a session to them. */

/** A response of `node:http`, as far as it is needed. One without `writeHead` is changed at once and not watched. */
export interface NodeResponse {
  /** Has its head gone out? Then nothing is changed any more. */
  readonly headersSent: boolean
  /** Reads a header; `undefined` where there is none. */
  getHeader(name: string): number | string | readonly string[] | undefined
  /** Writes a header over the one there is. */
  setHeader(name: string, value: number | string | readonly string[]): unknown
  /** The names of the headers there are. */
  getHeaderNames?(): readonly string[]
  /** Takes a header away. */
  removeHeader?(name: string): unknown
}

/** Headers of a response, as far as they are needed: `Headers`, or what a framework has in their place. */
export type PrivateHeaders = Pick<Headers, "get" | "set" | "delete"> & { keys(): Iterable<string> }

/** Fields that tell caches at the edge something else than `Cache-Control`, and count for more there (RFC 9213). */
const targeted =
  /^(?:(?:[a-z\d]+-)*cdn-cache-control|surrogate-control|edge-control|x-accel-expires|x-litespeed-cache-control)$/i
/** `private="name"` keeps out that field alone (RFC 9111 §5.2.2.7). */
const keptOut = /(?:^|,)\s*(?:no-store|private)\s*(?:,|$)/i

/** Keeps the response with these headers out of shared caches, whatever they say. */
export function keepHeadersPrivate(headers: PrivateHeaders): void {
  for (const name of [...headers.keys()]) if (targeted.test(name)) headers.delete(name)
  if (!keptOut.test(headers.get("cache-control") ?? "")) headers.set("Cache-Control", "private, no-store")
}

/** What the `writeHead` of a response that is watched already does. */
const watch: unique symbol = Symbol("latchkey private")

interface Watch {
  /** Also where the response says otherwise. */
  isStrict: boolean
}

/** How a response is kept private. */
export interface KeepPrivateOptions {
  /**
   * `true`: a response that says itself how it may be kept stays as it is. For one that shows a session and carries no
   * cookie.
   * @default false
   */
  readonly unlessSaid?: boolean
}

/** Keeps a response out of shared caches, whatever it says of itself before and after. */
export function keepPrivate(res: NodeResponse, { unlessSaid = false }: KeepPrivateOptions = {}): void {
  const watched = watchOf(res)
  if (watched && !unlessSaid) watched.isStrict = true
  // What a route says later counts there, so that nothing is said before it.
  if (!watched || watched.isStrict) setPrivate(res, watched?.isStrict ?? !unlessSaid)
}

/** Watches the head of a response; `undefined` where it has none that could be watched. */
function watchOf(res: NodeResponse): Watch | undefined {
  if (!isWriter(res)) return undefined
  const { writeHead } = res
  if (watch in writeHead) return writeHead[watch] as Watch
  const watched: Watch = { isStrict: false }
  // Called by Node as well, when a route just writes: the last moment at which a header can be set.
  const writeHeadPrivate = (...given: unknown[]): unknown => {
    for (const fields of given.filter(isFields))
      for (const [name, value] of membersOf(fields)) if (value !== undefined) res.setHeader(name, value)
    setPrivate(res, watched.isStrict)
    return Reflect.apply(
      writeHead,
      res,
      given.filter((one) => !isFields(one)),
    )
  }
  Object.assign(res, { writeHead: Object.assign(writeHeadPrivate, { [watch]: watched }) })
  return watched
}

type Writer = NodeResponse & { readonly writeHead: (...given: never[]) => unknown }

function isWriter(res: NodeResponse): res is Writer {
  return typeof (res as Partial<Writer>).writeHead === "function"
}

type Value = number | string | readonly string[]
type Pairs = readonly (readonly [string, Value])[]
type InTurn = readonly Value[]
type Fields = Readonly<Record<string, Value | undefined>> | InTurn | Pairs

/** As Node takes them: an object, names and values in turn, or pairs of them. What it refuses is left to it. */
function isFields(given: unknown): given is Fields {
  if (!Array.isArray(given)) return typeof given === "object" && given !== null
  return arePairs(given) || areInTurn(given)
}

function areInTurn(given: readonly unknown[]): given is InTurn {
  return given.length % 2 === 0 && given.every((one, at) => typeof one === "string" || (at % 2 === 1 && isValue(one)))
}

function isValue(given: unknown): given is Value {
  return typeof given === "string" || typeof given === "number" || Array.isArray(given)
}

function arePairs(given: readonly unknown[]): given is Pairs {
  return given.every((one) => Array.isArray(one) && one.length === 2 && typeof one[0] === "string")
}

function isList(fields: Fields): fields is InTurn | Pairs {
  return Array.isArray(fields)
}

function membersOf(fields: Fields): Iterable<readonly [string, Value | undefined]> {
  if (!isList(fields)) return Object.entries(fields)
  const pairs = arePairs(fields) ? fields : pairsOf(fields)
  const members = new Map<string, string[]>()
  for (const [given, value] of pairs) {
    const name = given.toLowerCase()
    members.set(name, [...(members.get(name) ?? []), ...[value].flat().map(String)])
  }
  return members
}

function pairsOf(fields: InTurn): Pairs {
  return fields.flatMap((name, at) => (at % 2 === 0 ? [[String(name), fields[at + 1] ?? ""] as const] : []))
}

function setPrivate(res: NodeResponse, isStrict: boolean): void {
  if (res.headersSent) return
  if (isStrict) keepHeadersPrivate(headersOf(res))
  else if (res.getHeader("Cache-Control") === undefined) res.setHeader("Cache-Control", "private, no-store")
}

function headersOf(res: NodeResponse): PrivateHeaders {
  return {
    get: (name) => {
      const value = res.getHeader(name)
      return value === undefined ? null : String(value)
    },
    set: (name, value) => void res.setHeader(name, value),
    delete: (name) => void res.removeHeader?.(name),
    keys: () => res.getHeaderNames?.() ?? [],
  }
}
