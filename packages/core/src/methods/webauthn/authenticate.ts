/** Finishes an authentication: the signature is verified with the stored key, which identifies the user. */
import type { Context } from "../../context/context.js"
import type { Authenticator } from "../../types/credential.js"
import type { AdapterUser } from "../../types/identity.js"
import type { Proof } from "../method.js"
import { passkeyPolicy } from "../policy.js"
import type { AuthenticatorFacts } from "./ceremony.js"
import { digestOf, isHandleOfAnother } from "./keyed.js"
import { libraryOf } from "./library.js"
import { type PasskeyContext, partyOf } from "./party.js"
import type { SealedAnswer } from "./register.js"
import { fromRow, storedId } from "./stored.js"

/** @throws Error for whatever does not fit. */
export async function finishAuthentication(context: PasskeyContext, answer: SealedAnswer): Promise<Proof> {
  if (answer.registerData) throw new Error("The challenge was made for a registration.")
  await expectOffered(answer)
  const row = await knownAuthenticator(context, answer.response.id)
  const facts = await verify(context, answer, row)
  expectSameKind(row, facts)
  const user = await ownerOf(context, row)
  await expectOwnHandle(context, answer, user)
  const { id: provider } = context.provider
  const stored = { provider, providerAccountId: row.providerAccountId, type: "webauthn" as const }
  return {
    kind: "proof",
    policy: passkeyPolicy,
    user,
    account: { ...stored, userId: user.id },
    stored,
    counter: { credentialID: row.credentialID, value: facts.counter },
    emailStatus: "unstated",
    mayLinkByEmail: false,
    returnTo: undefined,
  }
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

async function knownAuthenticator({ settings }: Context, id: string): Promise<Authenticator> {
  const row = await settings.store.getAuthenticator(storedId(id))
  // A store that compares without regard to case could hand out another one.
  if (!row || fromRow(row).id !== id) throw new Error("The credential is not registered.")
  return row
}

async function verify(
  context: PasskeyContext,
  { response, challenge }: SealedAnswer,
  row: Authenticator,
): Promise<AuthenticatorFacts> {
  const { config } = context.provider
  const { authenticationOptions = {}, verifyAuthenticationOptions = {} } = config
  const { id: rpId, origins } = partyOf(context)
  const requireUserVerification = authenticationOptions["userVerification"] === "required"
  const library = await libraryOf(config)
  const credential = fromRow(row)
  const facts = await library.verifyAuthentication(
    { response, challenge, rpId, origins, options: { requireUserVerification, ...verifyAuthenticationOptions } },
    credential,
  )
  expectProgress(credential.counter, facts.counter)
  return facts
}

/** WebAuthn §7.2 step 22: a counter that stands still or runs back means a copy. Authenticators without one send 0 for ever. */
function expectProgress(before: number, now: number): void {
  const countsNothing = before === 0 && now === 0
  if (!countsNothing && !(now > before)) throw new Error("The signature counter did not grow.")
}

const kinds: readonly string[] = ["singleDevice", "multiDevice"]

/** WebAuthn §7.2 step 18: whether a credential may be backed up never changes. */
function expectSameKind({ credentialDeviceType }: Authenticator, { deviceType }: AuthenticatorFacts): void {
  if (kinds.includes(credentialDeviceType) && credentialDeviceType !== deviceType) {
    throw new Error("The backup eligibility of the credential changed.")
  }
}

/** The user of the credential's account. An authenticator without its account was expelled and opens nothing. */
async function ownerOf({ settings, provider }: Context, row: Authenticator): Promise<AdapterUser> {
  const account = await settings.store.getAccount(row.providerAccountId, provider?.id ?? "")
  if (!account) throw new Error("The credential has no account.")
  if (row.userId !== undefined && String(row.userId) !== String(account.userId)) {
    throw new Error("The credential and its account belong to different users.")
  }
  const user = await settings.store.getUser(account.userId)
  if (!user) throw new Error("The user of the credential is gone.")
  return user
}
