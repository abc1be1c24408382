/** Which plans of the suite are run, with which options, and what each module is expected to say. */

/**
 * What the application does in a module, where one sign-in is not all: `twice` signs in again with the same service,
 * `third-party` goes where the suite sends the browser,
 * `begin` does not go on to the provider.
 *
 * @typedef {"once" | "begin" | "twice" | "third-party"} Visit
 * @typedef {{ visit?: Visit, idToken?: true, signedBy?: "ES256" | "HS256" }} Behaviour
 * @typedef {{
 *   name: string,
 *   title: string,
 *   variant: Record<string, string>,
 *   formPost?: boolean,
 *   refresh?: boolean,
 *   note?: string,
 *   only?: readonly string[],
 * }} Plan
 */

const fixed = { request_type: "plain_http_request", client_registration: "static_client" }
const basic = { client_auth_type: "client_secret_basic" }
const code = { ...fixed, ...basic, response_type: "code", response_mode: "default" }
const comprehensive = "oidcc-client-test-plan"
const twoModules = "Two modules of that plan: the others do not depend on this variant."

/** Methods of client authentication at the token endpoint (OpenID Connect Core §9), besides `client_secret_basic`. */
const otherAuthentication = ["client_secret_post", "client_secret_jwt", "private_key_jwt"]

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
    note: "The library hands the tokens of a sign-in to the application; what refreshes them and refuses the answers is the application's `jwt` callback, in conformance/refresh.mjs.",
  },
  {
    name: "oidcc-client-test-3rd-party-init-login-test-plan",
    title: "Third-party-initiated login",
    variant: { ...code, client_registration: "dynamic_client" },
    note: "The page that starts the sign-in is the application's; it calls `signIn` of the library. The run registers the application before the module begins, because the module starts at the registration.",
  },
  {
    name: comprehensive,
    title: "Comprehensive",
    variant: code,
    note: "It includes what no certification asks for: other signature algorithms, a signed userinfo response, aggregated and distributed claims.",
  },
  {
    name: comprehensive,
    title: "Comprehensive: form_post",
    variant: { ...code, response_mode: "form_post" },
    formPost: true,
    only: ["oidcc-client-test", "oidcc-client-test-form-post-error"],
    note: twoModules,
  },
  ...otherAuthentication.map((method) => ({
    name: comprehensive,
    title: `Comprehensive: ${method}`,
    variant: { ...code, client_auth_type: method },
    only: ["oidcc-client-test", "oidcc-client-test-signing-key-rotation"],
    note: twoModules,
  })),
  { name: "oidcc-client-rp-initiated-logout-rp-basic", title: "RP-initiated logout", variant: { ...fixed, ...basic } },
  { name: "oidcc-client-back-channel-logout-rp-basic", title: "Back-channel logout", variant: { ...fixed, ...basic } },
]

/**
 * Modules that differ from the usual one, where the application signs a person in once and reads the profile from the
 * userinfo endpoint. Some end earlier, with the discovery document or with the keys, and take every later request for a
 * failure; some expect a signature algorithm other than RS256.
 *
 * @type {Readonly<Record<string, Behaviour>>}
 */
const modules = {
  "oidcc-client-test-discovery-openid-config": { visit: "begin" },
  "oidcc-client-test-discovery-jwks-uri-keys": { idToken: true },
  "oidcc-client-test-signing-key-rotation": { visit: "twice" },
  "oidcc-client-test-3rd-party-init-login": { visit: "third-party" },
  "oidcc-client-test-invalid-sig-es256": { signedBy: "ES256" },
  "oidcc-client-test-invalid-sig-hs256": { signedBy: "HS256" },
  "oidcc-client-test-discovery-webfinger-acct": { visit: "begin" },
  "oidcc-client-test-discovery-webfinger-url": { visit: "begin" },
}

/**
 * @param {string} module
 * @returns {{ visit: Visit, idToken: boolean, signedBy?: string }}
 */
export const behaviourIn = (module) => ({ visit: "once", idToken: false, ...modules[module] })

/**
 * Metadata of the client beside its id and secret, for a plan and a module.
 *
 * @param {Plan} plan
 * @param {{ signedBy?: string }} behaviour
 * @returns {Record<string, string>}
 */
export const registrationIn = ({ variant }, { signedBy }) => ({
  ...(otherAuthentication.includes(variant.client_auth_type) && {
    token_endpoint_auth_method: variant.client_auth_type,
  }),
  ...(signedBy && { id_token_signed_response_alg: signedBy }),
})

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
 * Plans and modules for what the library does not offer: run all the same, so that the page says what happens.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const unserved = {
  "oidcc-client-rp-initiated-logout-rp-basic":
    "The library does not send people to the provider's end of session, so these modules wait in vain.",
  "oidcc-client-back-channel-logout-rp-basic":
    "The library has no endpoint for logout tokens, so these modules wait in vain.",
  "oidcc-client-test-userinfo-bearer-body":
    "The library sends access tokens in the Authorization header, as RFC 6750 §2.1 recommends, and in no body.",
  "oidcc-client-test-distributed-claims":
    "Distributed claims are left to the application: the library requests no address that a profile names.",
  "oidcc-client-test-discovery-webfinger-acct":
    "The issuer comes from the configuration and never from what a visitor typed, so nothing is looked up by WebFinger. The module passes once the discovery document has been fetched; it is not counted.",
  "oidcc-client-test-discovery-webfinger-url":
    "The issuer comes from the configuration and never from what a visitor typed, so nothing is looked up by WebFinger. The module passes once the discovery document has been fetched; it is not counted.",
}

/**
 * @param {Plan} plan
 * @param {{ module: string }} result
 */
export const isServed = ({ name }, { module }) => !(name in unserved || module in unserved)
