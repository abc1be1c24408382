/**
 * The outcome of each request, for tracing: the channel `latchkey.action` of Node's
 * `diagnostics_channel`. Without a subscriber it costs the read of one property.
 */
import { asAuthError } from "../actions/thrown.js"
import type { Context } from "../context/context.js"
import type { AuthAction } from "../http/endpoints.js"
import type { Incoming } from "../http/incoming.js"
import type { Result } from "../http/result.js"
import { builtin } from "../std/runtime.js"
import type { FeatureAction } from "../types/feature.js"
import type { ProviderType } from "../types/identity.js"

/**
 * What subscribers get: the same object at `start`, `end`, `asyncStart`, `asyncEnd` and, for whatever was refused, at
 * `error`. It holds names alone, never a secret, an address or anything of a person.
 */
export interface ActionTrace {
  /** Which action was asked for; absent where the path names none. */
  readonly action: AuthAction | FeatureAction | undefined
  /** HEAD counts as GET. */
  readonly method: "GET" | "POST"
  /** `script` asked for JSON in place of redirects; `server` is a call in this process. */
  readonly caller: "browser" | "script" | "server"
  /** Id of the provider, where it is a configured one. */
  readonly provider?: string | undefined
  /** Type of the provider, where it is a configured one. */
  readonly providerType?: ProviderType | undefined
  /** From `asyncStart` and `error` on: what the answer is. */
  readonly reply?: "json" | "page" | "redirect" | "empty"
  /** Its HTTP status; a call in this process gets a value or an error instead. */
  readonly status?: number
  /** What it was refused with: the `type` of an `AuthError`, such as `CredentialsSignin`. */
  readonly errorType?: string
  /** `true` where the application or a service it needs is at fault, `false` where a visitor can cause it. */
  readonly isFault?: boolean
  /** The incident that the log and the page name. */
  readonly incident?: string
}

/** What is known in the end. */
interface Ended {
  readonly context: Context
  readonly result: Result
  readonly error: unknown
}

/** As much of Node's `TracingChannel` as is used. */
interface TracingChannel {
  /** Absent in versions of Node before 20.13, where nobody is taken to be subscribed. */
  readonly hasSubscribers?: boolean
  readonly error: { publish(message: object): void }
  tracePromise(work: () => Promise<void>, message: object): Promise<void>
}

interface DiagnosticsChannel {
  readonly tracingChannel?: (name: string) => TracingChannel
}

const channel = builtin<DiagnosticsChannel>("node:diagnostics_channel")?.tracingChannel?.("latchkey.action")

/** Does the work; where somebody has subscribed, with a trace. The work never throws. */
export function traced<E extends Ended>(incoming: Incoming, work: () => Promise<E>): Promise<E> {
  return channel?.hasSubscribers ? trace(channel, { incoming, work }) : work()
}

async function trace<E extends Ended>(
  tracing: TracingChannel,
  { incoming, work }: { readonly incoming: Incoming; readonly work: () => Promise<E> },
): Promise<E> {
  const { caller, method, route } = incoming
  const message = { action: route?.action, method, caller }
  let ended: E | undefined
  // Its promise resolves to nothing: what a traced promise resolves to is put into the message, and this leads to secrets.
  await tracing.tracePromise(async () => {
    ended = await work()
    Object.assign(message, endOf(ended))
    if (ended.error !== undefined) tracing.error.publish(message)
  }, message)
  return ended as E
}

function endOf({ context, result, error }: Ended): Partial<ActionTrace> {
  const { provider } = context
  const { reply } = result
  return {
    provider: provider?.id,
    providerType: provider?.type,
    reply: reply.kind,
    status: reply.kind === "redirect" ? 302 : reply.status,
    ...(error !== undefined && errorOf({ context, result, error })),
  }
}

/** What is a fault and no refusal has the incident that its log entry names. */
function errorOf({ context, result, error }: Ended): Partial<ActionTrace> {
  const incident = result.headers?.["X-Auth-Incident"]
  const errorType = asAuthError(context, error).type
  return { errorType, isFault: incident !== undefined, ...(incident !== undefined && { incident }) }
}
