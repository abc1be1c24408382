/** Bungie. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What Bungie says of a person. */
export interface BungieProfile extends FurtherClaims {
  Response?: {
    destinyMemberships?: unknown[]
    primaryMembershipId?: string
    bungieNetUser?: {
      membershipId?: string
      uniqueName?: string
      displayName?: string
      locale?: string
      profilePicturePath?: string
      [extra: string]: unknown
    }
  }
  /** 1 is success. */
  ErrorCode: number
  ThrottleSeconds: number
  ErrorStatus: string
  Message: string
}

/** Options of {@link Bungie}. */
export type BungieUserConfig = OAuthUserConfig<BungieProfile> & {
  /** Key of the application. */
  apiKey?: string
  /** The key as a header, as existing applications give it. */
  headers?: Readonly<Record<string, string>>
}

/** Sign-in with Bungie. */
export function Bungie(config: BungieUserConfig = {}): OAuth2Config<BungieProfile, UsualId<"bungie">> {
  const { apiKey: key, headers, ...rest } = config
  const apiKey = key ?? headers?.["X-API-Key"] ?? ""
  const person = "https://www.bungie.net/Platform/User/GetMembershipsForCurrentUser/"
  return oauth(
    {
      id: "bungie",
      name: "Bungie",
      authorization: { url: "https://www.bungie.net/en/OAuth/Authorize", params: { reauth: "true", scope: null } },
      token: "https://www.bungie.net/platform/app/oauth/token/",
      userinfo: {
        url: person,
        request: ({ tokens, fetch }) =>
          ask({ fetch, service: "Bungie", url: person, token: tokens.access_token, headers: { "x-api-key": apiKey } }),
      },
      profile: (profile) => ({
        id: idOf(profile.Response?.bungieNetUser?.membershipId),
        name: textOf(profile.Response?.bungieNetUser?.displayName),
        email: null,
        image: picture(profile),
      }),
      style: { brandColor: "#0075bb" },
      console: "https://www.bungie.net/en/Application",
      docs: "https://github.com/Bungie-net/api/wiki/OAuth-Documentation",
      checked: "2026-11-21",
      notes: [
        "`apiKey` is the key of the application, needed beside its id.",
        "The callback has to be https; localhost is written https://127.0.0.1.",
        "The profile has no e-mail address.",
      ],
    },
    rest,
  )
}

export default Bungie

function picture({ Response: answer }: BungieProfile): string | null {
  const path = textOf(answer?.bungieNetUser?.profilePicturePath)
  return path && `https://www.bungie.net/${path.replace(/^\/+/, "")}`
}
