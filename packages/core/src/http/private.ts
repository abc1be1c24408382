/** Keeps the response of a Node server out of shared caches, for integrations that add the cookie of a session to it. */

/** A response of `node:http`, as far as it is needed. One without `writeHead` is changed at once and not watched. */
export interface NodeResponse {
  /** Has its head gone out? Then nothing is changed any more. */
  readonly headersSent: boolean
  /** Reads a header; `undefined` where there is none. */
  getHeader(name: string): number | string | readonly string[] | undefined
  /** Writes a header over the one there is. */
  setHeader(name: string, value: number | string | readonly string[]): unknown
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
      for (const [name, value] of Object.entries(fields)) if (value !== undefined) res.setHeader(name, value)
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

function isFields(given: unknown): given is Readonly<Record<string, number | string | readonly string[] | undefined>> {
  return typeof given === "object" && given !== null && !Array.isArray(given)
}

function setPrivate(res: NodeResponse, isStrict: boolean): void {
  if (res.headersSent) return
  const said = res.getHeader("Cache-Control")
  const stays = isStrict ? /\b(?:no-store|private)\b/i.test(String(said ?? "")) : said !== undefined
  if (!stays) res.setHeader("Cache-Control", "private, no-store")
}
