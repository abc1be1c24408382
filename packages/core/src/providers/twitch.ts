/** Twitch. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/twitch.js"
import { normaliseTokens } from "./parts/tokens.js"
import { byClaim } from "./parts/values.js"

/** What Twitch says of a person. */
export interface TwitchProfile extends FurtherClaims {
  sub: string
  preferred_username: string
  email: string
  picture: string
  /** Only when requested in claims. */
  email_verified: boolean
}

/** Sign-in with Twitch. */
export function Twitch(config: OIDCUserConfig<TwitchProfile> = {}): OIDCConfig<TwitchProfile, UsualId<"twitch">> {
  return oidc(
    {
      id: "twitch",
      name: "Twitch",
      issuer: "https://id.twitch.tv/oauth2",
      authorization: {
        params: {
          scope: "openid user:read:email",
          claims: { id_token: { email: null, email_verified: null, picture: null, preferred_username: null } },
        },
      },
      token: { conform: normaliseAnswer },
      client: { token_endpoint_auth_method: "client_secret_post" },
      // PKCE is ignored: only the state binds an answer to its browser.
      checks: ["pkce", "state"],
      emailVerified: byClaim,
      style: { brandColor: "#9146ff", logo: mark },
      console: "https://dev.twitch.tv/console/apps",
      docs: "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/",
      checked: "2026-11-21",
      notes: ["`name` is the preferred user name."],
    },
    config,
  )
}

export default Twitch

/** The scope of an answer is a list; a refusal has a status and a message, but no error. */
async function normaliseAnswer(response: Response): Promise<Response | undefined> {
  if (response.ok) return normaliseTokens(response)
  const body = (await response.json().catch(() => undefined)) as { message?: unknown } | null | undefined
  if (typeof body?.message !== "string") return undefined
  const refusal = { error: "invalid_request", error_description: body.message }
  return Response.json(refusal, { status: response.status })
}
