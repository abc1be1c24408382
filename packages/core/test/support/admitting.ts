/** A decision of the admission on an adapter that is watched: what is written, in which order, and what fails. */
import { type MockInstance, vi } from "vitest"
import { type Admission, admit } from "../../src/admission/admit.js"
import type { Facts } from "../../src/admission/facts.js"
import type { Proof } from "../../src/methods/method.js"
import type { AdapterUser } from "../../src/types/identity.js"
import { contextOf } from "./facts.js"
import { mailProvider, plainSettings } from "./password-service.js"
import { account, proofFor } from "./proofs.js"

/** A user whose address is not proven. */
export const ada: AdapterUser = { id: "ada", email: "ada@app.test", emailVerified: null }

type Watched = Record<string, MockInstance<() => unknown>>

/** An adapter that does what it is asked, one of its operations perhaps not; each is watched. */
export function adapterOf(operations: Record<string, (...given: never[]) => unknown> = {}): Watched {
  const made = { id: "made", emailVerified: null }
  const all = {
    createUser: async (user: object) => ({ ...user, ...made }),
    linkAccount: async () => {},
    deleteUser: async () => {},
    getUserByAccount: async () => null,
    createAuthenticator: async (given: object) => given,
    getAuthenticator: async () => null,
    updateAuthenticatorCounter: async () => ({}),
    updateUser: async (user: object) => ({ ...ada, ...user }),
    ...operations,
  }
  return Object.fromEntries(Object.entries(all).map(([name, work]) => [name, vi.fn(work as () => unknown)]))
}

/** An admission under way. */
export interface Admitting {
  readonly admitted: Promise<Admission>
  /** What the adapter was asked by then, and what the admission `failed` with. */
  calls(): Promise<Record<string, unknown>>
  readonly error: MockInstance
  readonly proof: Proof
}

const proofOf = proofFor({ id: "candidate", name: "Ada", email: "new@op.test" })

/** Carries out what follows from a proof and from what is known. */
export async function admitting(
  given: Partial<Proof>,
  known: Partial<Facts> = {},
  adapter: Watched = adapterOf(),
): Promise<Admitting> {
  const error = vi.fn()
  const logger = { ...plainSettings.logger, error }
  const config = { providers: [mailProvider(() => {})], ...plainSettings, logger, adapter: adapter as never }
  const context = await contextOf("https://app.test/auth/session", { config })
  const proof = proofOf({ account: { ...account, access_token: "token" }, ...given })
  const nobody = { currentUser: null, isOtherVisitor: false, accountOwner: null, emailOwner: null }
  const facts: Facts = { proof, hasStore: true, ...nobody, ownerMayArrive: true, hasUnverifying: true, ...known }
  const admitted = admit(context, { facts, store: context.settings.store })
  const calls = async (): Promise<Record<string, unknown>> => {
    const failed = await admitted.then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    const made = Object.entries(adapter).filter(([, one]) => one.mock.calls.length > 0)
    return { failed, ...Object.fromEntries(made.map(([name, one]) => [name, one.mock.calls])) }
  }
  return { admitted, calls, error, proof }
}
