/** The secrets of a configuration: present, long enough, and no well-known placeholder. */
import { InvalidConfiguration, MissingSecret } from "../errors.js"
import { mistakeText } from "./mistake.js"
import type { Report } from "./report.js"

/** Shorter secrets can be guessed offline. */
const secretLength = 32
/** Fewer characters than this are tried in no time. */
const weakLength = 16

/** What examples have in the place of a secret, in lower case without marks. */
const placeholders: ReadonlySet<string> = new Set(
  (
    "secret mysecret yoursecret yoursecrethere supersecret topsecret thesecret asecret secretkey mysecretkey " +
    "yoursecretkey authsecret myauthsecret yourauthsecret nextauthsecret mynextauthsecret yournextauthsecret " +
    "jwtsecret sessionsecret testsecret devsecret developmentsecret localsecret secretsecretsecretsecret " +
    "secretsecretsecretsecretsecret changeme changethis changemeinproduction changethisinproduction pleasechangeme " +
    "replaceme replacethis replacemeinproduction password development production example placeholder todo insecure " +
    "asecretofatleast32characters yoursecretofatleast32characters atleast32characters arandomstring yourrandomstring " +
    "arandomstringofatleast32characters averylongsecretofatleast32characters supersecretvalueofatleast32characters " +
    "generatewithopensslrandbase6432 opensslrandbase6432"
  ).split(" "),
)

/** The usable secrets, newest first. None or an empty one is a problem, in production also one that can be guessed. */
export function readSecrets(
  option: "secret" | "jwt.secret",
  given: unknown,
  { report, isProduction }: { readonly report: Report; readonly isProduction: boolean },
): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given]
  const isFit = list.length > 0 && list.every((secret) => typeof secret === "string" && secret.trim() !== "")
  const expected = `a random text of at least ${secretLength} characters, or a list of them`
  const remedy = 'Set "secret", or AUTH_SECRET in the environment; "npx @latchkey/cli secret" makes one.'
  if (!isFit) {
    const received = list.find((secret) => typeof secret !== "string" || secret.trim() === "") ?? given
    report.problem(new MissingSecret(mistakeText(option, { expected, received, remedy, isSecret: true })))
    return []
  }
  const secrets = list as readonly string[]
  const weak = secrets.find(isWeak)
  if (weak !== undefined && isProduction) {
    const text = mistakeText(option, { expected, received: weak, remedy, isSecret: true })
    report.problem(new InvalidConfiguration(`Weak secret: ${text}`, { cause: { option } }))
  } else if (secrets.some(({ length }) => length < secretLength)) {
    report.warn("secret-too-short")
  }
  return secrets
}

function isWeak(secret: string): boolean {
  return secret.length < weakLength || isPlaceholder(secret)
}

function isPlaceholder(secret: string): boolean {
  const [first = ""] = secret
  return secret === first.repeat(secret.length) || placeholders.has(secret.toLowerCase().replace(/[^a-z\d]/g, ""))
}
