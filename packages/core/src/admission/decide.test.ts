import { describe, expect, it } from "vitest"
import { ada, candidate, entersAs, facts, grace } from "../../test/support/decisions.js"
import { decide } from "./decide.js"

describe("decide, an account that the store may take for another one", () => {
  const lookAlike = { isLookAlike: true } as const
  it.each([
    ["is not registered", {}],
    ["is not linked to the signed-in user", { currentUser: ada }],
    ["is not linked by address", { emailOwner: ada, mayLinkByEmail: true }],
  ])("%s", (_, given) => {
    expect(decide(facts("oidc", { ...given, ...lookAlike }))).toEqual({ kind: "refuse", reason: "AccessDenied" })
  })

  it("signs in as its owner, who has it already", () => {
    expect(decide(facts("oidc", { accountOwner: ada, ...lookAlike }))).toEqual(entersAs(ada))
  })
})

describe("decide, a session that does not meet the policy of accounts", () => {
  it.each(["oidc", "webauthn"] as const)("gets no account: %s", (type) => {
    const given = { currentUser: ada, isStale: true as const }
    expect(decide(facts(type, given))).toEqual({ kind: "refuse", reason: "ReauthenticationRequired" })
    expect(decide(facts(type, { ...given, accountOwner: ada }))).toEqual(entersAs(ada))
  })
})

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
        {
          emailOwner: ada,
          emailStatus: "verified" as const,
          holdings: { hasUnproven: true, hasProven: false, isPasskeysOnly: true },
        },
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
