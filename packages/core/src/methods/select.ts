/** Which way of proving who one is belongs to which kind of provider. Past this file a provider is known to be of its kind. */
import type { Context } from "../context/context.js"
import { InvalidProvider } from "../errors.js"
import { finish as finishCredentials } from "./credentials.js"
import { begin as beginByMail, claim } from "./email/begin.js"
import { finish as finishByMail } from "./email/finish.js"
import type { Beginning, Claim, Confirmation, Departure, Detour, Method, Proof } from "./method.js"
import { begin as beginAtProvider } from "./oauth/begin.js"
import { finish as finishAtProvider } from "./oauth/finish.js"
import { finish as finishCeremony } from "./webauthn/finish.js"

/** The method of the provider that a request is about. */
export interface SelectedMethod {
  /** email only: who is asking, before anything is sent. */
  readonly claim?: () => Promise<Claim>
  readonly begin?: (given: Beginning) => Promise<Departure>
  readonly finish: () => Promise<Proof | Detour | Confirmation>
}

/**
 * Selects the method of the request's provider.
 * @throws InvalidProvider for a request without one.
 */
export function selectMethod(context: Context): SelectedMethod {
  const { provider } = context
  switch (provider?.type) {
    case "oauth":
    case "oidc":
      return at({ ...context, provider }, { begin: beginAtProvider, finish: finishAtProvider })
    case "email":
      return at({ ...context, provider }, { claim, begin: beginByMail, finish: finishByMail })
    case "credentials":
      return at({ ...context, provider }, { finish: finishCredentials })
    case "webauthn":
      return at({ ...context, provider }, { finish: finishCeremony })
    case undefined:
      throw new InvalidProvider("A sign-in needs a provider.")
  }
}

function at<C extends Context>(context: C, { claim, begin, finish }: Method<C>): SelectedMethod {
  return {
    ...(claim && { claim: () => claim(context) }),
    ...(begin && { begin: (given: Beginning) => begin(context, given) }),
    finish: () => finish(context),
  }
}
