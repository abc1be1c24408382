/** Values that only the holder of the secret can make: handles of users and the ids that stand in for credentials that are not there. */
import type { Context } from "../../context/context.js"
import { sha256 } from "../../crypto/token.js"
import { toBase64url, toHex } from "../../std/bytes.js"
import type { NamedCredential } from "./ceremony.js"

const salt = "webauthn-names"

async function keyedDigest({ settings }: Context, purpose: string, text: string): Promise<Uint8Array> {
  const key = toHex((await settings.keyring.derive(0, salt)).bytes)
  // The key on both sides: a digest cannot be continued with text of somebody else's choice.
  return sha256(`${key}:${purpose}:${text}:${key}`)
}

/** The handle of a user (WebAuthn §5.4.3): always the same one, and it tells nothing of the person. */
export async function handleOf(context: Context, userId: string): Promise<Uint8Array> {
  return keyedDigest(context, "user", String(userId))
}

/** A handle for somebody who is no user yet. */
export function newHandle(): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(32))
}

// Shapes that real authenticators have: lengths of ids, and how they are reached.
const lengths = [16, 20, 32, 32] as const
const ways = [["internal", "hybrid"], ["internal"], ["hybrid", "internal"], ["usb"]] as const

/** Credentials that do not exist: always the same for an address, and not to be told from real ones by their shape. */
export async function decoysFor(context: Context, address: string): Promise<readonly NamedCredential[]> {
  const [count = 0] = await keyedDigest(context, "decoys", address)
  const decoys = count % 8 === 0 ? ["first", "second"] : ["first"]
  return Promise.all(decoys.map((which) => decoy(context, `${which}:${address}`)))
}

async function decoy(context: Context, text: string): Promise<NamedCredential> {
  const shape = await keyedDigest(context, "decoy-shape", text)
  const bytes = await keyedDigest(context, "decoy-id", text)
  const length = lengths[(shape[0] ?? 0) % lengths.length] ?? bytes.length
  return { id: toBase64url(bytes.subarray(0, length)), transports: ways[(shape[1] ?? 0) % ways.length] }
}
