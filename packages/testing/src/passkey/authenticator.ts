/** An authenticator in software, with the browser around it: makes ES256 credentials without attestation, and can misbehave on demand. */
import type { AnswerJson, HeldCredential, Misbehaviour, OptionsJson } from "./answers.js"
import { coseKeyOf, newKeys, sha256, toBase64url, toDer, uint32 } from "./bytes.js"
import { type CborValue, concat, encodeCbor } from "./cbor.js"

/** Bits of the authenticator data (WebAuthn §6.1). */
export const authenticatorFlags = {
  present: 0x01,
  verified: 0x04,
  eligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
  extended: 0x80,
} as const

/** Options of an authenticator. */
export interface SoftwarePasskeyOptions {
  /** The origin that its browser shows. @default https://app.test */
  readonly origin?: string
  /** `false`: its counter stays 0, as that of passkeys that are synchronised. @default true */
  readonly counts?: boolean
  /** Bits of its answers, see {@link authenticatorFlags}. @default present and verified */
  readonly kind?: number
}

/** An authenticator and its browser. */
export interface SoftwarePasskey {
  /** The credentials it holds, the newest last. */
  readonly credentials: readonly HeldCredential[]
  /** `navigator.credentials.create`: options and answer as JSON. */
  create(options: OptionsJson, misbehaviour?: Misbehaviour): Promise<AnswerJson>
  /** `navigator.credentials.get`; takes the first allowed credential it holds, else the newest. */
  get(options: OptionsJson, misbehaviour?: Misbehaviour): Promise<AnswerJson>
}

/** Makes an authenticator without credentials. */
export function softwarePasskey(options: SoftwarePasskeyOptions = {}): SoftwarePasskey {
  const credentials: HeldCredential[] = []
  const { present, verified } = authenticatorFlags
  const held: Held = { credentials, origin: "https://app.test", counts: true, kind: present | verified, ...options }
  return {
    credentials,
    create: (asked, wrong = {}) => create(held, asked, wrong),
    get: (asked, wrong = {}) => get(held, asked, wrong),
  }
}

interface Held extends Required<SoftwarePasskeyOptions> {
  readonly credentials: HeldCredential[]
}

async function create(
  { credentials, kind, origin }: Held,
  options: OptionsJson,
  wrong: Misbehaviour,
): Promise<AnswerJson> {
  const keys = await newKeys()
  const id = crypto.getRandomValues(new Uint8Array(32))
  credentials.push({ id, keys, userHandle: options.user?.id ?? "", counter: 0 })
  const attestedId = wrong.attestedId ?? id
  const authData = concat([
    await sha256(new TextEncoder().encode(wrong.rpId ?? options.rp?.id ?? "")),
    Uint8Array.of(wrong.flags ?? kind | authenticatorFlags.attested),
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
  const clientData = clientDataOf({ type: "webauthn.create", challenge: options.challenge, origin }, wrong)
  const response = {
    clientDataJSON: toBase64url(clientData),
    attestationObject: toBase64url(concat([attestation, wrong.trailing ?? new Uint8Array()])),
    transports: ["internal", "hybrid"],
  }
  return answerOf(id, response, wrong)
}

async function get(
  { credentials, counts, kind, origin }: Held,
  options: OptionsJson,
  wrong: Misbehaviour,
): Promise<AnswerJson> {
  const credential = pick(credentials, options)
  if (counts) credential.counter += 1
  const authData = concat([
    await sha256(new TextEncoder().encode(wrong.rpId ?? options.rpId ?? "")),
    Uint8Array.of(wrong.flags ?? kind),
    uint32(wrong.counter ?? credential.counter),
    wrong.trailingAuthData ?? new Uint8Array(),
  ])
  const clientData = clientDataOf({ type: "webauthn.get", challenge: options.challenge, origin }, wrong)
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

function clientDataOf(
  honest: { readonly type: string; readonly challenge: string; readonly origin: string },
  { clientData, clientDataBytes }: Misbehaviour,
): Uint8Array<ArrayBuffer> {
  if (clientDataBytes) return clientDataBytes
  return new TextEncoder().encode(JSON.stringify({ ...honest, crossOrigin: false, ...clientData }))
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
