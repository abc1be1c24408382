/** An adapter that notes every call, those inside transactions included. */
import type { Adapter } from "@latchkey/core/adapters"

/** One call: the operation and what it was given. */
export interface AdapterCall {
  readonly operation: string
  readonly args: readonly unknown[]
}

type Method = (...args: unknown[]) => unknown

/** Wraps an adapter; `calls` grows with each operation. */
export function recordCalls(inner: Adapter): { adapter: Adapter; calls: AdapterCall[] } {
  const calls: AdapterCall[] = []
  const wrap = (adapter: Adapter): Adapter =>
    Object.fromEntries(
      Object.entries(adapter).map(([name, member]) => [
        name,
        typeof member === "function" ? noting(adapter, name, member as Method) : member,
      ]),
    )
  const noting =
    (adapter: Adapter, operation: string, method: Method): Method =>
    (...args) => {
      if (operation === "transaction") return runWrapped(adapter, args[0] as (inner: Adapter) => Promise<unknown>)
      calls.push({ operation, args: structuredClone(args) })
      return method.apply(adapter, args)
    }
  const runWrapped = (adapter: Adapter, work: (inner: Adapter) => Promise<unknown>): unknown =>
    adapter.transaction?.((inside) => work(wrap(inside)))
  return { adapter: wrap(inner), calls }
}

/** What the newest call of an operation was given first. */
export function givenTo(calls: readonly AdapterCall[], operation: string): Record<string, unknown> {
  const call = calls.findLast((one) => one.operation === operation)
  if (!call) throw new Error(`${operation} was never called`)
  return call.args[0] as Record<string, unknown>
}
