/** Which way of proving who one is belongs to which provider type. */
import type { ProviderType } from "../types/identity.js"
import { credentialsMethod } from "./credentials.js"
import { emailMethod } from "./email/method.js"
import type { Method } from "./method.js"
import { oauthMethod } from "./oauth/method.js"
import { webauthnMethod } from "./webauthn/method.js"

const methods: Readonly<Record<ProviderType, Method>> = {
  oauth: oauthMethod,
  oidc: oauthMethod,
  email: emailMethod,
  credentials: credentialsMethod,
  webauthn: webauthnMethod,
}

/** The method of a provider type. */
export function selectMethod(type: ProviderType): Method {
  return methods[type]
}
