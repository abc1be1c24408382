/** The secrets of a configuration: present, long enough, no well-known placeholder; and the keys and tokens made with them. */

import { createKeyring, type Keyring } from "../crypto/keyring.js"
import { randomHex } from "../crypto/token.js"
import { InvalidConfiguration, MissingSecret } from "../errors.js"
import { conceal } from "../std/conceal.js"
import type { Members } from "../std/json.js"
import type { Caches } from "./caches.js"
import { isAbsent, membersOf } from "./members.js"
import { mistakeText, type Report } from "./report.js"
import type { Settings } from "./settings.js"

/** Shorter secrets can be guessed offline. */
const secretLength = 32
/** Secrets with fewer characters can be found by trying all of them. */
const weakLength = 16

/** What examples have in the place of a secret, in lower case without marks. */
const placeholders: ReadonlySet<string> = new Set(
  (
    "secret mysecret yoursecret yoursecrethere supersecret topsecret thesecret asecret secretkey mysecretkey " +
    "yoursecretkey authsecret myauthsecret yourauthsecret nextauthsecret mynextauthsecret yournextauthsecret " +
    "jwtsecret sessionsecret testsecret devsecret developmentsecret localsecret secretsecretsecretsecret " +
    "secretsecretsecretsecretsecret changeme changethis changemeinproduction changethisinproduction pleasechangeme " +
    "replaceme replacethis replacemeinproduction password development production example placeholder todo insecure " +
    "atleastthirtytworandomcharacters " +
    "asecretofatleast32characters yoursecretofatleast32characters atleast32characters arandomstring yourrandomstring " +
    "arandomstringofatleast32characters averylongsecretofatleast32characters supersecretvalueofatleast32characters " +
    "generatewithopensslrandbase6432 opensslrandbase6432"
  ).split(" "),
)

/** The usable secrets, newest first. None or an empty one is a problem, in production also one that can be guessed. */
export function readSecrets(
  option: "secret" | "jwt.secret" | "AUTH_RECORD_SECRET",
  given: unknown,
  { report, isProduction }: { readonly report: Report; readonly isProduction: boolean },
): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : isAbsent(given) ? [] : [given]
  const isFit = list.length > 0 && list.every((secret) => typeof secret === "string" && secret.trim() !== "")
  const expected = `a random string of at least ${secretLength} characters, or a list of them`
  const remedy = 'Set "secret", or AUTH_SECRET in the environment; "npx @latchkey/cli secret" makes one.'
  if (!isFit) {
    const received = list.find((secret) => typeof secret !== "string" || secret.trim() === "") ?? given
    report.problem(new MissingSecret(mistakeText(option, { expected, received, remedy, isSecret: true })))
    return []
  }
  const secrets = list as readonly string[]
  const weak = secrets.find((secret) => secret.length < weakLength || isPlaceholder(secret))
  if (weak !== undefined && isProduction) {
    const text = mistakeText(option, { expected, received: weak, remedy, isSecret: true })
    report.problem(new InvalidConfiguration(`Weak secret: ${text}`, { cause: { option } }))
  } else if (secrets.some(({ length }) => length < secretLength)) {
    report.warn("secret-too-short")
  }
  return secrets
}

function isPlaceholder(secret: string): boolean {
  const [first = ""] = secret
  return secret === first.repeat(secret.length) || placeholders.has(secret.toLowerCase().replace(/[^a-z\d]/g, ""))
}

/** Makes the keys and reads `jwt.secret`. */
export function tokensOf(
  given: {
    members: Members
    secrets: readonly string[]
    /** Of AUTH_RECORD_SECRET; `undefined` where it is not set. */
    recordSecret: unknown
    caches: Caches
    isProduction: boolean
  },
  report: Report,
): Pick<Settings, "keyring" | "recordKeyring" | "jwt"> {
  const { secrets, caches } = given
  // Nothing may be sealed with a guessable secret: without a secret, random keys are made for this process.
  const ringOf = (list: readonly string[]): Keyring =>
    createKeyring(list.length > 0 ? list : [randomHex()], caches.keys)
  const keyring = ringOf(secrets)
  const strictness = { report, isProduction: given.isProduction }
  const { recordSecret } = given
  // Losing it locks whatever records hold, so it is as strong as the others.
  const recordSecrets = recordSecret === undefined ? [] : readSecrets("AUTH_RECORD_SECRET", recordSecret, strictness)
  const own = membersOf(given.members.jwt).secret ?? undefined
  const ownSecrets = own === undefined ? secrets : readSecrets("jwt.secret", own, strictness)
  return {
    keyring,
    // What was sealed before records had a secret of their own opens as well.
    recordKeyring: recordSecrets.length > 0 ? ringOf([...recordSecrets, ...secrets]) : keyring,
    jwt: Object.freeze(
      conceal({
        secret: ownSecrets.length === 1 ? (ownSecrets[0] as string) : [...ownSecrets],
        keyring: own === undefined ? keyring : ringOf(ownSecrets),
      }),
    ),
  }
}
