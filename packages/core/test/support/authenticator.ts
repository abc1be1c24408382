/** An authenticator in software, with the browser around it: makes ES256 credentials without attestation, and can be told to misbehave. */
import { type CborValue, concat, encodeCbor } from "./cbor.js"

/** Bits of the authenticator data (WebAuthn §6.1). */
export const flags = {
  present: 0x01,
  verified: 0x04,
  eligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
  extended: 0x80,
} as const

/** A credential inside the authenticator. */
export interface HeldCredential {
  readonly id: Uint8Array<ArrayBuffer>
  readonly keys: CryptoKeyPair
  readonly userHandle: string
  counter: number
}

/** What goes otherwise than it should. Each member replaces what would have been made. */
export interface Misbehaviour {
  /** Members of the client data; `undefined` removes one. */
  readonly clientData?: Readonly<Record<string, unknown>>
  /** The text of the client data, as bytes. */
  readonly clientDataBytes?: Uint8Array<ArrayBuffer>
  readonly flags?: number
  readonly counter?: number
  readonly rpId?: string
  /** The attested credential id. */
  readonly attestedId?: Uint8Array<ArrayBuffer>
  /** Members of the attestation object. */
  readonly attestation?: ReadonlyMap<string, CborValue>
  /** Bytes after the attestation object. */
  readonly trailing?: Uint8Array<ArrayBuffer>
  /** Bytes after the authenticator data. */
  readonly trailingAuthData?: Uint8Array<ArrayBuffer>
  readonly coseKey?: ReadonlyMap<number, CborValue>
  readonly userHandle?: string
  /** Changes the signature. */
  readonly signature?: (der: Uint8Array<ArrayBuffer>, raw: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** Signs with the key of another credential. */
  readonly keys?: CryptoKeyPair
  /** Members of the answer; `undefined` removes one. */
  readonly answer?: Readonly<Record<string, unknown>>
  /** Members of `response` in the answer; `undefined` removes one. */
  readonly response?: Readonly<Record<string, unknown>>
}

/** Options as the service hands them out. */
export interface OptionsJson {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id?: string }
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly { readonly id: string }[]
  readonly [member: string]: unknown
}

/** What the browser posts. */
export interface AnswerJson {
  id: string
  rawId: string
  type: string
  response: Record<string, unknown>
  clientExtensionResults: Record<string, unknown>
}

/** An authenticator and its browser. */
export interface SoftwareAuthenticator {
  readonly credentials: readonly HeldCredential[]
  /** `navigator.credentials.create`. */
  create(options: OptionsJson, misbehaviour?: Misbehaviour): Promise<AnswerJson>
  /** `navigator.credentials.get`; takes the first allowed credential it holds, else the newest. */
  get(options: OptionsJson, misbehaviour?: Misbehaviour): Promise<AnswerJson>
}

