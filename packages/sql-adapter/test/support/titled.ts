/** Titles of tests as plain sentences: `$name` would put values in quotes and shorten them. */
import type { ContractCase } from "@latchkey/adapter-contract"

/** Cases of the contract, each behind its title, for `it.each(...)("%s", ...)`. */
export function titled(cases: readonly ContractCase[]): (readonly [title: string, contractCase: ContractCase])[] {
  return cases.map((it) => [`${it.group}: ${it.name}`, it] as const)
}
