import { describe, expect, it } from "vitest"
import type { Proof } from "../methods/method.js"
import { type AdmissionPolicy, credentialsPolicy, emailPolicy, oauthPolicy, passkeyPolicy } from "../methods/policy.js"
import type { AdapterUser, ProviderType } from "../types/identity.js"
import { decide } from "./decide.js"
import type { Facts } from "./facts.js"

const user = (id: string): AdapterUser => ({ id, email: `${id}@app.test`, emailVerified: null })
const ada = user("ada")
const grace = user("grace")
const candidate = user("candidate")

const ofProvider = oauthPolicy({ callsVerified: false, allowUnverifiedEmail: false })
const policies: Readonly<Record<ProviderType, AdmissionPolicy>> = {
  oauth: ofProvider,
  oidc: ofProvider,
  email: emailPolicy,
  credentials: credentialsPolicy,
  webauthn: passkeyPolicy,
}

type OfProof = Pick<Proof, "emailStatus" | "mayLinkByEmail" | "authenticator" | "counter" | "policy" | "user">
type Given = Partial<Facts & OfProof>

function facts(type: ProviderType, given: Given = {}): Facts {
  const { emailStatus = "unstated", mayLinkByEmail = false, authenticator, counter, ...others } = given
  const { policy = policies[type], user = candidate, ...rest } = others
  const account = { provider: "acme", providerAccountId: "1", type }
  const proof: Proof = {
    kind: "proof",
    user,
    policy,
    account,
    emailStatus,
    mayLinkByEmail,
    stored: undefined,
    returnTo: undefined,
    ...(authenticator && { authenticator }),
    ...(counter && { counter }),
  }
  return {
    proof,
    hasStore: true,
    currentUser: null,
    isOtherVisitor: false,
    accountOwner: null,
    emailOwner: null,
    ownerMayArrive: false,
    hasUnverifying: false,
    ...rest,
  }
}

const entersAs = (entering: AdapterUser): object => ({ kind: "enter", user: entering, isNew: false })

describe("decide, accounts of oauth and oidc", () => {
  for (const type of ["oauth", "oidc"] as const) {
    it.each([
      ["enters as the owner of the account", { accountOwner: ada }, entersAs(ada)],
      ["enters when the owner is here already", { accountOwner: ada, currentUser: ada }, entersAs(ada)],
      [
        "compares ids as text",
        { accountOwner: { ...ada, id: 1 as never }, currentUser: { ...ada, id: "1" } },
        { kind: "enter" },
      ],
      [
        "refuses the account of somebody else while signed in",
        { accountOwner: grace, currentUser: ada },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      ["links a new account to the signed-in user", { currentUser: ada }, { kind: "link", user: ada, isOwner: false }],
      ["registers a stranger", {}, { kind: "register" }],
      [
        "refuses a new account when who began is not here, whatever it could be linked by",
        { isOtherVisitor: true, emailOwner: ada, mayLinkByEmail: true, emailStatus: "verified" as const },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      [
        "enters as the owner also when who began is not here",
        { isOtherVisitor: true, accountOwner: ada },
        entersAs(ada),
      ],
      [
        "refuses a user with the same address unless linking is allowed [spec authentication 5]",
        { emailOwner: ada },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      [
        "links a user with the same address where linking is allowed",
        { emailOwner: ada, mayLinkByEmail: true },
        { kind: "link", user: ada, isOwner: false },
      ],
      [
        "links a user with the same address whose address is vouched for",
        { emailOwner: ada, mayLinkByEmail: true, emailStatus: "verified" as const },
        { kind: "link", isOwner: false },
      ],
      [
        "takes a verified arrival for the owner where a stranger may have been before",
        { emailOwner: ada, mayLinkByEmail: true, emailStatus: "verified" as const, hasUnverifying: true },
        { kind: "link", user: ada, isOwner: true },
      ],
      [
        "takes a verified arrival for the owner of what holds passkeys alone, without the option",
        { emailOwner: ada, emailStatus: "verified" as const, holdings: { hasPasskey: true, isPasskeysOnly: true } },
        { kind: "link", user: ada, isOwner: true },
      ],
      [
        "links by address to nobody who may be a stranger while the address is not verified [A-022]",
        { emailOwner: ada, mayLinkByEmail: true, hasUnverifying: true },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      [
        "links nothing to a session that was begun at an unproven address",
        {
          currentUser: ada,
          ownerMayArrive: true,
          currentSession: { user: ada, session: undefined, unprovenAccount: "m" },
        },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      [
        "refuses a user with the same address whose address is called unverified, also where linking is allowed",
        { emailOwner: ada, mayLinkByEmail: true, emailStatus: "unverified" as const },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      [
        "enters without a store as the candidate, not knowing whether new",
        { hasStore: false },
        { kind: "enter", user: candidate, isNew: undefined },
      ],
    ])(`${type}: %s`, (_, given, expected) => {
      expect(decide(facts(type, given))).toMatchObject(expected)
    })
  }
})

describe("decide, other proofs", () => {
  it.each([
    ["credentials enter as what authorize returned, with a store or without", "credentials", {}, entersAs(candidate)],
    ["an address that is known enters", "email", { emailOwner: ada }, entersAs(ada)],
    ["an address that is unknown registers", "email", {}, { kind: "register" }],
    ["a passkey enters as its owner", "webauthn", { accountOwner: ada }, entersAs(ada)],
    [
      "a passkey of somebody else is refused while signed in",
      "webauthn",
      { accountOwner: grace, currentUser: ada },
      { kind: "refuse", reason: "AccountNotLinked" },
    ],
    ["a new passkey is linked to the signed-in user", "webauthn", { currentUser: ada }, { kind: "link", user: ada }],
    [
      "a new passkey for a taken address is refused",
      "webauthn",
      { emailOwner: ada, mayLinkByEmail: false },
      { kind: "refuse", reason: "AccountNotLinked" },
    ],
    ["a new passkey registers", "webauthn", {}, { kind: "register" }],
  ] as const)("%s", (_, type, given, expected) => {
    expect(decide(facts(type, given))).toMatchObject(expected)
  })
})

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
  const onlyPasskeys = { hasPasskey: true, isPasskeysOnly: true }
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
      { ...verified, emailOwner: ada, holdings: { hasPasskey: true, isPasskeysOnly: false } },
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
      { mayLinkByEmail: true, emailOwner: ada, holdings: { hasPasskey: true, isPasskeysOnly: false } },
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
      { ...verified, mayLinkByEmail: true, emailOwner: ada, holdings: { hasPasskey: true, isPasskeysOnly: false } },
      linked(ada, true),
    ],
  ])("%s is admitted", (_, type, given, expected) => {
    expect(decide(facts(type, given))).toEqual(expected)
  })
})
