/** Client secrets that are assertions. */
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose"
import { describe, expect, it } from "vitest"
import { signAssertion } from "./client.js"

const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true })
const pem = await exportPKCS8(privateKey)

describe("signing an assertion", () => {
  it.each([
    ["PEM text", pem],
    ["PEM text on one line, as environment variables hold it", pem.replaceAll("\n", "\\n")],
    ["a key of the runtime", privateKey],
  ])("takes %s and contains the given claims, no more", async (_, key) => {
    const claims = { iss: "team", sub: "client", aud: "https://op.test", iat: 1, exp: 2_000_000_000 }
    const token = await signAssertion({ keyId: "KEY", privateKey: key, claims })
    const { payload, protectedHeader } = await jwtVerify(token, publicKey)
    expect([payload, protectedHeader]).toEqual([claims, { alg: "ES256", kid: "KEY" }])
  })

  it.each(["", "secret", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])(
    "refuses %j without repeating it",
    async (privateKey) => {
      const work = signAssertion({ keyId: "KEY", privateKey, claims: {} })
      await expect(work).rejects.toMatchObject({
        type: "InvalidConfiguration",
        message: expect.stringContaining("PKCS #8"),
      })
    },
  )
})
