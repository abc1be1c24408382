/** WorkOS. */
import { AccessDenied } from "../errors.js"
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/workos.js"
import { ask } from "./parts/ask.js"
import { normaliseTokens } from "./parts/tokens.js"
import { idOf, joined, textOf } from "./parts/values.js"

/** What WorkOS says of a person. */
export interface WorkOSProfile extends FurtherClaims {
  object: string
  id: string
  organization_id: string
  connection_id: string
  connection_type: string
  idp_id: string
  email: string
  first_name: string
  last_name: string
  raw_attributes?: { picture?: string; [extra: string]: unknown }
}

/** Options of {@link WorkOS}. */
export type WorkOSUserConfig<P = WorkOSProfile> = OAuthUserConfig<P> & {
  /** The connection, where there is only one. */
  connection?: string
  /**
   * Ids of connections and organizations, such as `conn_…` and `org_…`, through which people may sign in; anybody else is
   * refused. Whoever signs in can name another connection than `connection`. @default all of the client
   */
  onlyFrom?: readonly string[]
}

/** Sign-in with WorkOS. */
export function WorkOS<P extends WorkOSProfile = WorkOSProfile>(
  config: WorkOSUserConfig<P> = {},
): OAuth2Config<P, UsualId<"workos">> {
  const { connection, onlyFrom, ...rest } = config
  const service = (rest.issuer ?? "https://api.workos.com").replace(/\/+$/, "")
  const person = `${service}/sso/profile`
  return oauth(
    {
      id: "workos",
      name: "WorkOS",
      authorization: {
        url: `${service}/sso/authorize`,
        params: { ...(connection && { connection }) },
      },
      token: { url: `${service}/sso/token`, conform: normaliseTokens },
      userinfo: {
        url: person,
        // The token response already has the profile.
        request: async ({ tokens, fetch }) => {
          const given = tokens["profile"]
          const profile =
            typeof given === "object" && given !== null
              ? given
              : await ask({ fetch, service: "WorkOS", url: person, token: tokens.access_token })
          if (onlyFrom) expectFrom(onlyFrom, profile)
          return profile
        },
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: joined(profile.first_name, profile.last_name),
        email: textOf(profile.email),
        image: textOf(profile.raw_attributes?.picture),
      }),
      style: { brandColor: "#6363f1", logo: mark },
      console: "https://dashboard.workos.com",
      docs: "https://workos.com/docs/reference/sso",
      checked: "2026-11-21",
      notes: [
        "The request for a sign-in adds `connection`, `organization`, `provider` or `domain_hint`.",
        "An id is unique for one connection.",
        "Parameters of a sign-in, `connection` of the configuration too, can be changed by the person who signs in. `onlyFrom` lists the connections and organizations through which people may come; otherwise compare `connection_id` or `organization_id` of the profile in the signIn callback. Ids of accounts stay as they are.",
        "AuthKit has a different API.",
      ],
    },
    rest,
  )
}

export default WorkOS

function expectFrom(allowed: readonly string[], profile: object): void {
  const { connection_id, organization_id } = profile as Readonly<Record<string, unknown>>
  if ([connection_id, organization_id].some((id) => typeof id === "string" && allowed.includes(id))) return
  throw new AccessDenied("The person came through a connection of WorkOS that is not listed in `onlyFrom`.")
}
