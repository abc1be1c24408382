/** A registration is finished: the new credential is verified and becomes an account with its authenticator. */
import type { Context } from "../../context/context.js"
import { randomUuid } from "../../crypto/token.js"
import { selectStrategy } from "../../sessions/jwt.js"
import type { AdapterUser, User } from "../../types/identity.js"
import type { Proof } from "../method.js"
import { passkeyPolicy } from "../policy.js"
import type { CeremonyResponse, NewCredential } from "./ceremony.js"
import { libraryOf } from "./library.js"
import { type PasskeyContext, partyOf } from "./party.js"
import { toRow } from "./stored.js"
import { expectRemovable } from "./subject.js"

/** An answer and what was sealed when its options were made. */
export interface SealedAnswer {
  readonly response: CeremonyResponse
  readonly challenge: string
  readonly registerData?: unknown
  readonly offered?: readonly string[]
}

// The library's own default: EdDSA, ES256, RS256.
const offeredByDefault: readonly number[] = [-8, -7, -257]

/** @throws Error for whatever does not fit. */
export async function finishRegistration(context: PasskeyContext, answer: SealedAnswer): Promise<Proof> {
  const user = await registrant(context, answer.registerData)
  const credential = await verify(context, answer)
  const authenticator = toRow(credential, answer.response.transports)
  await expectNew(context, authenticator.credentialID)
  const { id: provider } = context.provider
  const stored = { provider, providerAccountId: authenticator.providerAccountId, type: "webauthn" as const }
  return {
    kind: "proof",
    policy: passkeyPolicy,
    user,
    account: stored,
    stored,
    authenticator,
    emailStatus: "unverified",
    mayLinkByEmail: false,
    returnTo: undefined,
  }
}

/** Who registers: the same person, signed in or not, that the options were made for. */
async function registrant(context: PasskeyContext, registerData: unknown): Promise<User | AdapterUser> {
  if (typeof registerData !== "object" || registerData === null)
    throw new Error("The challenge was made for signing in.")
  const data = registerData as User
  const presence = await selectStrategy(context.settings).peek(context)
  const here = presence?.user
  if (String(here?.id ?? "") !== String(data.id ?? "")) throw new Error("The challenge was made for another user.")
  if (here) return here
  expectRemovable(context)
  return { ...data, id: randomUuid() }
}

async function verify(context: PasskeyContext, { response, challenge }: SealedAnswer): Promise<NewCredential> {
  const { config } = context.provider
  const { registrationOptions = {}, verifyRegistrationOptions = {} } = config
  const { id: rpId, origins } = partyOf(context)
  const { supportedAlgorithmIDs, attestationType, authenticatorSelection } = registrationOptions
  const { userVerification } = (authenticatorSelection ?? {}) as { userVerification?: unknown }
  const library = await libraryOf(config)
  return library.verifyRegistration({
    response,
    challenge,
    rpId,
    origins,
    options: { requireUserVerification: userVerification === "required", ...verifyRegistrationOptions },
    algorithms: Array.isArray(supportedAlgorithmIDs) ? supportedAlgorithmIDs : offeredByDefault,
    asksAttestation: attestationType !== undefined && attestationType !== "none",
  })
}

/** WebAuthn §7.1: an id that is registered already, for whomever, opens no door a second time. */
async function expectNew({ settings, provider }: Context, credentialID: string): Promise<void> {
  const known = await settings.store.getAuthenticator(credentialID)
  const owner = await settings.store.getUserByAccount({
    provider: provider?.id ?? "",
    providerAccountId: credentialID,
  })
  if (known || owner) throw new Error("The credential is registered already.")
}
