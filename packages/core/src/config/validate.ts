/** What is wrong between options: secrets, adapter, strategy, passkeys. Single options, providers and cookies are judged beside. */
import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  MissingAdapter,
  MissingSecret,
  MissingWebAuthnAutocomplete,
} from "../errors.js"
import { type Members, membersOf } from "./members.js"
import { mistakeText } from "./mistake.js"
import type { Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"
import { offersWebAuthn } from "./validate-provider.js"

/** Shorter secrets can be guessed offline. */
const secretLength = 32

/** The usable secrets, newest first. None or an empty one is a problem; a short one a warning. */
export function readSecrets(option: "secret" | "jwt.secret", given: unknown, report: Report): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given]
  const isFit = list.length > 0 && list.every((secret) => typeof secret === "string" && secret.trim() !== "")
  if (!isFit) {
    const received = list.find((secret) => typeof secret !== "string" || secret.trim() === "") ?? given
    const mend = 'Set "secret", or AUTH_SECRET in the environment; "npx latchkey secret" makes one.'
    const expected = `a random text of at least ${secretLength} characters, or a list of them`
    report.problem(new MissingSecret(mistakeText(option, { expected, received, mend, isSecret: true })))
    return []
  }
  if (list.some((secret) => (secret as string).length < secretLength)) report.warn("secret-too-short")
  return list as readonly string[]
}

/** Judges what providers need of the rest. */
export function judgeNeeds(
  { members, providers }: { members: Members; providers: ReadonlyMap<string, ResolvedProvider> },
  report: Report,
): void {
  const all = [...providers.values()]
  const hasAdapter = members.adapter !== undefined && members.adapter !== null
  const need = (what: string): void => {
    const mend = 'Set "adapter" to a data layer.'
    report.problem(new MissingAdapter(`"adapter": expected one, because ${what}, received nothing. ${mend}`))
  }
  const session = membersOf(members.session)
  if (!hasAdapter && session.strategy === "database") need('session.strategy is "database"')
  if (!hasAdapter && session.verifyUser === true) need("session.verifyUser looks users up")
  const mail = all.find(({ type }) => type === "email")
  if (!hasAdapter && mail) need(`the provider "${mail.id}" stores the tokens of its links`)
  const passkeys = all.filter((provider) => provider.type === "webauthn")
  if (passkeys.length === 0) return
  if (!hasAdapter) need(`the provider "${passkeys[0]?.id}" stores authenticators`)
  judgePasskeys(passkeys, report)
  if (membersOf(members.experimental).enableWebAuthn === true) report.warn("experimental-webauthn")
  else {
    report.problem(
      new ExperimentalFeatureNotEnabled(
        `"experimental.enableWebAuthn": expected true, because the provider "${passkeys[0]?.id}" is configured. ` +
          "Set it, or remove the provider.",
      ),
    )
  }
}

function judgePasskeys(passkeys: readonly Extract<ResolvedProvider, { type: "webauthn" }>[], report: Report): void {
  const offering = passkeys.filter(({ config }) => config.enableConditionalUI)
  if (offering.length > 1) {
    const ids = offering.map(({ id }) => `"${id}"`).join(", ")
    report.problem(
      new DuplicateConditionalUI(
        `"enableConditionalUI": expected one provider that offers passkeys while typing, received ${ids}. Set it to false on the others.`,
      ),
    )
  }
  for (const { id, config } of offering) {
    if (offersWebAuthn(config.formFields)) continue
    report.problem(
      new MissingWebAuthnAutocomplete(
        `"providers.${id}.formFields": expected a field whose "autocomplete" ends with "webauthn", received none. ` +
          "Add it, or set enableConditionalUI to false.",
      ),
    )
  }
}
