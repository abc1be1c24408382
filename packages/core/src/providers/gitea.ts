/** Gitea. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/gitea.js"
import { idOf, textOf } from "./parts/values.js"

/** What Gitea says of a person. */
export interface GiteaProfile extends FurtherClaims {
  id: number
  login: string
  login_name: string
  full_name: string
  email: string
  avatar_url: string
  html_url: string
  language: string
  is_admin: boolean
  last_login: string
  created: string
  restricted: boolean
  active: boolean
  prohibit_login: boolean
  location: string
  website: string
  description: string
  visibility: string
  followers_count: number
  following_count: number
  starred_repos_count: number
  username: string
}

/** Options of {@link Gitea}. */
export type GiteaUserConfig = OAuthUserConfig<GiteaProfile> & {
  /** Root of the instance. @default "https://gitea.com" */
  baseUrl?: string | URL
}

/** Sign-in with Gitea. */
export function Gitea(config: GiteaUserConfig = {}): OAuth2Config<GiteaProfile, UsualId<"gitea">> {
  const { baseUrl = "https://gitea.com", ...rest } = config
  const base = String(baseUrl).replace(/\/+$/, "")
  return oauth(
    {
      id: "gitea",
      name: "Gitea",
      authorization: { url: `${base}/login/oauth/authorize`, params: { scope: "read:user" } },
      token: `${base}/login/oauth/access_token`,
      userinfo: `${base}/api/v1/user`,
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.full_name, profile.login),
        email: textOf(profile.email),
        image: textOf(profile.avatar_url),
      }),
      style: { brandColor: "#609926", logo: mark },
      console: "https://gitea.com/user/settings/applications",
      docs: "https://docs.gitea.com/development/oauth2-provider",
      checked: "2026-11-21",
      notes: ["Also for Forgejo and Codeberg: `baseUrl` is https://codeberg.org there."],
    },
    rest,
  )
}

export default Gitea
