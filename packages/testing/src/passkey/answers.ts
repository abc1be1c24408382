/** What browsers and authenticators exchange as JSON (WebAuthn §5.1), and what can be wrong with it. */
import type { CborValue } from "./cbor.js"

/** A credential inside the authenticator. */
export interface HeldCredential {
  readonly id: Uint8Array<ArrayBuffer>
  readonly keys: CryptoKeyPair
  readonly userHandle: string
  counter: number
}

/** Deviations from a correct response. Each member replaces what would have been made. */
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
