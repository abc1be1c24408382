/** The headers of the response of a context, in whatever state it is. */
import type { Context } from "hono"

/** Has somebody taken the body: the server that sends it, or middleware that makes another response of it? */
export function isTaken(c: Context): boolean {
  if (!c.finalized) return false
  try {
    return c.res.bodyUsed || c.res.body?.locked === true
  } catch {
    // On Node.js a body that the server reads cannot even be looked at.
    return true
  }
}

/** Those of the response, or those that are set for it. */
export function headersOf(c: Context): Headers {
  // Reading `c.res` before there is a response would make one, whose headers outlast what a handler says later.
  return (c.finalized ? c.res : c.body(null)).headers
}

/** Can headers be read? Not of a response that the server of Node.js sends. */
export function isReadable(c: Context): boolean {
  try {
    return !c.finalized || c.res.headers !== undefined
  } catch {
    return false
  }
}

/** Sets a header, or takes it away. */
export function setHeader(c: Context, name: string, value: string | undefined): void {
  change(c, {
    usual: () => c.header(name, value),
    taken: (headers) => (value === undefined ? headers.delete(name) : headers.set(name, value)),
  })
}

/** Adds a field beside those of the same name. */
export function addHeader(c: Context, name: string, value: string): void {
  change(c, {
    usual: () => c.header(name, value, { append: true }),
    taken: (headers) => headers.append(name, value),
  })
}

interface Ways {
  usual(): void
  taken(headers: Headers): void
}

/** Changes the headers in the way that the state of the response asks for. */
function change(c: Context, ways: Ways): void {
  // This also makes a response where the application has taken it away: Hono's `header` fails without one.
  if (!isTaken(c)) {
    ways.usual()
    return
  }
  try {
    ways.taken(replaceTaken(c))
  } catch {
    // The server sends it already.
  }
}

/**
 * Where the body was taken, headers are for the response that middleware makes of it: Hono gives it those of the one before. That may
 * be an object with which a handler answers everybody, so another one stands in for it. Its body is taken as well, or an answer that
 * has lost its body would look whole, and one that streams as if it had not begun.
 */
function replaceTaken(c: Context): Headers {
  c.res = new Response(new ReadableStream(), c.res)
  c.res.body?.getReader()
  return c.res.headers
}
