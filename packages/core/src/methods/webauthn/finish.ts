/** The browser posts the result of a ceremony: it is verified, and signs a user in or registers a passkey. */
import { type Challenge, openChallenge, spendChallenge } from "../../checks/challenge.js"
import type { Context } from "../../context/context.js"
import { isAuthError, WebAuthnVerificationError } from "../../errors.js"
import type { PasskeyNote } from "../../ledger/passkey.js"
import { asError } from "../../ports/thrown.js"
import { fromBase64 } from "../../std/bytes.js"
import { toSeconds } from "../../std/time.js"
import type { AccountDraft } from "../../types/adapter.js"
import type { Authenticator } from "../../types/credential.js"
import type { AdapterUser } from "../../types/identity.js"
import type { Proof } from "../method.js"
import { passkeyPolicy } from "../policy.js"
import type { AuthenticatorFacts, CeremonyResponse, Expectation, NewCredential } from "./ceremony.js"
import { notePasskey } from "./kept.js"
import { digestOf, isDecoy, isHandleOfAnother } from "./keyed.js"
import { libraryOf } from "./library.js"
import { forPasskeys, type PasskeyContext, partyOf } from "./party.js"
import { registrantOf } from "./registrant.js"
import { type Ceremony, readResponse } from "./response.js"
import { fromRow, standIn, storedId, toRow } from "./stored.js"

/**
 * Verifies the response of a ceremony.
 * @throws WebAuthnVerificationError for whatever does not fit; InvalidConfiguration without the library.
 */
export async function finish(request: Context): Promise<Proof> {
  const context = forPasskeys(request)
  const { action, data } = context.incoming.form
  const ceremony = ceremonyOf(action)
  const response = await asVerificationError("The response of the authenticator cannot be parsed.", () =>
    readResponse(ceremony, data),
  )
  const sealed = await asVerificationError("There is no challenge for this response.", () => openChallenge(context))
  return asVerificationError("The response of the authenticator cannot be verified.", async () => {
    const answer = { response, ...sealed }
    const proof = await (ceremony === "register"
      ? finishRegistration(context, answer)
      : finishAuthentication(context, answer))
    // Last, so that invalid responses cannot fill the store.
    await spendChallenge(context, sealed.challenge)
    return proof
  })
}

function ceremonyOf(action: unknown): Ceremony {
  if (action === "register" || action === "authenticate") return action
  throw new WebAuthnVerificationError("`action` has to be `register` or `authenticate`.")
}

/** One error for every reason, so that the response does not reveal which check failed. */
async function asVerificationError<T>(message: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAuthError(error) && error.type !== "InvalidCheck") throw error
    throw new WebAuthnVerificationError(message, { cause: { err: asError(error) } })
  }
}

/** An answer and what was sealed when its options were made. */
interface SealedAnswer extends Challenge {
  readonly response: CeremonyResponse
}

/** What the library compares a response with. */
function expectationOf(
  context: PasskeyContext,
  { response, challenge }: SealedAnswer,
  options: Expectation["options"],
): Expectation {
  const { id: rpId, origins } = partyOf(context)
  return { response, challenge, rpId, origins, options }
}

const passkeyProof = { kind: "proof", policy: passkeyPolicy, mayLinkByEmail: false, returnTo: undefined } as const

function accountOf({ provider }: PasskeyContext, { providerAccountId }: Authenticator): AccountDraft {
  return { provider: provider.id, providerAccountId, type: "webauthn" }
}

// The library's own default: EdDSA, ES256, RS256.
const offeredByDefault: readonly number[] = [-8, -7, -257]

/** @throws Error for whatever does not fit. */
async function finishRegistration(context: PasskeyContext, answer: SealedAnswer): Promise<Proof> {
  const registrant = await registrantOf(context, answer.registerData)
  const credential = await verifyRegistration(context, answer)
  const authenticator = toRow(credential, answer.response.transports)
  await expectNew(context, authenticator.credentialID)
  const stored = accountOf(context, authenticator)
  const { model } = credential
  const note = { addedAt: toSeconds(context.now), ...(model !== undefined && { model }) }
  const afterwards = noting(context, authenticator, note)
  return {
    ...passkeyProof,
    ...registrant,
    account: stored,
    stored,
    authenticator,
    emailStatus: "unverified",
    afterwards,
  }
}

async function verifyRegistration(context: PasskeyContext, answer: SealedAnswer): Promise<NewCredential> {
  const { config } = context.provider
  const { registrationOptions = {}, verifyRegistrationOptions = {} } = config
  const { supportedAlgorithmIDs, attestationType, authenticatorSelection } = registrationOptions
  const { userVerification } = (authenticatorSelection ?? {}) as { userVerification?: unknown }
  const options = { requireUserVerification: userVerification === "required", ...verifyRegistrationOptions }
  const expected = expectationOf(context, answer, options)
  const library = await libraryOf(config)
  return library.verifyRegistration({
    ...expected,
    algorithms: Array.isArray(supportedAlgorithmIDs) ? supportedAlgorithmIDs : offeredByDefault,
    asksAttestation: attestationType !== undefined && attestationType !== "none",
  })
}