/** Makes an authenticator without credentials, in a browser that shows `origin`. */
export function createAuthenticator({
  origin = "https://app.test",
  counts = true,
  kind = flags.present | flags.verified,
}: {
  origin?: string
  counts?: boolean
  kind?: number
} = {}): SoftwareAuthenticator {
  const credentials: HeldCredential[] = []

  const create = async (options: OptionsJson, wrong: Misbehaviour = {}): Promise<AnswerJson> => {
    const keys = await newKeys()
    const id = crypto.getRandomValues(new Uint8Array(32))
    credentials.push({ id, keys, userHandle: options.user?.id ?? "", counter: 0 })
    const attestedId = wrong.attestedId ?? id
    const authData = concat([
      await sha256(new TextEncoder().encode(wrong.rpId ?? options.rp?.id ?? "")),
      Uint8Array.of(wrong.flags ?? kind | flags.attested),
      uint32(wrong.counter ?? 0),
      new Uint8Array(16),
      Uint8Array.of(attestedId.length >> 8, attestedId.length & 0xff),
      attestedId,
      encodeCbor(wrong.coseKey ?? (await coseKeyOf(keys.publicKey))),
      wrong.trailingAuthData ?? new Uint8Array(),
    ])
    const members: [string, CborValue][] = [
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]
    const attestation = encodeCbor(new Map([...members, ...(wrong.attestation ?? [])]))
    const clientData = clientDataOf("webauthn.create", options.challenge, origin, wrong)
    const response = {
      clientDataJSON: toBase64url(clientData),
      attestationObject: toBase64url(concat([attestation, wrong.trailing ?? new Uint8Array()])),
      transports: ["internal", "hybrid"],
    }
    return answerOf(id, response, wrong)
  }

  const get = async (options: OptionsJson, wrong: Misbehaviour = {}): Promise<AnswerJson> => {
    const credential = pick(credentials, options)
    if (counts) credential.counter += 1
    const authData = concat([
      await sha256(new TextEncoder().encode(wrong.rpId ?? options.rpId ?? "")),
      Uint8Array.of(wrong.flags ?? kind),
      uint32(wrong.counter ?? credential.counter),
      wrong.trailingAuthData ?? new Uint8Array(),
    ])
    const clientData = clientDataOf("webauthn.get", options.challenge, origin, wrong)
    const { privateKey } = wrong.keys ?? credential.keys
    const signed = concat([authData, await sha256(clientData)])
    const raw = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, signed))
    const der = toDer(raw)
    const response = {
      clientDataJSON: toBase64url(clientData),
      authenticatorData: toBase64url(authData),
      signature: toBase64url(wrong.signature?.(der, raw) ?? der),
      userHandle: wrong.userHandle ?? credential.userHandle,
    }
    return answerOf(credential.id, response, wrong)
  }

  return { credentials, create, get }
}

/** A new ES256 key pair. */
export async function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
}

/** A public key as COSE (RFC 9053 §7.1.1). */
export async function coseKeyOf(key: CryptoKey): Promise<Map<number, CborValue>> {
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", key))
  return new Map<number, CborValue>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, raw.slice(1, 33)],
    [-3, raw.slice(33)],
  ])
}

/** Bytes as base64url. */
export function toBase64url(bytes: Uint8Array): string {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

function clientDataOf(
  type: string,
  challenge: string,
  origin: string,
  { clientData, clientDataBytes }: Misbehaviour,
): Uint8Array<ArrayBuffer> {
  if (clientDataBytes) return clientDataBytes
  return new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientData }))
}

function answerOf(id: Uint8Array, response: Record<string, unknown>, wrong: Misbehaviour): AnswerJson {
  const text = toBase64url(id)
  return {
    id: text,
    rawId: text,
    type: "public-key",
    clientExtensionResults: {},
    response: { ...response, ...wrong.response },
    ...(wrong.answer as Partial<AnswerJson>),
  }
}

function pick(credentials: readonly HeldCredential[], { allowCredentials = [] }: OptionsJson): HeldCredential {
  const allowed = credentials.find(({ id }) => allowCredentials.some((entry) => entry.id === toBase64url(id)))
  const credential = allowed ?? credentials.at(-1)
  if (!credential) throw new Error("The authenticator holds no credential.")
  return credential
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
}

function uint32(value: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff)
}

/** Two numbers as DER (RFC 3279 §2.2.3). */
function toDer(raw: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const half = raw.length / 2
  const numbers = [derInteger(raw.slice(0, half)), derInteger(raw.slice(half))]
  const body = concat(numbers)
  return concat([Uint8Array.of(0x30, body.length), body])
}

function derInteger(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const start = bytes.findIndex((byte) => byte !== 0)
  const significant = bytes.slice(start < 0 ? bytes.length - 1 : start)
  const signed = (significant[0] ?? 0) > 0x7f ? concat([Uint8Array.of(0), significant]) : significant
  return concat([Uint8Array.of(2, signed.length), signed])
}
