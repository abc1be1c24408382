/** Where entries of the trail go: the listener of the application, and subscribers of `latchkey.trail` (Node's `diagnostics_channel`). */
import { builtin } from "../std/runtime.js"
import type { TrailEntry } from "../types/trail.js"

/** Takes entries. */
export interface TrailSink {
  /** Does anybody listen at this moment? Entries are made only then. */
  readonly isHeard: boolean
  /** Hands an entry to everybody who listens. Rejects with what the listener of the application throws. */
  record(entry: TrailEntry): Promise<void>
}

/** As much of Node's `Channel` as is used. */
interface Channel {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
}

interface DiagnosticsChannel {
  readonly channel?: (name: string) => Channel
}

const channel = builtin<DiagnosticsChannel>("node:diagnostics_channel")?.channel?.("latchkey.trail")

/** Makes a sink over the listener of the application; anything but a function is none. */
export function createTrailSink(listener: unknown): TrailSink {
  const own = typeof listener === "function" ? (listener as (entry: TrailEntry) => unknown) : undefined
  return {
    get isHeard() {
      return own !== undefined || channel?.hasSubscribers === true
    },
    async record(entry) {
      if (channel?.hasSubscribers) channel.publish(entry)
      await own?.(entry)
    },
  }
}
