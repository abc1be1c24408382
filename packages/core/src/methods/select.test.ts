import { describe, expect, it } from "vitest"
import { credentialsMethod } from "./credentials.js"
import { emailMethod } from "./email/method.js"
import { oauthMethod } from "./oauth/method.js"
import { selectMethod } from "./select.js"
import { webauthnMethod } from "./webauthn/method.js"

describe("the method of a provider type", () => {
  it.each([
    ["oauth", oauthMethod],
    ["oidc", oauthMethod],
    ["email", emailMethod],
    ["credentials", credentialsMethod],
    ["webauthn", webauthnMethod],
  ] as const)("%s has its own [spec authentication 3]", (type, method) => {
    expect(selectMethod(type)).toBe(method)
  })
})
