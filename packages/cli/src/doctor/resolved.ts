/** What the core itself found when it resolved the configuration, and what the adapter lacks. */
import type { AuthInspection } from "@latchkey/core"
import { type Check, type Finding, found, pages } from "./finding.js"
import { needs } from "./needs.js"

type Code = AuthInspection["warnings"][number]

/** What each warning of the core means, and what to do. */
const meanings: Readonly<Record<Code, readonly [meaning: string, remedy: string]>> = {
  "debug-enabled": ["debug: expected false in production, received true: logs are verbose.", "Leave it out."],
  "csrf-disabled": [
    "skipCSRFCheck: the protection against forged requests is off.",
    "Leave it out, unless something else protects the forms.",
  ],
  "skip-csrf-check-ignored": [
    "skipCSRFCheck: expected the exported marker, received something else: the protection stays on.",
    "Import skipCSRFCheck of @latchkey/core, or leave it out.",
  ],
  "experimental-webauthn": [
    "Passkeys are experimental: they may change without notice.",
    "Read the changelog before you update.",
  ],
  "env-url-basepath-redundant": [
    "AUTH_URL and basePath both name the path; one is enough.",
    "Leave the path out of AUTH_URL.",
  ],
  "env-url-basepath-mismatch": [
    "The path of AUTH_URL and basePath differ; basePath is used.",
    "Leave the path out of AUTH_URL, or make them the same.",
  ],
  "secret-too-short": [
    "secret: expected at least 32 characters, received fewer.",
    "Make one with npx @latchkey/cli secret.",
  ],
  "insecure-requests": [
    "A provider is called over plain http: anybody on the network path can read and change its responses.",
    "Use its https address.",
  ],
  "nothing-checked": [
    "checks: a provider has none, so a link that a stranger prepared signs people in to the stranger's account.",
    "Leave checks out for the default.",
  ],
  "person-unknown": [
    "credentials: the fields of a provider do not say for sure who signs in, so wrong passwords may be limited by network only.",
    "List its fields, as in credentials: { email: {}, password: {} }, and name the one that says it with accountField.",
  ],
  "secure-cookies-mismatch": [
    "useSecureCookies does not fit the scheme of AUTH_URL: browsers may drop the cookies.",
    "Leave useSecureCookies out.",
  ],
  "account-owned-by-other": ["An e-mail account belongs to another user.", "Look the account up in the database."],
  "id-given-again": [
    "A new user has the id of an earlier one, of whom accounts or sessions were left.",
    "Let the database count ids on, and remove all of a user who is deleted.",
  ],
  "session-not-saved": ["What the jwt callback changed was lost.", "Read the session where cookies can be set."],
  "address-unknown": [
    "limits.address found no address in a request: its network is not counted.",
    "Read a header that the proxy sets on every request.",
  ],
  "claim-dropped": [
    "jwt.encode: expected all claims in the token, received one without lk.",
    "Keep every claim, also those that you do not know.",
  ],
  "email-verified-by-event": [
    "An event of the application set emailVerified of a user whose address nobody has proven.",
    "Leave emailVerified to the sign-in by mail.",
  ],
  "linking-of-unverified-email": [
    "A provider does not say that addresses are verified: a user whose address came only from it is linked by address only if the other address is verified.",
    "Set `emailVerified: () => true` on a provider that verifies all of them.",
  ],
  "accounts-of-unverified-email": [
    "A provider does not say that addresses are verified, and the adapter cannot remove its accounts before the owner of an address signs in by mail.",
    "Set `emailVerified: () => true` on a provider that verifies all of them, or use an adapter with listAccountsByUserId and unlinkAccount.",
  ],
  "id-of-several-issuers": [
    "A provider has one id for several issuers, in several configurations with the same adapter or by `issuerOf` with the default `profile`: an account of one opens at the other.",
    "Give each an `id` of its own, or each configuration tables of its own; with `issuerOf`, let `profile` put the tenant into the `id` that it returns.",
  ],
  "unknown-option": ["These options are unknown and have no effect:", "Correct the names, or leave them out."],
  "page-leads-to-itself": [
    "An entry of pages is the address of the built-in page, which would redirect to itself forever: the built-in page is shown.",
    "Leave it out.",
  ],
  "policy-out-of-reach": [
    "No sign-in meets the policy of a feature: whoever is asked to sign in again comes to the sign-in page for ever.",
    "Leave acr out, and say with maxAge how recent a sign-in has to be.",
  ],
  "forwarded-header-ignored": [
    "A proxy seems to serve the application at another address than the one that requests arrive with.",
    "Let the framework trust the proxy, or set AUTH_URL.",
  ],
  "doctor-finding": ["The checks at the start found something.", "Run npx @latchkey/cli doctor."],
  "redirect-proxy-origins": [
    "redirectProxyOrigins: expected a list, received nothing: the proxy sends sign-ins on to any https address.",
    "List the origins of the deployments behind it.",
  ],
}

/** Warnings about what was chosen on purpose and refuses nothing: they are listed with the notes. */
export const chosen: readonly Code[] = ["experimental-webauthn"]

const error = found("error", pages.options)
const warning = found("warning", pages.options)

/** Problems and warnings of the core. */
export const resolved: Check = ({ inspection, isProduction, written }) => {
  const { problems, warnings, warningDetails } = inspection
  const errors = problems.map(({ type, message }): Finding => error(type, message, ""))
  const others = warnings
    .filter((code) => !chosen.includes(code) && code !== "debug-enabled")
    .map((code) => {
      const [meaning, remedy] = meanings[code]
      const detail = warningDetails[code]
      return warning(code, detail === undefined ? meaning : `${meaning} ${detail}`, remedy)
    })
  // The core does not warn of it where a logger is given, and the one of this program always is.
  const verbose =
    isProduction && written?.debug === true ? [warning("debug-enabled", ...meanings["debug-enabled"])] : []
  return [...errors, ...others, ...verbose]
}

/** Operations that the configuration is going to call, and that the adapter does not have. */
export const operations: Check = ({ inspection }) => {
  if (!inspection.store.isPresent) return []
  return needs
    .filter(({ applies }) => applies(inspection))
    .flatMap(({ use, operations: needed }) => {
      const missing = needed.filter((operation) => !inspection.store.has(operation))
      if (missing.length === 0) return []
      return [
        found("error", "docs/guides/write-an-adapter.md")(
          "adapter-operations",
          `Adapter: expected ${missing.join(", ")} for ${use}, received an adapter without them.`,
          "Use an adapter that has them, or leave out what needs them.",
        ),
      ]
    })
}
