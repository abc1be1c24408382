/** What browsers and authenticators exchange as JSON (WebAuthn §5.1), and what can be wrong with it. */
import type { CborValue } from "./cbor.js"

/** A credential inside the authenticator. */
export interface HeldCredential {
  /** Credential id. */
  readonly id: Uint8Array<ArrayBuffer>
  /** The key pair (ES256). */
  readonly keys: CryptoKeyPair
  /** User handle it was registered with, as base64url. */
  readonly userHandle: string
  /** Signature counter, as the next answer shows it after one is added. */
  counter: number
}

/** Deviations from a correct response. Each member replaces what would have been made. */
export interface Misbehaviour {
  /** Members of the client data; `undefined` removes one. */
  readonly clientData?: Readonly<Record<string, unknown>>
  /** The text of the client data, as bytes. */
  readonly clientDataBytes?: Uint8Array<ArrayBuffer>
  /** Bits of the authenticator data, see {@link authenticatorFlags}. */
  readonly flags?: number
  /** Signature counter. */
  readonly counter?: number
  /** Id of the relying party whose hash is signed. */
  readonly rpId?: string
  /** The attested credential id. */
  readonly attestedId?: Uint8Array<ArrayBuffer>
  /** Members of the attestation object. */
  readonly attestation?: ReadonlyMap<string, CborValue>
  /** Bytes after the attestation object. */
  readonly trailing?: Uint8Array<ArrayBuffer>
  /** Bytes after the authenticator data. */
  readonly trailingAuthData?: Uint8Array<ArrayBuffer>
  /** Public key of a registration, as a COSE key. */
  readonly coseKey?: ReadonlyMap<number, CborValue>
  /** User handle of an authentication, as base64url. */
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
  /** Challenge, as base64url. */
  readonly challenge: string
  /** Id of the relying party, for an authentication. */
  readonly rpId?: string
  /** The relying party, for a registration. */
  readonly rp?: { readonly id?: string }
  /** The user, for a registration; `id` is the user handle, as base64url. */
  readonly user?: { readonly id: string }
  /** Credentials that may answer; where there is none, any may. */
  readonly allowCredentials?: readonly { readonly id: string }[]
  readonly [member: string]: unknown
}

/** What the browser posts. */
export interface AnswerJson {
  /** Credential id, as base64url. */
  id: string
  /** The same as `id`. */
  rawId: string
  /** `public-key`. */
  type: string
  /** Client data, and what the authenticator signed, as base64url. */
  response: Record<string, unknown>
  /** What extensions answered; empty unless a misbehaviour says otherwise. */
  clientExtensionResults: Record<string, unknown>
}
