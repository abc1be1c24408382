/** Stored proofs that are no accounts: e-mail tokens and WebAuthn authenticators. */

/** A pending e-mail sign-in. */
export interface VerificationToken {
  /** The address the link was sent to. */
  identifier: string
  /** When the link ends. */
  expires: Date
  /** The token of the link, hashed with the secret. */
  token: string
}

/** A registered WebAuthn credential. */
export interface Authenticator {
  /** Credential id, standard base64. */
  credentialID: string
  /** Public key in COSE form, standard base64. */
  credentialPublicKey: string
  /** Signature counter (WebAuthn §6.1.1). */
  counter: number
  /** `singleDevice` or `multiDevice`. */
  credentialDeviceType: string
  /** The credential is backed up, for instance by synchronisation. */
  credentialBackedUp: boolean
  /** Transports, joined by commas. */
  transports?: string | null
  /** The `providerAccountId` of the account this authenticator belongs to. */
  providerAccountId: string
  /** Id of the user who owns the authenticator. */
  userId?: string
}
