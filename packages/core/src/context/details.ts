/** The second argument of callbacks and events: the request behind them, read from the context when it is asked for. */
import type { RequestDetails } from "../types/hooks.js"
import type { Context } from "./context.js"
import { addressOf } from "./tries.js"

class ContextDetails implements RequestDetails {
  // Private, so that whoever prints the details prints no cookie and no settings.
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  get request(): RequestDetails["request"] {
    const { url, headers } = this.#context.incoming
    return { url, headers, address: addressOf(this.#context) }
  }

  get incident(): string {
    return this.#context.incident()
  }

  get provider(): string | undefined {
    return this.#context.provider?.id
  }
}

/** The details for a function of the application; `undefined` where it has none of that name, so that nothing is made. */
export function detailsFor(context: Context, group: "callbacks" | "events", name: string): RequestDetails | undefined {
  const own = context.settings.config[group] as Readonly<Record<string, unknown>> | null | undefined
  return typeof own?.[name] === "function" ? new ContextDetails(context) : undefined
}
