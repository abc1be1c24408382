/** Sign-in by whatever the application can check itself. */
import type { CredentialInput, CredentialsConfig, UsualId } from "../types/provider.js"

export type { CredentialInput, CredentialsConfig } from "../types/provider.js"

/** The type of providers whose proof the application checks itself. */
export type CredentialsProviderType = "credentials"

/** What is given to {@link Credentials}: `authorize`, and what differs from the defaults. */
export type CredentialsUserConfig<C extends Record<string, CredentialInput> = Record<string, CredentialInput>> = Pick<
  CredentialsConfig<C>,
  "authorize"
> &
  Partial<Omit<CredentialsConfig<C>, "authorize" | "type" | "options">>

/** Asks `authorize` whether what the form holds is right. `credentials` describes the form of the built-in page. */
export function Credentials<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>(
  config: CredentialsUserConfig<C>,
): CredentialsConfig<C, UsualId<"credentials">> {
  return {
    id: "credentials",
    name: "Credentials",
    credentials: {} as C,
    ...config,
    type: "credentials",
    options: config as Partial<CredentialsConfig<C>>,
  }
}

export default Credentials
