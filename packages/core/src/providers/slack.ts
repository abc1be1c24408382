/** Slack. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/slack.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What Slack says of a person. */
export interface SlackProfile extends FurtherClaims {
  ok: boolean
  sub: string
  "https://slack.com/user_id": string
  "https://slack.com/team_id": string
  email: string
  email_verified: boolean
  date_email_verified: number
  name: string
  picture: string
  given_name: string
  family_name: string
  locale: string
  "https://slack.com/team_name": string
  "https://slack.com/team_domain": string
  "https://slack.com/user_image_24": string
  "https://slack.com/user_image_32": string
  "https://slack.com/user_image_48": string
  "https://slack.com/user_image_72": string
  "https://slack.com/user_image_192": string
  "https://slack.com/user_image_512": string
  "https://slack.com/user_image_1024": string
  "https://slack.com/team_image_34": string
  "https://slack.com/team_image_44": string
  "https://slack.com/team_image_68": string
  "https://slack.com/team_image_88": string
  "https://slack.com/team_image_102": string
  "https://slack.com/team_image_132": string
  "https://slack.com/team_image_230": string
  "https://slack.com/team_image_default": boolean
}

/** Options of {@link Slack}. */
export type SlackUserConfig<P = SlackProfile> = OIDCUserConfig<P> & {
  /**
   * Makes the team a part of an account's id: Slack promises that the id of a person is unique together with the team only.
   * Ids of accounts change when it is set.
   * @default false
   */
  separateTeams?: boolean
}

/** Sign-in with Slack. */
export function Slack<P extends SlackProfile = SlackProfile>(
  config: SlackUserConfig<P> = {},
): OIDCConfig<P, UsualId<"slack">> {
  const { separateTeams = false, ...rest } = config
  return oidc(
    {
      id: "slack",
      name: "Slack",
      issuer: "https://slack.com",
      // Its tokens always carry a nonce, and PKCE has been answered with an internal error.
      checks: ["nonce", "state"],
      profile: (profile) => ({
        id: separateTeams ? idInTeam(profile) : idOf(profile.sub),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.picture),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#611f69", logo: mark },
      console: "https://api.slack.com/apps",
      docs: "https://docs.slack.dev/authentication/sign-in-with-slack/",
      checked: "2026-11-21",
      notes: [
        "The callback has to be https, also while developing.",
        "Slack promises that the id of a person is unique together with the id of the team only. With `separateTeams: true` the team is a part of the id. Existing accounts have to be moved, as the page about users and accounts says.",
      ],
    },
    rest as OIDCUserConfig<P>,
  )
}

export default Slack

function idInTeam({ sub, "https://slack.com/team_id": team }: SlackProfile): string {
  const parts = [team, sub].map((part) => encodeURIComponent(idOf(part)))
  return parts.includes("") ? "" : parts.join(":")
}
