/** Requests that overtake each other: each runs in a lane, and is held at the calls of the store that are named. */
import { AsyncLocalStorage } from "node:async_hooks"
import { randomUUID } from "node:crypto"
import type { Adapter } from "../../src/types/adapter.js"
import { passing } from "./held-calls.js"

/** A request under way. `holdAt`: how many calls of the store are let through before it waits. */
class Lane {
  private calls = 0
  private readonly holdAt: number
  private open = (): void => {}
  private reached = (): void => {}
  private readonly gate = new Promise<void>((resolve) => (this.open = resolve))
  /** Resolves when the request waits. */
  readonly isWaiting = new Promise<void>((resolve) => (this.reached = resolve))

  constructor(holdAt: number) {
    this.holdAt = holdAt
  }

  async pass(): Promise<void> {
    if (this.calls++ !== this.holdAt) return
    this.reached()
    await this.gate
  }

  release(): void {
    this.open()
  }
}

/** Milliseconds after which a request counts as one that waits for the other. */
const stuck = 150

/** An adapter whose calls stop where the lane of their request says so. */
export function inLanes(adapter: Adapter) {
  const lanes = new AsyncLocalStorage<Lane>()
  const wrap = <Store extends object>(store: Store): Store => passing(store, () => lanes.getStore()?.pass())
  /**
   * Runs one request up to a call of the store, then the other up to one of its own, then the first to its end, then the
   * other. Where the second waits for the first, the first goes on.
   */
  async function interleave(
    first: readonly [() => Promise<unknown>, number],
    second: readonly [() => Promise<unknown>, number],
  ): Promise<void> {
    const [a, b] = [new Lane(first[1]), new Lane(second[1])]
    const one = lanes.run(a, first[0])
    await Promise.race([one, a.isWaiting])
    const other = lanes.run(b, second[0])
    const late = new Promise<void>((resolve) => setTimeout(resolve, stuck).unref())
    await Promise.race([other, b.isWaiting, late])
    a.release()
    await Promise.race([one, new Promise<void>((resolve) => setTimeout(resolve, stuck).unref())])
    b.release()
    await Promise.all([one, other])
  }
  return { adapter: wrap(adapter), wrap, interleave }
}

/** What both models of any order configure alike: whose session it is shows, and the application may make the tokens of rows. */
export function configOfModel({ strategy, ownTokens }: { strategy: "jwt" | "database"; ownTokens: boolean }) {
  interface Given {
    readonly session: { readonly user: object }
    readonly token?: { readonly sub: string }
    readonly user?: { readonly id: string }
  }
  const session = ({ session, token, user }: Given) => ({
    ...session,
    user: { ...session.user, id: token?.sub ?? user?.id },
  })
  return {
    session: {
      strategy,
      ...(ownTokens && strategy === "database" && { generateSessionToken: () => randomUUID() }),
    },
    callbacks: { session: session as never },
    experimental: { enableWebAuthn: true },
  }
}
