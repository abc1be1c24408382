/** Dribbble. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/dribbble.js"
import { idOf, textOf } from "./parts/values.js"

/** What Dribbble says of a person. */
export interface DribbbleProfile extends FurtherClaims {
  id: number
  name: string
  email: string
  avatar_url: string
  login: string
  html_url: string
  bio: string
  location: string
  links?: Record<string, unknown>
  can_upload_shot: boolean
  pro: boolean
  followers_count: number
  created_at: string
  type: string
  teams?: unknown[]
}

/** Options of {@link Dribbble}. */
export type DribbbleUserConfig<P = DribbbleProfile> = OAuthUserConfig<P> & {
  /** What is asked for. @default "public" */
  scope?: string
}

/** Sign-in with Dribbble. */
export function Dribbble<P extends DribbbleProfile = DribbbleProfile>(
  config: DribbbleUserConfig<P> = {},
): OAuth2Config<P, UsualId<"dribbble">> {
  const { scope = "public", ...rest } = config
  return oauth(
    {
      id: "dribbble",
      name: "Dribbble",
      authorization: { url: "https://dribbble.com/oauth/authorize", params: { scope } },
      token: "https://dribbble.com/oauth/token",
      userinfo: "https://api.dribbble.com/v2/user",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.avatar_url),
      }),
      style: { brandColor: "#ea4c89", logo: mark },
      console: "https://dribbble.com/account/applications",
      docs: "https://developer.dribbble.com/v2/oauth/",
      checked: "2026-11-21",
    },
    rest,
  )
}

export default Dribbble
