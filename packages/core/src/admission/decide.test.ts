import { describe, expect, it } from "vitest"
import type { Proof } from "../methods/method.js"
import type { AdapterUser, ProviderType } from "../types/identity.js"
import { decide } from "./decide.js"
import type { Facts } from "./facts.js"

const user = (id: string): AdapterUser => ({ id, email: `${id}@app.test`, emailVerified: null })
const ada = user("ada")
const grace = user("grace")
const candidate = user("candidate")

function facts(type: ProviderType, given: Partial<Facts & Pick<Proof, "email" | "mayLinkByEmail">> = {}): Facts {
  const { email = "unstated", mayLinkByEmail = false, ...rest } = given
  const account = { provider: "acme", providerAccountId: "1", type }
  const proof: Proof = {
    kind: "proof",
    user: candidate,
    account,
    email,
    mayLinkByEmail,
    stored: undefined,
    returnTo: undefined,
  }
  return {
    proof,
    hasStore: true,
    here: null,
    hasLeft: false,
    owner: null,
    namesake: null,
    hasMail: false,
    hasUnverifying: false,
    ...rest,
  }
}

const entersAs = (entering: AdapterUser): object => ({ kind: "enter", user: entering, isNew: false })

describe("decide, accounts of oauth and oidc", () => {
  for (const type of ["oauth", "oidc"] as const) {
    it.each([
      ["enters as the owner of the account", { owner: ada }, entersAs(ada)],
      ["enters when the owner is here already", { owner: ada, here: ada }, entersAs(ada)],
      ["compares ids as text", { owner: { ...ada, id: 1 as never }, here: { ...ada, id: "1" } }, { kind: "enter" }],
      [
        "refuses the account of somebody else while signed in",
        { owner: grace, here: ada },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      ["links a new account to whoever is here", { here: ada }, { kind: "link", user: ada, isOwner: false }],
      ["registers a stranger", {}, { kind: "register" }],
      [
        "refuses a new account when who began is not here, whatever it could be linked by",
        { hasLeft: true, namesake: ada, mayLinkByEmail: true, email: "verified" as const },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      ["enters as the owner also when who began is not here", { hasLeft: true, owner: ada }, entersAs(ada)],
      [
        "refuses a namesake unless linking is allowed [spec authentication 5]",
        { namesake: ada },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      [
        "links a namesake where linking is allowed",
        { namesake: ada, mayLinkByEmail: true },
        { kind: "link", user: ada, isOwner: false },
      ],
      [
        "links a namesake whose address is vouched for",
        { namesake: ada, mayLinkByEmail: true, email: "verified" as const },
        { kind: "link", isOwner: false },
      ],
      [
        "takes a verified arrival for the owner where a stranger may have been before",
        { namesake: ada, mayLinkByEmail: true, email: "verified" as const, hasUnverifying: true },
        { kind: "link", user: ada, isOwner: true },
      ],
      [
        "takes a verified arrival for the owner of what holds passkeys alone, without the option",
        { namesake: ada, email: "verified" as const, holdings: { hasPasskey: true, isPasskeysOnly: true } },
        { kind: "link", user: ada, isOwner: true },
      ],
      [
        "links by address to nobody who may be a stranger while the address is not verified [A-022]",
        { namesake: ada, mayLinkByEmail: true, hasUnverifying: true },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      [
        "links nothing to a session that was begun at an unproven address",
        { here: ada, hasMail: true, presence: { user: ada, session: undefined, mark: "m" } },
        { kind: "refuse", reason: "OAuthAccountNotLinked" },
      ],
      [
        "refuses a namesake whose address is called unverified, also where linking is allowed",
        { namesake: ada, mayLinkByEmail: true, email: "unverified" as const },
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
    ["an address that is known enters", "email", { namesake: ada }, entersAs(ada)],
    ["an address that is unknown registers", "email", {}, { kind: "register" }],
    ["a passkey enters as its owner", "webauthn", { owner: ada }, entersAs(ada)],
    [
      "a passkey of somebody else is refused while signed in",
      "webauthn",
      { owner: grace, here: ada },
      { kind: "refuse", reason: "AccountNotLinked" },
    ],
    ["a new passkey is linked to whoever is here", "webauthn", { here: ada }, { kind: "link", user: ada }],
    [
      "a new passkey for a taken address is refused",
      "webauthn",
      { namesake: ada, mayLinkByEmail: false },
      { kind: "refuse", reason: "AccountNotLinked" },
    ],
    ["a new passkey registers", "webauthn", {}, { kind: "register" }],
  ] as const)("%s", (_, type, given, expected) => {
    expect(decide(facts(type, given))).toMatchObject(expected)
  })
})
