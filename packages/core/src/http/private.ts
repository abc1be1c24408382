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

/** Marks the `writeHead` of a response that is watched already. */
const marked: unique symbol = Symbol("latchkey private")

/** Keeps a response out of shared caches, whatever it says of itself before and after. */
export function keepPrivate(res: NodeResponse): void {
  setPrivate(res)
  if (!isWriter(res) || marked in res.writeHead) return
  const { writeHead } = res
  // Called by Node as well, when a route just writes: the last moment at which a header can be set.
  const writeHeadPrivate = (...given: unknown[]): unknown => {
    for (const fields of given.filter(isFields))
      for (const [name, value] of Object.entries(fields)) if (value !== undefined) res.setHeader(name, value)
    setPrivate(res)
    return Reflect.apply(
      writeHead,
      res,
      given.filter((one) => !isFields(one)),
    )
  }
  Object.assign(res, { writeHead: Object.assign(writeHeadPrivate, { [marked]: true }) })
}

type Writer = NodeResponse & { readonly writeHead: (...given: never[]) => unknown }

function isWriter(res: NodeResponse): res is Writer {
  return typeof (res as Partial<Writer>).writeHead === "function"
}

function isFields(given: unknown): given is Readonly<Record<string, number | string | readonly string[] | undefined>> {
  return typeof given === "object" && given !== null && !Array.isArray(given)
}

function setPrivate(res: NodeResponse): void {
  if (res.headersSent) return
  const isPersonal = /\b(?:no-store|private)\b/i.test(String(res.getHeader("Cache-Control") ?? ""))
  if (!isPersonal) res.setHeader("Cache-Control", "private, no-store")
}
