/** What a scenario is, and the steps that scenarios are put together from. */
import type { AuthAction } from "../../src/http/endpoints.js"
import type { Visit } from "../support/browser.js"
import { address, type Stage, type Store } from "./stage.js"

/** One situation of one row. */
export interface Scenario {
  readonly method: "GET" | "POST"
  readonly action: AuthAction
  /** The provider that the path names, if any; its type says which row of the table serves. */
  readonly provider?: keyof typeof types
  readonly situation: string
  readonly stores: readonly Store[]
  readonly status: number
  /** The answer leads to where errors are shown. */
  readonly isRefused?: boolean
  readonly prepare?: (stage: Stage) => Promise<unknown>
  readonly go: (stage: Stage) => Promise<unknown>
}

export const all: readonly Store[] = ["jwt", "jwt with a store", "database"]
export const stored: readonly Store[] = ["jwt with a store", "database"]
export const day = 24 * 60 * 60

export const atOp = ({ world, browser }: Stage): Promise<Visit> => world.signInAtOp(browser)
export const atOAuth2 = ({ world, browser }: Stage): Promise<Visit> => world.signInAtOp(browser, { provider: "oauth2" })
export const byMail = ({ world, browser }: Stage): Promise<Visit> => world.signInByMail(browser, address)
export const elsewhere = (go: (stage: Stage) => Promise<unknown>) => (stage: Stage) => go(stage.someoneElse())
export const withCsrf = ({ browser }: Stage): Promise<string> => browser.csrfToken()
export const get =
  (path: string) =>
  ({ browser }: Stage): Promise<Visit> =>
    browser.get(path)
export const post =
  (path: string, fields?: Record<string, string>, options?: { csrf?: boolean }) =>
  ({ browser }: Stage): Promise<Visit> =>
    browser.post(path, fields, options)

/** The types of the providers that scenarios name. */
export const types = {
  op: "oidc",
  "op-form": "oidc",
  oauth2: "oauth",
  "oauth2-form": "oauth",
  mail: "email",
  credentials: "credentials",
  passkey: "webauthn",
} as const

/** How the table names what a scenario asks for. */
export const rowOf = ({ method, action, provider }: Scenario): string =>
  `${method} ${action}${provider ? `, ${types[provider]}` : ""}`
