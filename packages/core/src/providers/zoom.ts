/** Zoom. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, joined, textOf } from "./parts/values.js"

/** What Zoom says of a person. */
export interface ZoomProfile extends FurtherClaims {
  id: string
  first_name: string
  last_name: string
  email: string
  type: number
  role_name: string
  pmi: number
  use_pmi: boolean
  vanity_url: string
  personal_meeting_url: string
  timezone: string
  /** 1 for an address that Zoom has verified. */
  verified: number
  dept: string
  created_at: string
  last_login_time: string
  last_client_version: string
  pic_url: string
  host_key: string
  jid: string
  group_ids?: string[]
  im_group_ids?: string[]
  account_id: string
  language: string
  phone_country: string
  phone_number: string
  status: string
  display_name: string
  job_title: string
  role_id: string
  location: string
}

/** Sign-in with Zoom. */
export function Zoom(config: OAuthUserConfig<ZoomProfile> = {}): OAuth2Config<ZoomProfile, UsualId<"zoom">> {
  return oauth(
    {
      id: "zoom",
      name: "Zoom",
      authorization: { url: "https://zoom.us/oauth/authorize", params: { scope: null } },
      token: "https://zoom.us/oauth/token",
      userinfo: "https://api.zoom.us/v2/users/me",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: joined(profile.first_name, profile.last_name) ?? textOf(profile.display_name),
        email: textOf(profile.email),
        image: textOf(profile.pic_url),
      }),
      emailVerified: ({ verified }) => verified === 1,
      style: { brandColor: "#0b5cff" },
      console: "https://marketplace.zoom.us",
      docs: "https://developers.zoom.us/docs/integrations/oauth/",
      checked: "2026-11-21",
      notes: [
        "The permissions of the application are set in the Marketplace (user:read:user, or user:read before 2024); no scope is sent.",
      ],
    },
    config,
  )
}

export default Zoom
