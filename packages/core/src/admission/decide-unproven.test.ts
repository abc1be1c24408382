import { describe, expect, it } from "vitest"
import { ada, entersAs, facts, type Given, ofProvider, policies } from "../../test/support/decisions.js"
import { oauthPolicy } from "../methods/policy.js"
import type { AdapterUser, ProviderType } from "../types/identity.js"
import { decide } from "./decide.js"

describe("decide, what proves too little", () => {
  const begunUnproven = { user: ada, session: undefined, unprovenAccount: "m" }
  const verified = { emailStatus: "verified" as const }
  const begunHere = {
    currentUser: { ...ada, email: "Ada@App.test" },
    ownerMayArrive: true,
    currentSession: begunUnproven,
  }
  const verifying = oauthPolicy({ callsVerified: true, allowUnverifiedEmail: false })
  const provesAdas = { ...verified, policy: verifying, user: { id: "c", email: ada.email } }
  const onlyPasskeys = { hasUnproven: true, hasProven: false, isPasskeysOnly: true }
  const withoutAccounts = { hasUnproven: false, hasProven: false, isPasskeysOnly: false }
  const proven = { ...ada, emailVerified: new Date(0) }
  const refused = (type: ProviderType): object => ({ kind: "refuse", reason: policies[type].refusal })
  const linked = (to: AdapterUser, isOwner = false): object => ({ kind: "link", user: to, isOwner })

  it.each<[string, ProviderType, Given, object]>([
    [
      "a new credential with the id of one that somebody has, of a visitor",
      "webauthn",
      { accountOwner: ada, authenticator: {} as never },
      refused("webauthn"),
    ],
    ["a passkey whose account is gone", "webauthn", { counter: { credentialID: "c", value: 1 } }, refused("webauthn")],
    [
      "a passkey whose account is gone, in a session",
      "webauthn",
      { counter: { credentialID: "c", value: 1 }, currentUser: ada },
      refused("webauthn"),
    ],
    [
      "a verified address of a user who holds more than passkeys",
      "oidc",
      { ...verified, emailOwner: ada, holdings: { hasUnproven: true, hasProven: false, isPasskeysOnly: false } },
      refused("oidc"),
    ],
    ["a verified address of a user who holds nothing known", "oidc", { ...verified, emailOwner: ada }, refused("oidc")],
    [
      "an address that is not called verified, of a user with passkeys alone",
      "oidc",
      { emailOwner: ada, holdings: onlyPasskeys },
      refused("oidc"),
    ],
    [
      "a verified address of a user with passkeys alone who has proven it",
      "oidc",
      { ...verified, emailOwner: proven, holdings: onlyPasskeys },
      refused("oidc"),
    ],
    [
      "to a session begun at an unproven address, an account with another address",
      "oidc",
      { ...begunHere, ...provesAdas, user: { id: "c", email: "eve@app.test" } },
      refused("oidc"),
    ],
    [
      "to a session begun at an unproven address, an account with the address unverified",
      "oidc",
      { ...begunHere, ...provesAdas, emailStatus: "unstated" },
      refused("oidc"),
    ],
    [
      "to a session begun at an unproven address, an account of a provider not known to verify",
      "oidc",
      { ...begunHere, ...provesAdas, policy: ofProvider },
      refused("oidc"),
    ],
    [
      "an address that may be linked by, of a user with a passkey who never proved it",
      "oidc",
      {
        mayLinkByEmail: true,
        emailOwner: ada,
        holdings: { hasUnproven: true, hasProven: false, isPasskeysOnly: false },
      },
      refused("oidc"),
    ],
  ])("%s is refused", (_, type, given, expected) => {
    expect(decide(facts(type, given))).toEqual(expected)
  })

  it.each<[string, ProviderType, Given, object]>([
    [
      "a credential of the signed-in user, once more",
      "webauthn",
      { accountOwner: ada, currentUser: ada, authenticator: {} as never },
      entersAs(ada),
    ],
    [
      "a passkey to a session that was begun at an unproven address",
      "webauthn",
      { currentUser: ada, ownerMayArrive: true, currentSession: begunUnproven },
      linked(ada),
    ],
    [
      "an account to such a session where no owner of the address may arrive",
      "oidc",
      { currentUser: ada, currentSession: begunUnproven },
      linked(ada),
    ],
    [
      "an account to such a session that proves its address",
      "oidc",
      { ...begunHere, ...provesAdas },
      linked({ ...ada, email: "Ada@App.test" }),
    ],
    [
      "an account to a session that was begun otherwise",
      "oidc",
      { currentUser: ada, ownerMayArrive: true, currentSession: { user: ada, session: undefined } },
      linked(ada),
    ],
    [
      "an address that may be linked by and was proven, whatever others hold",
      "oidc",
      { mayLinkByEmail: true, emailOwner: proven, hasUnverifying: true, holdings: onlyPasskeys },
      linked(proven),
    ],
    [
      "a verified address that may be linked by, of a user with a passkey: as its owner",
      "oidc",
      {
        ...verified,
        mayLinkByEmail: true,
        emailOwner: ada,
        holdings: { hasUnproven: true, hasProven: false, isPasskeysOnly: false },
      },
      linked(ada, true),
    ],
    [
      "a verified address that may be linked by, of a user without accounts: as its owner",
      "oidc",
      { ...verified, mayLinkByEmail: true, emailOwner: ada, holdings: withoutAccounts },
      linked(ada, true),
    ],
    [
      "a verified address that may be linked by, of a user whose account proves it: as any other account",
      "oidc",
      { ...verified, mayLinkByEmail: true, emailOwner: ada, holdings: { ...withoutAccounts, hasProven: true } },
      linked(ada),
    ],
  ])("%s is admitted", (_, type, given, expected) => {
    expect(decide(facts(type, given))).toEqual(expected)
  })
})
