/** Which plans of the suite are run, with which options, and what each module is expected to say. */

/**
 * What the application does in a module, where one sign-in is not all: `twice` signs in again with the same service,
 * `third-party` goes where the suite sends the browser,
 * `begin` does not go on to the provider.
 *
 * @typedef {"once" | "begin" | "twice" | "third-party"} Visit
 * @typedef {{ name: string, title: string, variant: Record<string, string>, formPost?: boolean, refresh?: boolean, note?: string }} Plan
 */

const fixed = { request_type: "plain_http_request", client_registration: "static_client" }
const basic = { client_auth_type: "client_secret_basic" }
const code = { ...fixed, ...basic, response_type: "code", response_mode: "default" }

/** @type {readonly Plan[]} */
export const plans = [
  { name: "oidcc-client-basic-certification-test-plan", title: "Basic", variant: fixed },
  {
    name: "oidcc-client-config-certification-test-plan",
    title: "Config",
    variant: { ...fixed, ...basic, response_mode: "default" },
  },
  { name: "oidcc-client-formpost-basic-certification-test-plan", title: "Form Post", variant: fixed, formPost: true },
  {
    name: "oidcc-client-refreshtoken-test-plan",
    title: "Refresh Token",
    variant: code,
    refresh: true,
    note: "The library hands the tokens of a sign-in to the application; what refreshes them and refuses the answers is the application's `jwt` callback, in conformance/refresh.mjs",
  },
  {
    name: "oidcc-client-test-3rd-party-init-login-test-plan",
    title: "Third-party-initiated login",
    variant: { ...code, client_registration: "dynamic_client" },
    note: "The page that starts the sign-in is the application's; it calls `signIn` of the library. The run registers the application before the module begins, because the module starts at the registration",
  },
  { name: "oidcc-client-rp-initiated-logout-rp-basic", title: "RP-initiated logout", variant: { ...fixed, ...basic } },
  { name: "oidcc-client-back-channel-logout-rp-basic", title: "Back-channel logout", variant: { ...fixed, ...basic } },
]

/**
 * Modules that differ from the usual one, where the application signs a person in once and reads the profile from the
 * userinfo endpoint. Two end earlier, with the discovery document and with the keys, and take every later request for a
 * failure.
 *
 * @type {Readonly<Record<string, { visit?: Visit, idToken?: true }>>}
 */
const modules = {
  "oidcc-client-test-discovery-openid-config": { visit: "begin" },
  "oidcc-client-test-discovery-jwks-uri-keys": { idToken: true },
  "oidcc-client-test-signing-key-rotation": { visit: "twice" },
  "oidcc-client-test-3rd-party-init-login": { visit: "third-party" },
}

/**
 * @param {string} module
 * @returns {{ visit: Visit, idToken: boolean }}
 */
export const behaviourIn = (module) => ({ visit: "once", idToken: false, ...modules[module] })

/**
 * Verdicts other than `PASSED` that are the right ones, and why.
 *
 * @type {Readonly<Record<string, { verdict: string, why: string }>>}
 */
export const expected = {
  "oidcc-client-test-idtoken-sig-none": {
    verdict: "SKIPPED",
    why: "An unsigned id_token is refused. Clients need not accept one, and the suite says so: it ends the module as skipped.",
  },
}

/**
 * Plans for what the library does not offer: run all the same, so that the page says what happens.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const unserved = {
  "oidcc-client-rp-initiated-logout-rp-basic":
    "The library does not send people to the provider's end of session, so these modules wait in vain",
  "oidcc-client-back-channel-logout-rp-basic":
    "The library has no endpoint for logout tokens, so these modules wait in vain",
}
