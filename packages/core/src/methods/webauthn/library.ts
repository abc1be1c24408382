/** Which WebAuthn library serves a provider. */
import { InvalidConfiguration } from "../../errors.js"
import { fromBase64url } from "../../std/bytes.js"
import type { WebAuthnConfig, WebAuthnModules } from "../../types/provider.js"
import {
  type NamedCredential,
  type NewCredential,
  type RegistrationExpectation,
  type RegistrationQuestion,
  verificationArgument,
  type WebAuthnLibrary,
} from "./ceremony.js"
import { expectKnownLists } from "./certificates.js"
import { expectOneItem, expectStrictSignature, expectUsableKey } from "./encodings.js"
import { versionNine } from "./version-nine.js"

/**
 * The library that serves a provider: its own, if it really brings one, else ours.
 * @throws InvalidConfiguration when the package is not installed, or not part of a bundle.
 */
export async function libraryOf(config: WebAuthnConfig): Promise<WebAuthnLibrary> {
  return versionNine(config.simpleWebAuthn) ?? currentLibrary(await (config.loadLibrary ?? findLibrary)())
}

// Put together at run time: a bundler would look for a literal name in every application, with passkeys or without.
const packageName = ["@simplewebauthn", "server"].join("/")

/** For provider objects that bring no loader, such as those of Auth.js. */
async function findLibrary(): Promise<WebAuthnModules> {
  try {
    return { server: await importAtRunTime(packageName), helpers: await importAtRunTime(`${packageName}/helpers`) }
  } catch (err) {
    throw new InvalidConfiguration(
      `Passkeys need the package \`${packageName}\`, and this provider object does not load it. In a bundled application use \`Passkey\` of @latchkey/core/providers/passkey; otherwise: npm install ${packageName}`,
      { cause: { err } },
    )
  }
}

function importAtRunTime(name: string): Promise<object> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name)
}

type Server = typeof import("@simplewebauthn/server")
type Helpers = typeof import("@simplewebauthn/server/helpers")
type RegistrationOptions = Parameters<Server["generateRegistrationOptions"]>[0]
type AuthenticationOptions = Parameters<Server["generateAuthenticationOptions"]>[0]
type VerifyRegistration = Parameters<Server["verifyRegistrationResponse"]>[0]
type VerifyAuthentication = Parameters<Server["verifyAuthenticationResponse"]>[0]
type Transports = NonNullable<NonNullable<RegistrationOptions["excludeCredentials"]>[number]["transports"]>

/** The library behind our interface. */
function currentLibrary(modules: WebAuthnModules): WebAuthnLibrary {
  const server = modules.server as Server
  const helpers = modules.helpers as Helpers
  return {
    registrationOptions: async (question) => ({ ...(await askRegistration(server, question)) }),
    async authenticationOptions({ options, party, allow }) {
      const ask = { ...options, rpID: party.id, ...(allow && { allowCredentials: allow.map(descriptor) }) }
      return { ...(await server.generateAuthenticationOptions(ask as AuthenticationOptions)) }
    },
    verifyRegistration: (expected) => verifyRegistration(server, helpers, expected),
    async verifyAuthentication(expected, credential) {
      expectSignature(helpers, expected.response.response["signature"] ?? "", credential.publicKey)
      const { id, publicKey, counter } = credential
      const verification = await server.verifyAuthenticationResponse({
        ...verificationArgument(expected),
        credential: { id, publicKey: new Uint8Array(publicKey), counter },
      } as unknown as VerifyAuthentication)
      if (!verification.verified) throw new Error("The signature does not match the stored key.")
      const { newCounter, credentialDeviceType, credentialBackedUp } = verification.authenticationInfo
      return { counter: newCounter, deviceType: credentialDeviceType, backedUp: credentialBackedUp }
    },
  }
}

function askRegistration(
  server: Server,
  { options, party, user, exclude }: RegistrationQuestion,
): ReturnType<Server["generateRegistrationOptions"]> {
  const { authenticatorSelection } = options
  const ask = {
    ...options,
    // The library writes to this member; the provider's own stays as it is.
    ...(typeof authenticatorSelection === "object" && { authenticatorSelection: { ...authenticatorSelection } }),
    rpID: party.id,
    rpName: party.name,
    userID: user.handle,
    userName: user.name,
    userDisplayName: user.displayName,
    excludeCredentials: exclude.map(descriptor),
  }
  return server.generateRegistrationOptions(ask as RegistrationOptions)
}

function descriptor({ id, transports }: NamedCredential): { id: string; transports?: Transports } {
  return transports && transports.length > 0 ? { id, transports: [...transports] as Transports } : { id }
}

async function verifyRegistration(
  server: Server,
  helpers: Helpers,
  expected: RegistrationExpectation,
): Promise<NewCredential> {
  const { response } = expected
  expectAttestation(helpers, response.response["attestationObject"] ?? "", expected.asksAttestation)
  const verification = await server.verifyRegistrationResponse({
    supportedAlgorithmIDs: [...expected.algorithms],
    ...verificationArgument(expected),
  } as unknown as VerifyRegistration)
  if (!verification.verified) throw new Error("The attestation does not verify.")
  const { aaguid, credential, credentialDeviceType, credentialBackedUp } = verification.registrationInfo
  // WebAuthn §7.1: the id that is stored is the attested one; a different id from outside the attestation would never be found again.
  if (credential.id !== response.id) throw new Error("The attested credential id is not the id of the response.")
  await expectUsableKey(keyOf(helpers, credential.publicKey))
  return {
    id: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp,
    model: aaguid,
  }
}

/** Refuses what is not one well-formed attestation of a format that was asked for, before it is parsed any further. */
function expectAttestation(helpers: Helpers, text: string, isAsked: boolean): void {
  const bytes = fromBase64url(text)
  expectOneItem(bytes)
  const attestation: unknown = helpers.decodeAttestationObject(bytes)
  if (!(attestation instanceof Map)) throw new Error("The attestation object is not a map.")
  const format: unknown = attestation.get("fmt")
  const statement: unknown = attestation.get("attStmt")
  if (isAsked) {
    if (statement instanceof Map) expectKnownLists(format, statement)
    return
  }
  // Browsers pass a self attestation on unasked; anything that leads to certificates would need trust anchors.
  const isSelf = format === "packed" && statement instanceof Map && !statement.has("x5c")
  if (format !== "none" && !isSelf) throw new Error(`The attestation format ${String(format)} was not asked for.`)
}

const ecdsaAlgorithms: ReadonlySet<unknown> = new Set([-7, -35, -36])

function expectSignature(helpers: Helpers, signature: string, publicKey: Uint8Array): void {
  const key = keyOf(helpers, publicKey)
  // COSE labels 1 and 3 are the type of a key (2: a point on a curve) and its algorithm. The library goes by the type alone.
  const isPoint = key.get(1) === 2
  if (isPoint !== ecdsaAlgorithms.has(key.get(3))) throw new Error("The stored key is not one of its algorithm.")
  // The other algorithms sign without ASN.1.
  if (isPoint) expectStrictSignature(fromBase64url(signature))
}

function keyOf(helpers: Helpers, publicKey: Uint8Array): ReadonlyMap<number, unknown> {
  const key: unknown = helpers.decodeCredentialPublicKey(new Uint8Array(publicKey))
  if (key instanceof Map) return key as ReadonlyMap<number, unknown>
  throw new Error("The public key is not a COSE key.")
}
