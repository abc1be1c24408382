/** Session tokens as they were made some days ago. */
import { portable } from "../../packages/core/src/crypto/jose.js"
import { sealWith } from "../../packages/core/src/crypto/jwe.js"
import { createKeyCache, createKeyring } from "../../packages/core/src/crypto/keyring.js"

const day = 24 * 60 * 60

/** The session of a person, made two days ago and good for thirty. `salt` is the name of the cookie. */
export async function agedToken(given: {
  secret: string
  salt: string
  user: Readonly<Record<string, string>>
}): Promise<string> {
  const keyring = createKeyring([given.secret], createKeyCache(4))
  const now = new Date(Date.now() - 2 * day * 1000)
  return sealWith(portable, given.user, { keyring, salt: given.salt, maxAge: 30 * day, now })
}
