import { expect, it } from "vitest"
import { noon } from "../../test/support/facts.js"
import { toSeconds } from "../std/time.js"
import type { Policy, SessionProof } from "../types/session-facts.js"
import { meets, strengthOf } from "./policy.js"

const now = toSeconds(noon)
const proof = (how: SessionProof["how"], more: Partial<SessionProof> = {}): SessionProof => ({ how, at: now, ...more })
const password = proof("credentials")
const passkey = proof("webauthn")

it.each<[readonly SessionProof[], "mfa" | "phr" | undefined]>([
  [[], undefined],
  [[password], undefined],
  [[passkey], undefined],
  [[passkey, passkey], undefined],
  [[password, passkey], "mfa"],
  [[proof("oidc"), passkey], "mfa"],
  [[proof("oauth"), passkey], "mfa"],
  [[proof("oauth"), password], undefined],
  [[proof("oauth"), proof("oidc")], undefined],
  [[proof("email"), passkey], undefined],
  [[proof("email"), password], undefined],
  [[proof("webauthn", { acr: "mfa" })], "mfa"],
  [[proof("webauthn", { acr: "phr" })], "phr"],
  [[proof("oidc", { acr: "mfa" }), proof("webauthn", { acr: "phr" })], "phr"],
])("the proofs %j are as strong as %s", (proofs, expected) => {
  expect(strengthOf(proofs)).toBe(expected)
})

it.each<[string, readonly SessionProof[], Policy, boolean]>([
  ["nothing is asked", [], {}, true],
  ["no proof is asked for, and none is there", [], { maxAge: 60 }, false],
  ["the last second", [proof("credentials", { at: now - 60 })], { maxAge: 60 }, true],
  ["a second too old", [proof("credentials", { at: now - 61 })], { maxAge: 60 }, false],
  ["a clock that is ten minutes ahead", [proof("credentials", { at: now + 600 })], { maxAge: 60 }, true],
  ["a clock that was further ahead", [proof("credentials", { at: now + 601 })], { maxAge: 60 }, false],
  [
    "a clock that was further ahead, and no age is asked for",
    [proof("webauthn", { at: now + 601 }), password],
    { acr: "mfa" },
    true,
  ],
  ["one of two is new enough", [proof("credentials", { at: 0 }), passkey], { maxAge: 60 }, true],
  ["the person was not asked", [proof("oidc", { passive: true })], { maxAge: 60 }, false],
  ["nobody minds", [proof("oidc", { passive: true })], { maxAge: 60, passive: true }, true],
  ["two factors", [password, passkey], { acr: "mfa" }, true],
  ["one factor", [passkey], { acr: "mfa" }, false],
  ["one that no page can phish", [proof("webauthn", { acr: "phr" })], { acr: "phr" }, true],
  ["more than two factors", [proof("webauthn", { acr: "phr" })], { acr: "mfa" }, true],
  ["two that can be phished", [password, passkey], { acr: "phr" }, false],
  ["two factors, one too old", [proof("credentials", { at: 0 }), passkey], { acr: "mfa", maxAge: 60 }, false],
  ["two factors, one of them passive", [proof("oidc", { passive: true }), passkey], { acr: "mfa" }, true],
  [
    "two factors, one passive and limited",
    [proof("oidc", { passive: true }), passkey],
    { acr: "mfa", maxAge: 9 },
    false,
  ],
])("a policy is met: %s", (_, proofs, policy, expected) => {
  expect(meets({ id: "session", startedAt: 0, proofs }, policy, noon)).toBe(expected)
})
