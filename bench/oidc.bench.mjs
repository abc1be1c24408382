/** A whole sign-in by OpenID Connect, its own cost: the provider answers at once. */
import { signIns } from "./harness/in-process.mjs"

/** @returns {Promise<object[]>} tables */
export async function run(options) {
  const wrong = { what: "an answer with a forged state", given: "forged" }
  return [await signIns({ id: "oidc", title: "Sign-in by OpenID Connect, own cost", member: "flow", wrong }, options)]
}
