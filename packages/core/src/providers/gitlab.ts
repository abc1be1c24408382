/** GitLab, also self-managed. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/gitlab.js"
import { idOf, textOf } from "./parts/values.js"

/** What GitLab says of a person. */
export interface GitLabProfile extends FurtherClaims {
  id: number
  sub?: string
  username: string
  email: string
  name: string
  state: string
  avatar_url: string
  web_url: string
  created_at: string
  bio: string
  location?: string | null
  public_email: string | null
  skype: string
  linkedin: string
  twitter: string
  website_url: string
  organization: string
  job_title: string
  pronouns: string | null
  bot: boolean
  work_information?: string | null
  followers: number
  following: number
  local_time: string
  last_sign_in_at: string
  /** When the primary address was confirmed. */
  confirmed_at: string | null
  theme_id: number
  last_activity_on: string
  color_scheme_id: number
  projects_limit: number
  current_sign_in_at: string
  identities: { provider: string; extern_uid: string }[]
  can_create_group: boolean
  can_create_project: boolean
  two_factor_enabled: boolean
  external: boolean
  private_profile: boolean
  commit_email: string
}

const home = "https://gitlab.com"

/** Options of {@link GitLab}. */
export type GitLabUserConfig<P = GitLabProfile> = OAuthUserConfig<P> & {
  /** Root of a self-managed GitLab. @default "https://gitlab.com" */
  baseUrl?: string | URL
}

/** Sign-in with GitLab. */
export function GitLab<P extends GitLabProfile = GitLabProfile>(
  config: GitLabUserConfig<P> = {},
): OAuth2Config<P, UsualId<"gitlab">> {
  const { baseUrl = home, ...rest } = config
  const base = String(baseUrl).replace(/\/+$/, "")
  const isSelfManaged = base !== home || rest.token !== undefined || rest.userinfo !== undefined
  return oauth(
    {
      id: "gitlab",
      name: "GitLab",
      authorization: { url: `${base}/oauth/authorize`, params: { scope: "read_user" } },
      token: `${base}/oauth/token`,
      userinfo: `${base}/api/v4/user`,
      profile: (profile) => ({
        id: idOf(profile.sub, profile.id),
        name: textOf(profile.name, profile.username),
        email: textOf(profile.email),
        image: textOf(profile.avatar_url),
      }),
      emailVerified: isSelfManaged ? confirmedElsewhere : confirmedAtHome,
      style: { brandColor: "#fc6d26", logo: mark },
      console: "https://gitlab.com/-/user_settings/applications",
      docs: "https://docs.gitlab.com/api/oauth2/",
      checked: "2026-11-21",
      notes: [
        "With the scope `openid` GitLab adds an id_token: set `issuer` to its root so that it is validated.",
        '`confirmed_at` proves the address at gitlab.com alone. A self-managed GitLab fills it unasked unless the confirmation of e-mail addresses is set to "Hard", which is not the default. Where yours is, set `emailVerified: (profile) => Boolean(profile.confirmed_at)`.',
      ],
    },
    rest,
  )
}

export default GitLab

type Confirmed = Pick<GitLabProfile, "confirmed_at">

function confirmedAtHome({ confirmed_at }: Confirmed): boolean | undefined {
  return confirmed_at === undefined ? undefined : Boolean(confirmed_at)
}

/**
 * A GitLab that confirms no addresses, as by its defaults, fills the date when the person signs up. Only its absence says
 * something. The profile is optional, so that the engine takes the provider for one whose addresses nobody has proven.
 */
function confirmedElsewhere({ confirmed_at }: Partial<Confirmed> = {}): false | "unstated" {
  return confirmed_at === null || confirmed_at === "" ? false : "unstated"
}
