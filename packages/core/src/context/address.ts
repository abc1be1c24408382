/** The address behind a request. */
import { warnOnce } from "../config/settings.js"
import { InvalidConfiguration } from "../errors.js"
import type { Context } from "./context.js"

/**
 * The address the request came from: what the application says, else what its integration knows, which is `null` where the
 * other end has ended the connection.
 * @throws InvalidConfiguration where the function of the application returns something else than a text or nothing.
 */
export function addressOf({ settings, incoming }: Pick<Context, "settings" | "incoming">): string | null | undefined {
  const own = settings.limits?.address
  if (!own) return incoming.address
  const address: unknown = own({ headers: incoming.headers })
  if (typeof address === "string" && address !== "") return address
  if (address !== undefined && address !== null && address !== "") {
    throw new InvalidConfiguration(
      `\`limits.address\` must return a string, or null where it is not known, not ${kindOf(address)}.`,
    )
  }
  warnOnce(settings, "address-unknown")
  return undefined
}

const kindOf = (value: unknown): string => (value instanceof Promise ? "a promise" : typeof value)
