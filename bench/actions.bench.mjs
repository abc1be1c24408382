/** The CSRF token, and a whole sign-in by a form. */
import { csrfTokens, signIns } from "./harness/in-process.mjs"

/** @returns {Promise<object[]>} tables */
export async function run(options) {
  const wrong = { what: "without a name", given: "" }
  return [
    await csrfTokens({ id: "csrf", title: "GET csrf, first visit" }, options),
    await signIns(
      { id: "credentials", title: "Sign-in by credentials", member: "signIn", right: "Ada", wrong },
      options,
    ),
  ]
}
