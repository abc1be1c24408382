/** Connections of Node.js, as far as their ends are known. */

/** As much of a `net.Socket` as is looked at. */
export interface Connection {
  /** The address of its other end; `undefined` where nobody knows it. */
  readonly remoteAddress?: unknown
  /** The address of this end; `undefined` for a Unix socket, and once it is destroyed. */
  readonly localAddress?: unknown
  /** Whether it has been destroyed. */
  readonly destroyed?: unknown
}

/**
 * Has the other end of a connection reset it? Then Node.js no longer knows its address, and reads what was sent before all the
 * same: hand such a request over with `address: null`. `false` for a Unix socket, which has no address at either end, and where a
 * platform hands over no connection.
 */
export function isReset(connection: Connection | null | undefined): boolean {
  if (!connection || connection.remoteAddress !== undefined) return false
  return connection.localAddress !== undefined || connection.destroyed === true
}
