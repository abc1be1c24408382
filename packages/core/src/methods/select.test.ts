import { describe, expect, it } from "vitest"
import { contextsOf } from "../../test/support/method-context.js"
import { memoryAdapter } from "../adapters/memory.js"
import type { Provider } from "../types/provider.js"
import { selectMethod } from "./select.js"

const endpoints = { authorization: "https://op.test/a", token: "https://op.test/t", userinfo: "https://op.test/u" }
const client = { clientId: "c", clientSecret: "s", issuer: "https://op.test" }

function contextFor(provider: object, init: object = {}) {
  const contexts = contextsOf({
    providers: [{ id: "it", name: "It", ...provider } as Provider],
    adapter: memoryAdapter(),
    experimental: { enableWebAuthn: true },
  })
  return contexts({ path: "/auth/callback/it", ...init })
}

describe("the method of a provider", () => {
  it.each([
    ["oauth", { ...client, ...endpoints }, {}, ["begin", "finish"], "InvalidCheck"],
    ["oidc", { ...client, ...endpoints }, {}, ["begin", "finish"], "InvalidCheck"],
    ["email", { sendVerificationRequest: () => undefined }, {}, ["begin", "claim", "finish"], "Verification"],
    ["credentials", { credentials: {}, authorize: () => null }, { form: {} }, ["finish"], "CredentialsSignin"],
    ["webauthn", {}, { form: {} }, ["finish"], "WebAuthnVerificationError"],
  ])("%s is its own [spec authentication 3]", async (type, provider, init, steps, refusal) => {
    const method = selectMethod(await contextFor({ type, ...provider }, init))
    expect(Object.keys(method).sort()).toEqual(steps)
    await expect(method.finish()).rejects.toMatchObject({ type: refusal })
  })

  it("is asked for with a provider only", async () => {
    const context = await contextFor({ type: "webauthn" }, { path: "/auth/session" })
    expect(() => selectMethod(context)).toThrow("needs a provider")
  })
})
