/** The browser posts the result of a ceremony: it is verified, and signs a user in or registers a passkey. */
import { openChallenge, spendChallenge } from "../../checks/challenge.js"
import type { Context } from "../../context/context.js"
import { isAuthError, WebAuthnVerificationError } from "../../errors.js"
import { asError } from "../../ports/thrown.js"
import type { Proof } from "../method.js"
import { finishAuthentication } from "./authenticate.js"
import { forPasskeys } from "./party.js"
import { finishRegistration } from "./register.js"
import { type Ceremony, readResponse } from "./response.js"

/**
 * Judges a ceremony.
 * @throws WebAuthnVerificationError for whatever does not fit; InvalidConfiguration without the library.
 */
export async function finish(request: Context): Promise<Proof> {
  const context = forPasskeys(request)
  const { action, data } = context.incoming.form
  const ceremony = ceremonyOf(action)
  const response = await judged("The answer of the authenticator cannot be read.", () => readResponse(ceremony, data))
  const sealed = await judged("There is no challenge for this answer.", () => openChallenge(context))
  return judged("The answer of the authenticator does not verify.", async () => {
    const answer = { response, ...sealed }
    const proof = await (ceremony === "register"
      ? finishRegistration(context, answer)
      : finishAuthentication(context, answer))
    // Last: what does not verify must not be able to fill the store.
    await spendChallenge(context, sealed.challenge)
    return proof
  })
}

function ceremonyOf(action: unknown): Ceremony {
  if (action === "register" || action === "authenticate") return action
  throw new WebAuthnVerificationError("`action` has to be `register` or `authenticate`.")
}

/** One error for every reason: it says no more to the outside than that it failed. */
async function judged<T>(message: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAuthError(error) && error.type !== "InvalidCheck") throw error
    throw new WebAuthnVerificationError(message, { cause: { err: asError(error) } })
  }
}
