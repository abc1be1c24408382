/** Threads. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/threads.js"
import { normaliseTokens } from "./parts/tokens.js"
import { idOf, textOf } from "./parts/values.js"

/** What Threads says of a person. */
export interface ThreadsProfile extends FurtherClaims {
  id: string
  username: string
  name: string
  threads_profile_picture_url: string
  threads_biography: string
}

/** Sign-in with Threads. */
export function Threads(
  config: OAuthUserConfig<ThreadsProfile> = {},
): OAuth2Config<ThreadsProfile, UsualId<"threads">> {
  return oauth(
    {
      id: "threads",
      name: "Threads",
      authorization: { url: "https://threads.net/oauth/authorize", params: { scope: "threads_basic" } },
      token: { url: "https://graph.threads.net/oauth/access_token", conform: normaliseTokens },
      userinfo: {
        url: "https://graph.threads.net/v1.0/me",
        params: { fields: "id,username,threads_profile_picture_url" },
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.username),
        email: null,
        image: textOf(profile.threads_profile_picture_url),
      }),
      style: { brandColor: "#000000", logo: mark },
      console: "https://developers.facebook.com/apps",
      docs: "https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions",
      checked: "2026-11-21",
      notes: [
        "The callback has to be https, even on localhost.",
        "Scopes are separated by commas. The profile has no e-mail address.",
      ],
    },
    config,
  )
}

export default Threads
