/** The CSRF token, and whole sign-ins: by a form, by a mailed link, by a passkey. */
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
    await signIns(
      {
        ...{ id: "mail", title: "Sign-in by a mailed link, asked for and followed", member: "mail" },
        wrong: { what: "a link with another token", given: "0".repeat(64) },
      },
      options,
    ),
    await signIns(
      {
        ...{ id: "passkey", title: "Sign-in by a passkey, its own signature included", member: "passkey" },
        wrong: { what: "an answer to another challenge", given: Buffer.alloc(32).toString("base64url") },
      },
      options,
    ),
  ]
}
