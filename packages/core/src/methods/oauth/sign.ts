/** Signs an assertion for a provider whose client secret is one (ES256). The signing itself is the library's. */
import { type AuthorizationServer, type Client, modifyAssertion, PrivateKeyJwt } from "oauth4webapi"
import { InvalidConfiguration } from "../../errors.js"
import { fromBase64 } from "../../std/bytes.js"
import type { AssertionToSign } from "../../types/provider.js"

/** Signs `claims` as a compact JWT. */
export async function signAssertion({ keyId, privateKey, claims }: AssertionToSign): Promise<string> {
  const key = typeof privateKey === "string" ? await importPem(privateKey) : privateKey
  const body = new URLSearchParams()
  const sign = PrivateKeyJwt(
    { key, kid: keyId },
    {
      [modifyAssertion]: (_header, payload) => {
        // The library fills in a client assertion; what is wanted here are these claims alone.
        for (const name of Object.keys(payload)) delete (payload as Record<string, unknown>)[name]
        Object.assign(payload, claims)
      },
    },
  )
  await sign({ issuer: "-" } as AuthorizationServer, { client_id: "-" } as Client, body, new Headers())
  return body.get("client_assertion") as string
}

async function importPem(pem: string): Promise<CryptoKey> {
  // Keys in environment variables often carry their line breaks as `\n`.
  const inner = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem.replaceAll("\\n", "\n"))?.[1]
  try {
    if (!inner) throw new TypeError("no PEM block")
    const der = fromBase64(inner.replace(/\s+/g, ""))
    return await globalThis.crypto.subtle.importKey("pkcs8", der, { name: "ECDSA", namedCurve: "P-256" }, false, [
      "sign",
    ])
  } catch {
    throw new InvalidConfiguration("The private key is no PKCS #8 key for ES256 in PEM form (BEGIN PRIVATE KEY).")
  }
}
