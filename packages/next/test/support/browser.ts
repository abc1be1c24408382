/** The cookies of a browser once it has the answer that Next puts together. */
import { sent } from "./application.js"
import { current } from "./next/request.js"

interface Answer {
  /** What the handler has returned. */
  readonly response?: Response
  /** The proxy has answered. */
  readonly isProxy?: boolean
}

/**
 * The headers of its next request. Next keeps the last cookie of a name that was set by `cookies()`. Cookies of the
 * response of a route handler count for more than those, and cookies of the response of the proxy are lost beside them.
 */
export function sentAfter({ response, isProxy = false }: Answer = {}): Headers {
  const kept = new Map<string, string>()
  for (const pair of (current.headers?.get("cookie") ?? "").split("; ").filter(Boolean)) keep(pair)
  for (const { name, value } of current.cookies) keep(`${name}=${value}`)
  if (!isProxy || current.cookies.length === 0)
    for (const line of response?.headers.getSetCookie() ?? []) keep(line.split(";", 1)[0] ?? "")
  return sent({ cookie: [...kept.values()].join("; ") })

  function keep(pair: string): void {
    const name = pair.split("=", 1)[0] ?? ""
    if (pair === `${name}=`) kept.delete(name)
    else kept.set(name, pair)
  }
}
