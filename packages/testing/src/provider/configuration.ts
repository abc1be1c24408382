/** The certified software, set up for one client whose people sign in without being asked. */
import type { Configuration, interactionPolicy } from "oidc-provider"
import type { ClientAuthentication } from "./call.js"
import type { SigningKey } from "./keys.js"
import { createMemoryModel } from "./memory.js"
import type { ProviderPages } from "./pages.js"
import type { Person } from "./people.js"

/** The client of a provider. */
export interface ProviderClient {
  readonly id: string
  readonly secret: string
  readonly authentication: ClientAuthentication
  readonly redirectUris: readonly string[]
}

/** What the software is set up with. */
export interface Setup {
  readonly client: ProviderClient
  readonly key: SigningKey
  readonly policy: typeof interactionPolicy
  /** Where people sign in by hand; others read JSON. */
  readonly pages: ProviderPages | undefined
  find(sub: string): Person | undefined
  /** Laid over everything else. */
  readonly more: object
}

/** Where people sign in; the id of the sign-in follows. */
export const loginPath = "/login/"

/** What the software is configured with. */
export function configurationOf({ client, key, policy, pages, find, more }: Setup): Configuration {
  const store = new Map<string, object>()
  return {
    clients: [
      {
        client_id: client.id,
        ...(client.authentication !== "none" && { client_secret: client.secret }),
        token_endpoint_auth_method: client.authentication,
        redirect_uris: [...client.redirectUris],
        response_types: ["code"],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    adapter: (name: string) => createMemoryModel(name, store),
    jwks: { keys: [key.privateJwk as never] },
    cookies: { keys: [globalThis.crypto.randomUUID()] },
    findAccount: (_context, sub) => {
      const person = find(sub)
      return person && { accountId: sub, claims: async () => ({ ...person }) }
    },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: [...profileClaims] },
    // Most providers put the claims of the scopes into the id_token.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { policy: alwaysAsk(policy), url: (_context, { uid }) => loginPath + uid },
    loadExistingGrant,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
    pkce: { required: () => false },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      Grant: day,
      IdToken: hour,
      Interaction: hour,
      Session: hour,
      RefreshToken: day,
    },
    renderError: (context, { error, error_description }) => {
      context.type = pages ? "html" : "json"
      context.body = pages
        ? pages.notice({ title: "That did not work", text: error_description ?? error })
        : { error, error_description }
    },
    ...more,
  }
}

const hour = 3600
const day = 24 * hour

/** OpenID Connect Core §5.4. */
const profileClaims = [
  "name",
  "family_name",
  "given_name",
  "middle_name",
  "nickname",
  "preferred_username",
  "profile",
  "picture",
  "website",
  "gender",
  "birthdate",
  "zoneinfo",
  "locale",
  "updated_at",
] as const

/** Nobody is asked for consent: everything the client asks for is granted. */
const loadExistingGrant: NonNullable<Configuration["loadExistingGrant"]> = async ({ oidc }) => {
  const { client, provider, session, params } = oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
  grant.addOIDCScope(String(params?.["scope"] ?? "openid"))
  await grant.save()
  return grant
}

/** A browser that has been here before is asked again, so that another person can come. */
function alwaysAsk({ base, Check }: typeof interactionPolicy): ReturnType<typeof interactionPolicy.base> {
  const policy = base()
  policy
    .get("login")
    ?.checks.add(
      new Check("choose", "Somebody signs in", ({ oidc }) =>
        oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  return policy
}
