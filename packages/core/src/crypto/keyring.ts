/** Secrets, newest first, and the keys derived from them, each for one purpose. */
import type { Awaitable } from "../types/identity.js"

/** A key for one secret and one salt. Its first 32 bytes are the key for the smaller cipher. */
export interface DerivedKey {
  /** 64 bytes. */
  readonly bytes: Uint8Array
  /** Thumbprint (RFC 7638) of the 64-byte key with SHA-512: the `kid` of A256CBC-HS512 tokens. */
  readonly kid512: string
  /** Thumbprint of the first 32 bytes with SHA-256: the `kid` of A256GCM tokens. */
  readonly kid256: string
}

/** The secrets of one configuration and their keys. */
export interface Keyring {
  /** Newest first: the first seals, any opens. Never empty. */
  readonly secrets: readonly string[]
  /** The key of the secret at `index` for `salt`; derived once and kept. */
  derive(index: number, salt: string): Awaitable<DerivedKey>
}
