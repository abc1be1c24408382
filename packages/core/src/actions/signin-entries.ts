/** The providers as the sign-in page shows them: in the configured order, the one the path names first. */
import type { ResolvedProvider } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { providerUrl } from "../context/urls.js"
import type { SigninEntry } from "../pages/signin.js"

/** Builds one entry for each configured provider that can be used. */
export function signinEntries(context: Context): readonly SigninEntry[] {
  const { providers, providerProblems } = context.settings
  const all = [...providers.values()].filter(({ id }) => !providerProblems.has(id))
  const first = all.filter((provider) => provider === context.provider)
  return [...first, ...all.filter((provider) => provider !== context.provider)].map((provider) =>
    entry(context, provider),
  )
}

function entry(context: Context, provider: ResolvedProvider): SigninEntry {
  const { id, name, type, config } = provider
  return {
    id,
    name,
    type,
    signinUrl: providerUrl(context, "signin", id),
    callbackUrl: providerUrl(context, "callback", id),
    style: config.style,
    ...fieldsOf(provider),
    ...(type === "webauthn" && {
      optionsUrl: providerUrl(context, "webauthn-options", id),
      conditional: provider.config.enableConditionalUI !== false,
    }),
  }
}

function fieldsOf(provider: ResolvedProvider): Pick<SigninEntry, "fields"> {
  if (provider.type === "credentials") return { fields: provider.config.credentials }
  return provider.type === "webauthn" ? { fields: provider.config.formFields } : {}
}
