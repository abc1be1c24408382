/**
 * The sources whose mistakes would be security holes, by area. `near` are the tests that notice most changes within a
 * second; what they do not notice is tried once more with `far`, the tests of whole requests.
 */
const core = (...paths) => paths.map((path) => `packages/core/${path}`)
const attacks = (...names) => core(...names.map((name) => `test/attack/${name}.test.ts`))
const flows = (...names) => core(...names.map((name) => `test/flow/${name}.test.ts`))
const spec = (...names) => core(...names.map((name) => `test/spec/${name}.test.ts`))

export const areas = {
  /** State, PKCE and nonce, the challenge of a passkey, and to which sign-in of a browser they belong. */
  checks: {
    mutate: core(
      "src/checks/{oauth,sealed,flows,challenge}.ts",
      "src/context/flow.ts",
      "src/methods/session-binding.ts",
    ),
    near: core("src/checks/*.test.ts", "src/context/flow.test.ts", "src/methods/webauthn/*.test.ts"),
    far: [
      ...attacks(
        "state-swap",
        "sealed-values",
        "parallel-tabs",
        "flow-of-another",
        "flow-of-an-earlier-session",
        "cookie-tossing",
        "provider-mix-up",
      ),
      ...core("test/flow/oauth/*.test.ts"),
    ],
  },
  /** Who may send a request, which address a browser may be sent to, and the order of the checks of a request. */
  gate: {
    mutate: core(
      "src/http/{origin,action-url}.ts",
      "src/context/return-to.ts",
      "src/std/url.ts",
      "src/engine/pipeline.ts",
    ),
    near: core(
      "src/http/{origin,action-url,incoming}.test.ts",
      "src/context/return-to.test.ts",
      "src/std/url.test.ts",
      "src/engine/{pipeline,pipeline-faults}.test.ts",
    ),
    far: [
      ...attacks("safe-methods", "without-protection", "unread-body", "any-request", "said-twice", "changed-meanwhile"),
      ...flows("statuses", "server-response", "deadlines", "limits", "proxies", "public-object", "faults-thrown"),
    ],
  },
  /** Names, attributes and chunks of cookies, reading and writing them. */
  cookies: {
    mutate: core("src/http/{cookies,outgoing,set-cookie-fields}.ts", "src/std/cookie.ts", "src/config/cookies.ts"),
    near: core(
      "src/http/{cookies,outgoing,set-cookie-fields}.test.ts",
      "src/std/cookie.test.ts",
      "src/config/cookies.test.ts",
    ),
    far: [
      ...attacks("cookie-tossing", "header-split", "session-fixation", "parallel-tabs"),
      ...flows("server-response"),
    ],
  },
  /** The token against forged requests. */
  csrf: {
    mutate: core("src/context/csrf.ts"),
    near: core("src/context/csrf.test.ts"),
    far: [...attacks("safe-methods", "without-protection", "unread-body"), ...flows("statuses")],
  },
  /** Links that sign in once. */
  tokens: {
    mutate: core("src/methods/email/{token,finish,begin}.ts", "src/context/email-address.ts"),
    near: core("src/methods/email/*.test.ts", "src/context/email-address.test.ts"),
    far: [
      ...attacks("email-token-reuse", "email-takeover", "unproven-address", "confirmed-link"),
      ...attacks("link-of-another-provider"),
      ...flows("known-browser"),
    ],
  },
  /** The id_token: its claims, and the signature, confirmed by the runtime or by the library. */
  "id-token": {
    mutate: core("src/methods/oauth/{id-token,keys}.ts", "src/crypto/signature.ts"),
    near: core(
      "src/crypto/signature.test.ts",
      "src/methods/oauth/{id-token,id-token-edges}.test.ts",
      "test/flow/oauth/{key-set,token-issuer}.test.ts",
    ),
    far: [
      ...core("src/methods/oauth/{confirm,exchange}.test.ts", "test/flow/oauth/*.test.ts"),
      ...attacks("hostile-answers", "provider-mix-up", "tenants"),
    ],
  },
  /** Whether a verified person is admitted, and as which user. */
  admission: {
    mutate: [...core("src/admission/*.ts"), "!packages/core/src/admission/*.test.ts"],
    near: [
      ...core("src/admission/*.test.ts"),
      ...attacks("overtaken-owner", "id-given-again", "time-of-sign-in", "renewed-while-ended", "own-session-tokens"),
      ...attacks("added-while-ended", "registered-meanwhile", "removed-meanwhile", "failed-newcomer"),
      ...attacks("address-changed-while-proven", "renewed-while-owner-arrives"),
      ...flows("announced-before-a-failure"),
    ],
    far: [
      ...attacks("email-takeover", "unproven-address", "flow-of-another", "session-fixation"),
      ...attacks("claimed-domains", "tenants", "confirmed-link", "added-account", "mail-added-later"),
      ...attacks("own-encode", "prepared-account", "provider-taken-away", "proven-by-event"),
      ...attacks("unstated-address", "folded-account", "folded-address", "one-issuer-twice"),
      ...attacks("claimed-proof", "another-address", "number-of-another", "dropped-scope", "renewed-while-ended"),
      ...flows("first-sign-in", "faults-race", "faults-outcomes", "passkeys", "kept-tokens", "trail"),
      ...spec("accounts", "people", "states", "callbacks", "events", "adapter"),
    ],
  },
  /** Both kinds of sessions: begun, read, extended, listed, ended. */
  sessions: {
    mutate: [
      ...core("src/sessions/*.ts", "src/ledger/{session,epoch,seal,ended}.ts"),
      "!packages/core/src/sessions/*.test.ts",
    ],
    near: [
      ...core("src/sessions/*.test.ts", "src/ledger/*.test.ts"),
      ...flows("managed-sessions", "managed-races", "changed-token", "jwt-callback", "trail"),
      ...flows("who-is-signed-in", "exposed", "unopened-sessions"),
      ...attacks("older-tokens", "ended-twice", "acting", "added-account", "revoked-session"),
      ...attacks("session-fixation", "rotated-secret", "ended-elsewhere", "own-encode", "own-session-tokens"),
      ...attacks("update-of-another", "renewed-while-ended", "read-while-ended", "extended-while-renewed"),
      ...attacks("ended-under-way", "replaced-token-takes-away", "two-steps-of-one-request", "update-without-end"),
      ...attacks(
        "added-while-ended",
        "numeric-ids",
        "acting-blocked",
        "ended-before-a-new-secret",
        "read-while-resealed",
      ),
      ...attacks(
        "parallel-first-reads",
        "rows-from-before",
        "ended-by-a-sign-in",
        "acting-beside-owner",
        "rounded-rows",
      ),
      ...spec("in-process"),
    ],
    far: [
      ...attacks("replaced-secret-records", "handed-out-secrets"),
      ...flows("replayed-sessions"),
      ...spec("callbacks", "records", "events"),
    ],
  },
  /** How many tries a person and a network have. */
  limits: {
    mutate: core(
      "src/context/{tries,counters,count-keys,typed,name-readings,no-answer,known-browser}.ts",
      "src/ports/limiter.ts",
      "src/config/{budgets,account-fields,field-kinds,name-words}.ts",
      "src/engine/limits-control.ts",
    ),
    near: [
      ...core(
        "src/context/{tries,typed,count-keys,name-readings,known-browser}.test.ts",
        "src/ports/limiter.test.ts",
        "src/config/{budgets,account-fields,field-kinds,name-words}.test.ts",
      ),
      ...flows("limits", "known-browser"),
      ...attacks("uncounted-guesses", "any-field"),
    ],
    far: [
      ...spec("limits"),
      ...flows("proxies", "tracing", "passkeys"),
      ...attacks(
        "known-browser",
        "costly-logs",
        "known-and-unknown",
        "guessed-codes",
        "look-alike-names",
        "names-of-others",
        "thrown-answers",
        "two-fields",
        "email-takeover",
        "confirmed-link",
      ),
    ],
  },
}
