/** 42 School. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/42-school.js"
import { idOf, textOf } from "./parts/values.js"

/** What 42 School says of a person. */
export interface FortyTwoProfile extends FurtherClaims {
  id: number
  email: string
  login: string
  first_name: string
  last_name: string
  usual_full_name: null | string
  usual_first_name: null | string
  url: string
  phone: "hidden" | string | null
  displayname: string
  image_url: string | null
  "staff?": boolean
  correction_point: number
  pool_month: string | null
  pool_year: string | null
  location: string | null
  wallet: number
  anonymize_date: string
  created_at: string
  updated_at: string | null
  "alumni?": boolean
  "is_launched?"?: boolean
  groups?: { id: string; name: string }[]
  cursus_users?: Record<string, unknown>[]
  projects_users?: Record<string, unknown>[]
  languages_users?: { id: number; language_id: number; user_id: number; position: number; created_at: string }[]
  achievements?: Record<string, unknown>[]
  titles?: { id: string; name: string }[]
  titles_users?: {
    id: number
    user_id: number
    title_id: number
    selected: boolean
    created_at: string
    updated_at: string | null
  }[]
  partnerships?: unknown[]
  patroned?: unknown[]
  patroning?: unknown[]
  expertises_users?: {
    id: number
    expertise_id: number
    interested: boolean
    value: number
    contact_me: boolean
    created_at: string
    user_id: number
  }[]
  roles?: { id: string; name: string }[]
  campus?: Record<string, unknown>[]
  campus_users?: {
    id: number
    user_id: number
    campus_id: number
    is_primary: boolean
    created_at: string
    updated_at: string | null
  }[]
  image?: { link: string; versions: { micro: string; small: string; medium: string; large: string } }
  user?: unknown
}

/** Sign-in with 42 School. */
export function FortyTwo<P extends FortyTwoProfile = FortyTwoProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"42-school">> {
  return oauth(
    {
      id: "42-school",
      name: "42 School",
      authorization: { url: "https://api.intra.42.fr/oauth/authorize", params: { scope: "public" } },
      token: "https://api.intra.42.fr/oauth/token",
      userinfo: "https://api.intra.42.fr/v2/me",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.usual_full_name, profile.displayname, profile.login),
        email: textOf(profile.email),
        image: textOf(profile.image?.link),
      }),
      style: { brandColor: "#00babc", logo: mark },
      console: "https://profile.intra.42.fr/oauth/applications",
      docs: "https://api.intra.42.fr/apidoc/guides/web_application_flow",
      checked: "2026-11-21",
      notes: ["A new account may have no full name yet; then the display name or the login stands for it."],
    },
    config,
  )
}

export default FortyTwo
