/** Form actions that answer a refusal with `fail`, so that the page can show it beside the form. */
import { errorRow, isAuthError, isCredentialsSignin } from "@latchkey/core/errors"
import { type ActionFailure, fail, type RequestEvent } from "@sveltejs/kit"
import { refusalBehind } from "./refusals.js"
import type { SignInAction, SignOutAction, SignResult } from "./sign.js"

/** What a page finds in `form` after a refusal. */
export interface Refusal {
  /** `CredentialsSignin`: its code. */
  readonly code?: string
  /** Any other refusal: its public name, such as `AccessDenied`. */
  readonly error?: string
}

/** A form action that stays on its page for what the person did. */
export type FormAction = (event: RequestEvent) => Promise<SignResult | ActionFailure<Refusal>>

/**
 * Wraps `signIn` or `signOut` for use as a form action: wrong credentials become `fail(401, { code })`, other refusals
 * `fail(status, { error })`. Faults are thrown as before, and redirects pass.
 */
export function formAction(action: SignInAction | SignOutAction): FormAction {
  return async (event) => {
    try {
      const result = await action(event)
      return failureOf(refusalBehind(result)) ?? result
    } catch (thrown) {
      const failed = failureOf(refusalBehind(thrown) ?? thrown)
      if (failed) return failed
      throw thrown
    }
  }
}

function failureOf(error: unknown): ActionFailure<Refusal> | undefined {
  if (isCredentialsSignin(error)) return fail(401, { code: error.code })
  const row = isAuthError(error) ? errorRow(error) : undefined
  if (!row || row.fault || row.page === "none") return undefined
  return fail(row.status, { error: row.value })
}
