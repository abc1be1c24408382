/** Values that only the holder of the secret can make: handles of users and the ids that stand in for credentials that are not there. */
import type { Context } from "../../context/context.js"
import { sha256 } from "../../crypto/token.js"
import { fromBase64url, fromHex, toBase64url, toHex } from "../../std/bytes.js"
import { randomBytes } from "../../std/random.js"
import type { NamedCredential } from "./ceremony.js"

const salt = "webauthn-names"

/** The secret is the newest one, unless another is named. */
type Keyed = Pick<Context, "settings"> & { readonly secret?: number }

async function keyedDigest({ settings, secret = 0 }: Keyed, purpose: string, text: string): Promise<Uint8Array> {
  const key = toHex((await settings.keyring.derive(secret, salt)).bytes)
  // The key on both sides rules out length extension.
  return sha256(`${key}:${purpose}:${text}:${key}`)
}

const nameLength = 16
const handleLength = 32

/**
 * The handle of a user (WebAuthn §5.4.3): always the same one, and it reveals nothing of the user. Its first half names
 * the user, its second half says that the first was made here: other handles in use name no user (those of people who
 * registered before there was a user, of Auth.js, of an older secret).
 */
export async function handleOf(context: Context, userId: string): Promise<Uint8Array> {
  const name = (await keyedDigest(context, "user", String(userId))).subarray(0, nameLength)
  const handle = new Uint8Array(handleLength)
  handle.set(name)
  handle.set(await tagOf(context, name), nameLength)
  return handle
}

async function tagOf(context: Context, name: Uint8Array): Promise<Uint8Array> {
  return (await keyedDigest(context, "user-mark", toHex(name))).subarray(0, handleLength - nameLength)
}

/** Does this handle name a user other than this one? One that names no user does not. */
export async function isHandleOfAnother(context: Context, text: string, userId: string): Promise<boolean> {
  const handle = readHandle(text)
  if (!handle) return false
  const name = handle.subarray(0, nameLength)
  const isMadeHere = toHex(await tagOf(context, name)) === toHex(handle.subarray(nameLength))
  return isMadeHere && toHex(handle) !== toHex(await handleOf(context, userId))
}

/** Version 9 of the library had handles stored as text, and gave them back as text: theirs are hexadecimal. */
function readHandle(text: string): Uint8Array | undefined {
  const bytes = isHexHandle(text) ? fromHex(text) : decoded(text)
  if (bytes?.length !== 2 * handleLength) return bytes?.length === handleLength ? bytes : undefined
  const inner = new TextDecoder().decode(bytes)
  return isHexHandle(inner) ? fromHex(inner) : undefined
}

const isHexHandle = (text: string): boolean => /^[\da-f]{64}$/.test(text)

function decoded(text: string): Uint8Array | undefined {
  try {
    return fromBase64url(text)
  } catch {
    return undefined
  }
}

/** A credential id in few characters: sixty-four of them, sealed twice, have to fit into one cookie. */
export async function digestOf(credentialId: string): Promise<string> {
  return toBase64url((await sha256(credentialId)).subarray(0, 12))
}

/** A handle for a person who is no user yet. */
export function newHandle(): Uint8Array {
  return randomBytes(32)
}

// Shapes that real authenticators have: lengths of ids, and how they are reached.
const lengths = [16, 20, 32, 32] as const
const ways = [["internal", "hybrid"], ["internal"], ["hybrid", "internal"], ["usb"]] as const

/**
 * Credentials that do not exist: always the same for an address, and like those of most users. More than two of them, longer
 * ids, `nfc` or no transport belong to real users only.
 */
export async function decoysFor(context: Context, address: string): Promise<readonly NamedCredential[]> {
  const [count = 0] = await keyedDigest(context, "decoys", address)
  const decoys = count % 8 === 0 ? ["first", "second"] : ["first"]
  return Promise.all(decoys.map((which) => decoy(context, `${which}:${address}`)))
}

async function decoy(context: Context, text: string): Promise<NamedCredential> {
  const shape = await keyedDigest(context, "decoy-shape", text)
  const bytes = await keyedDigest(context, "decoy-id", text)
  const length = lengths[(shape[0] ?? 0) % lengths.length] ?? bytes.length
  const id = bytes.subarray(0, length)
  id.set(await decoyMark(context, id.subarray(0, -markLength)), length - markLength)
  return { id: toBase64url(id), transports: ways[(shape[1] ?? 0) % ways.length] }
}

const markLength = 8

/** The end of an id that does not exist says so to whoever holds the secret. */
async function decoyMark(context: Keyed, start: Uint8Array): Promise<Uint8Array> {
  return (await keyedDigest(context, "decoy-mark", toHex(start))).subarray(0, markLength)
}

/** Was this id made here for nobody, with any of the secrets? An authenticator makes one of them by chance, once in 2^64. */
export async function isDecoy({ settings }: Context, id: Uint8Array): Promise<boolean> {
  const [start, end] = [id.subarray(0, -markLength), toHex(id.subarray(-markLength))]
  const marks = settings.keyring.secrets.map((_, secret) => decoyMark({ settings, secret }, start))
  return (await Promise.all(marks)).some((mark) => toHex(mark) === end)
}
