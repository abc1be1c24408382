/** A WebAuthn library that a provider brings itself, in the argument shapes of version 9: bytes where later versions use text. */
import { missingFunctions } from "../../config/provider-checks.js"
import { InvalidConfiguration } from "../../errors.js"
import { fromBase64, fromBase64url, toBase64url, toHex } from "../../std/bytes.js"
import {
  type CeremonyOptions,
  type NamedCredential,
  type StoredCredential,
  verificationArgument,
  type WebAuthnLibrary,
} from "./ceremony.js"

type Argument = Readonly<Record<string, unknown>>

interface VersionNine {
  generateRegistrationOptions(options: Argument): Promise<CeremonyOptions> | CeremonyOptions
  generateAuthenticationOptions(options: Argument): Promise<CeremonyOptions> | CeremonyOptions
  verifyRegistrationResponse(options: Argument): Promise<{ verified: boolean; registrationInfo?: RegistrationInfo }>
  verifyAuthenticationResponse(options: Argument): Promise<{ verified: boolean; authenticationInfo: Argument }>
}

interface RegistrationInfo {
  readonly credentialID: Uint8Array | string
  readonly credentialPublicKey: Uint8Array
  readonly counter: number
  readonly credentialDeviceType: string
  readonly credentialBackedUp: boolean
}

// A sentence of the published library, in every version: providers of Auth.js carry it, and ours is newer.
const publishedLibrary = "Credential ID was not base64url-encoded"

/**
 * The provider's own library behind our interface; `undefined` when it brings none or only the published one.
 * @throws InvalidConfiguration when it lacks a function: ignoring it would ignore its checks.
 */
export function versionNine(given: unknown): WebAuthnLibrary | undefined {
  if (!isVersionNine(given)) return undefined
  if (Function.prototype.toString.call(given.verifyRegistrationResponse).includes(publishedLibrary)) return undefined
  return {
    async registrationOptions({ options, party, user, exclude }) {
      return given.generateRegistrationOptions({
        ...options,
        rpID: party.id,
        rpName: party.name,
        userID: toHex(user.handle),
        userName: user.name,
        userDisplayName: user.displayName,
        excludeCredentials: exclude.map(descriptor),
      })
    },
    async authenticationOptions({ options, party, allow }) {
      const allowCredentials = allow?.map(descriptor)
      return given.generateAuthenticationOptions({ ...options, rpID: party.id, ...(allow && { allowCredentials }) })
    },
    async verifyRegistration({ algorithms, ...expected }) {
      const argument = { supportedAlgorithmIDs: [...algorithms], ...verificationArgument(expected) }
      const { verified, registrationInfo: info } = await given.verifyRegistrationResponse(argument)
      if (!verified || !info) throw new Error("The registration does not verify.")
      const id = typeof info.credentialID === "string" ? info.credentialID : toBase64url(info.credentialID)
      if (toBase64url(fromBase64(id)) !== expected.response.id) throw new Error("The credential id does not match.")
      return { ...facts(info), id: expected.response.id, publicKey: info.credentialPublicKey, counter: info.counter }
    },
    async verifyAuthentication(expected, credential) {
      const argument = { ...verificationArgument(expected), authenticator: authenticator(credential) }
      const { verified, authenticationInfo: info } = await given.verifyAuthenticationResponse(argument)
      if (!verified) throw new Error("The authentication does not verify.")
      return { ...facts(info), counter: Number(info["newCounter"]) }
    },
  }
}

function isVersionNine(given: unknown): given is VersionNine {
  const missing = missingFunctions(given)
  if (missing.length > 0) {
    throw new InvalidConfiguration(
      `The library in "simpleWebAuthn" lacks ${missing.join(", ")}. Add it, or leave the library out.`,
    )
  }
  return typeof given === "object" && given !== null
}

function descriptor({ id, transports }: NamedCredential): Argument {
  return { id: fromBase64url(id), type: "public-key", ...(transports && { transports: [...transports] }) }
}

function authenticator({ id, publicKey, counter, transports }: StoredCredential): Argument {
  const rest = transports && { transports: [...transports] }
  return { credentialID: fromBase64url(id), credentialPublicKey: publicKey, counter, ...rest }
}

function facts(info: Argument | RegistrationInfo): { deviceType: string; backedUp: boolean } {
  return { deviceType: String(info.credentialDeviceType), backedUp: info.credentialBackedUp === true }
}
