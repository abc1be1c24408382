/** Types of the check, for its test. */
import type { Listed } from "./catalogue.mjs"

/** What was found about one provider. */
export interface Verdict {
  readonly id: string
  readonly state: "agrees" | "differs" | "unread" | "silent" | "skipped"
  readonly lines: readonly string[]
}
/** Asks one provider after the other. */
export function checkEndpoints(options: {
  readonly providers: readonly Pick<Listed, "id" | "provider">[]
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly issuers?: Readonly<Record<string, string>>
  readonly timeout?: number
  readonly report?: (verdict: Verdict) => void
}): Promise<Record<Verdict["state"], number>>
/** What the command line asks for. */
export function readArguments(
  args: readonly string[],
  known: readonly string[],
): { ids: readonly string[]; issuers: Readonly<Record<string, string>>; timeout: number }
