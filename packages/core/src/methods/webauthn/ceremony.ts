/** The interface to a WebAuthn library: arguments and results as this package names them. */
import type { RelyingParty } from "../../types/provider.js"

/** Options for the browser, as JSON. */
export interface CeremonyOptions {
  readonly challenge: string
  readonly [member: string]: unknown
}

/** A credential that is named to the browser. */
export interface NamedCredential {
  /** base64url. */
  readonly id: string
  readonly transports: readonly string[] | undefined
}

/** A question for registration options. */
export interface RegistrationQuestion {
  /** `registrationOptions` of the provider. */
  readonly options: Readonly<Record<string, unknown>>
  readonly party: RelyingParty
  readonly user: { readonly handle: Uint8Array; readonly name: string; readonly displayName: string }
  readonly exclude: readonly NamedCredential[]
}

/** A question for authentication options. */
export interface AuthenticationQuestion {
  /** `authenticationOptions` of the provider. */
  readonly options: Readonly<Record<string, unknown>>
  readonly party: RelyingParty
  /** Absent: any credential that the authenticator finds. */
  readonly allow: readonly NamedCredential[] | undefined
}

/** What the browser sent, with the members that count and no others. */
export interface CeremonyResponse {
  /** base64url. */
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly response: Readonly<Record<string, string>>
  readonly transports: readonly string[]
}

/** What a response is verified against. */
export interface Expectation {
  readonly response: CeremonyResponse
  readonly challenge: string
  readonly rpId: string
  readonly origins: readonly string[]
  /** The provider's own options of the verification; `requireUserVerification` is filled. */
  readonly options: Readonly<Record<string, unknown>>
}

/** What a registration is verified against beyond that. */
export interface RegistrationExpectation extends Expectation {
  /** COSE algorithms that were offered. */
  readonly algorithms: readonly number[]
  /** The provider asked for more than the attestation `none`. */
  readonly asksAttestation: boolean
}

/** A credential as it is stored, in bytes. */
export interface StoredCredential {
  /** base64url. */
  readonly id: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[] | undefined
}

/** What a verified ceremony says about the authenticator. */
export interface AuthenticatorFacts {
  readonly counter: number
  readonly deviceType: string
  readonly backedUp: boolean
}

/** A verified new credential. */
export interface NewCredential extends AuthenticatorFacts {
  /** base64url. */
  readonly id: string
  readonly publicKey: Uint8Array
  /** AAGUID of the authenticator, as text. */
  readonly model?: string
}

/** A WebAuthn library. The verifying functions throw for whatever does not fit. */
export interface WebAuthnLibrary {
  registrationOptions(question: RegistrationQuestion): Promise<CeremonyOptions>
  authenticationOptions(question: AuthenticationQuestion): Promise<CeremonyOptions>
  verifyRegistration(expected: RegistrationExpectation): Promise<NewCredential>
  verifyAuthentication(expected: Expectation, credential: StoredCredential): Promise<AuthenticatorFacts>
}

/** What both functions that verify an answer are called with, in all versions of the library. */
export function verificationArgument(expected: Expectation): Readonly<Record<string, unknown>> {
  const { response, challenge, origins, rpId, options } = expected
  const { transports, ...rest } = response
  return {
    ...options,
    response: { ...rest, response: { ...response.response, transports: [...transports] }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
  }
}
