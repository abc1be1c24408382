/** What is wrong between options: adapter, strategy, passkeys. Single options, providers and cookies are judged beside. */
import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  MissingAdapter,
  MissingWebAuthnAutocomplete,
} from "../errors.js"
import { type Members, membersOf } from "./members.js"
import type { Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"
import { offersWebAuthn } from "./validate-provider.js"

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