/**
 * WebAuthn §7.1: an id that is registered already, for any user, is refused. So is one that is offered for an address without
 * passkeys, or registering it would tell the two apart.
 */
async function expectNew(context: Context, credentialID: string): Promise<void> {
  const { settings, provider } = context
  const isMadeUp = await isDecoy(context, fromBase64(credentialID))
  const known = await settings.store.getAuthenticator(credentialID)
  const owner = await settings.store.getUserByAccount({
    provider: provider?.id ?? "",
    providerAccountId: credentialID,
  })
  if (known || owner || isMadeUp) throw new Error("The credential is registered already.")
}

/** @throws Error for whatever does not fit. */
async function finishAuthentication(context: PasskeyContext, answer: SealedAnswer): Promise<Proof> {
  if (answer.registerData) throw new Error("The challenge was made for a registration.")
  await expectOffered(answer)
  const row = await knownAuthenticator(context, answer)
  const facts = await verifyAuthentication(context, answer, row)
  expectSameKind(row, facts)
  const user = await ownerOf(context, row)
  await expectOwnHandle(context, answer, user)
  const stored = accountOf(context, row)
  const counter = { credentialID: row.credentialID, value: facts.counter }
  const afterwards = noting(context, row, { usedAt: toSeconds(context.now) })
  const account = { ...stored, userId: user.id }
  return { ...passkeyProof, user, account, stored, counter, emailStatus: "unstated", afterwards }
}

/** Noted once the person is let in, or registrations that are refused would fill the store. */
function noting(
  context: Context,
  { credentialID }: Authenticator,
  note: PasskeyNote,
): NonNullable<Proof["afterwards"]> {
  return (userId) => notePasskey(context, { credentialID, userId, note })
}

/** WebAuthn §7.2 step 5: where credentials were named, it is one of them. */
async function expectOffered({ response, offered }: SealedAnswer): Promise<void> {
  if (offered && !offered.includes(await digestOf(response.id))) throw new Error("The credential was not offered.")
}

/** WebAuthn §7.2 step 6: a user handle that comes along is not that of another user. */
async function expectOwnHandle(
  context: PasskeyContext,
  { response }: SealedAnswer,
  { id }: AdapterUser,
): Promise<void> {
  const { userHandle } = response.response
  if (userHandle !== undefined && (await isHandleOfAnother(context, userHandle, id))) {
    throw new Error("The user handle is that of another user.")
  }
}

async function knownAuthenticator(context: PasskeyContext, answer: SealedAnswer): Promise<Authenticator> {
  const { id } = answer.response
  const row = await context.settings.store.getAuthenticator(storedId(id))
  // A store that compares without regard to case could hand out another one.
  if (row && fromRow(row).id === id) return row
  // It takes as long as a wrong signature of one that is registered: whose credentials were named stays unknown.
  await verifyAuthentication(context, answer, standIn(id)).catch(() => undefined)
  throw new Error("The credential is not registered.")
}

async function verifyAuthentication(
  context: PasskeyContext,
  answer: SealedAnswer,
  row: Authenticator,
): Promise<AuthenticatorFacts> {
  const { config } = context.provider
  const { authenticationOptions = {}, verifyAuthenticationOptions = {} } = config
  const requireUserVerification = authenticationOptions["userVerification"] === "required"
  const expected = expectationOf(context, answer, { requireUserVerification, ...verifyAuthenticationOptions })
  const library = await libraryOf(config)
  const credential = fromRow(row)
  const facts = await library.verifyAuthentication(expected, credential)
  expectProgress(credential.counter, facts.counter)
  return facts
}

/** WebAuthn §7.2 step 22: a counter that stands still or runs back means a copy. Authenticators without one send 0 for ever. */
function expectProgress(before: number, now: number): void {
  const countsNothing = before === 0 && now === 0
  if (!countsNothing && !(now > before)) throw new Error("The signature counter did not increase.")
}

const kinds: readonly string[] = ["singleDevice", "multiDevice"]

/** WebAuthn §7.2 step 18: whether a credential may be backed up never changes. */
function expectSameKind({ credentialDeviceType }: Authenticator, { deviceType }: AuthenticatorFacts): void {
  if (kinds.includes(credentialDeviceType) && credentialDeviceType !== deviceType) {
    throw new Error("The backup eligibility of the credential changed.")
  }
}

/** The user of the credential's account. An authenticator whose account was removed signs nobody in. */
async function ownerOf({ settings, provider }: Context, row: Authenticator): Promise<AdapterUser> {
  const account = await settings.store.getAccount(row.providerAccountId, provider?.id ?? "")
  if (!account) throw new Error("The credential has no account.")
  if (row.userId !== undefined && String(row.userId) !== String(account.userId)) {
    throw new Error("The credential and its account belong to different users.")
  }
  const user = await settings.store.getUser(account.userId)
  if (!user) throw new Error("The user of the credential no longer exists.")
  return user
}
