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
  const need = (what: string, on: Report): void => {
    const remedy = 'Set "adapter" to a data layer.'
    on.problem(new MissingAdapter(`"adapter": expected one, because ${what}, received nothing. ${remedy}`))
  }
  const session = membersOf(members.session)
  if (!hasAdapter && session.strategy === "database") need('session.strategy is "database"', report)
  if (!hasAdapter && session.verifyUser === true) need("session.verifyUser looks users up", report)
  for (const { id } of all.filter(({ type }) => type === "email")) {
    if (!hasAdapter) need(`the provider "${id}" stores the tokens of its links`, report.ofProvider(id))
  }
  const passkeys = all.filter((provider) => provider.type === "webauthn")
  if (passkeys.length === 0) return
  for (const { id } of passkeys) {
    if (!hasAdapter) need(`the provider "${id}" stores authenticators`, report.ofProvider(id))
  }
  judgePasskeys(passkeys, report)
  const isEnabled = membersOf(members.experimental).enableWebAuthn === true
  if (isEnabled) report.warn("experimental-webauthn")
  for (const { id } of isEnabled ? [] : passkeys) {
    const expected = `"experimental.enableWebAuthn": expected true, because the provider "${id}" is configured.`
    report.ofProvider(id).problem(new ExperimentalFeatureNotEnabled(`${expected} Set it, or remove the provider.`))
  }
}

function judgePasskeys(passkeys: readonly Extract<ResolvedProvider, { type: "webauthn" }>[], report: Report): void {
  const offering = passkeys.filter(({ config }) => config.enableConditionalUI)
  // The first one may go on: a page can offer passkeys of one provider while typing.
  for (const { id } of offering.slice(1)) {
    const ids = offering.map((one) => `"${one.id}"`).join(", ")
    report
      .ofProvider(id)
      .problem(
        new DuplicateConditionalUI(
          `"enableConditionalUI": expected one provider that offers passkeys while typing, received ${ids}. Set it to false on the others.`,
        ),
      )
  }
  for (const { id, config } of offering) {
    if (offersWebAuthn(config.formFields)) continue
    report
      .ofProvider(id)
      .problem(
        new MissingWebAuthnAutocomplete(
          `"providers.${id}.formFields": expected a field whose "autocomplete" ends with "webauthn", received none. ` +
            "Add it, or set enableConditionalUI to false.",
        ),
      )
  }
}
