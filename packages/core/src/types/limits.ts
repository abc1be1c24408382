/** How often something may be tried, and what an application may change of that. */

/**
 * What is limited: `mail`, messages that are sent; `guess`, passwords that are tried; `code`, short codes that were mailed and
 * are tried; `ceremony`, sign-ins that are begun at a provider, and passkeys, and apart from those responses of providers that
 * end in no sign-in there.
 */
export type BudgetName = "mail" | "guess" | "code" | "ceremony"

/** So many requests in so many seconds, counted from the first. */
export interface LimitWindow {
  /** Requests. */
  readonly free: number
  /** Seconds. */
  readonly window: number
}

/** How often one person, by what was typed, may be tried. Every number has a default. */
export interface PersonLimit extends LimitWindow {
  /** Seconds to wait after `free` tries; the wait doubles with each further one. */
  readonly wait: number
  /** Seconds: no wait is longer. */
  readonly longest: number
  /** Tries; further ones are refused until the window ends. */
  readonly most: number
}

/** A budget: by person and by network. Without one of them nothing is counted by it. */
export interface LimitBudget {
  /** Counted by who is named: an address, a user name. */
  readonly person?: PersonLimit
  /** Counted by the network the request comes from. */
  readonly network?: LimitWindow
}

/** What an application may change of the limits. */
export interface LimitsOptions {
  /** Changes numbers of single budgets. What is left out keeps its default. */
  readonly budgets?: {
    readonly [Name in BudgetName]?: {
      readonly person?: Partial<PersonLimit>
      readonly network?: Partial<LimitWindow>
    }
  }
  /**
   * The address a request comes from; `null` or `undefined` where it is not known: such a request is counted by no network. Header fields that a proxy does not overwrite are
   * anybody's to write.
   * @default what the integration knows (`req.ip` of Express, `getClientAddress()` of SvelteKit), else unknown
   */
  readonly address?: (request: { readonly headers: { get(name: string): string | null } }) => string | null | undefined
}
