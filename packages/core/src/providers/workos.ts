/** WorkOS. */
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
}

/** Sign-in with WorkOS. */
export function WorkOS<P extends WorkOSProfile = WorkOSProfile>(
  config: WorkOSUserConfig<P> = {},
): OAuth2Config<P, UsualId<"workos">> {
  const { connection, ...rest } = config
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
        request: async ({ tokens, fetch }) =>
          typeof tokens["profile"] === "object" && tokens["profile"] !== null
            ? tokens["profile"]
            : ask({ fetch, service: "WorkOS", url: person, token: tokens.access_token }),
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
        "Parameters of a sign-in, `connection` of the configuration too, can be changed by the person who signs in: compare `connection_id` or `organization_id` of the profile in the signIn callback.",
        "AuthKit has a different API.",
      ],
    },
    rest,
  )
}

export default WorkOS
