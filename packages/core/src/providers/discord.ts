/** Discord. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/discord.js"
import { idOf, textOf } from "./parts/values.js"

/** What Discord says of a person. */
export interface DiscordProfile extends FurtherClaims {
  /** A number of more than 53 bits, as text. */
  id: string
  username: string
  /** `0`, or four digits of an account that still has them. */
  discriminator: string
  global_name: string | null
  /** Hash of the picture; starts with `a_` when it moves. */
  avatar: string | null
  bot?: boolean
  system?: boolean
  mfa_enabled: boolean
  banner: string | null
  accent_color: number | null
  locale: string
  /** The address is confirmed. */
  verified: boolean
  email: string | null
  flags: number
  premium_type: number
  public_flags: number
  /** Set by the mapping to the address of the picture. */
  image_url?: string
}

/** Sign-in with Discord. */
export function Discord<P extends DiscordProfile = DiscordProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"discord">> {
  return oauth(
    {
      id: "discord",
      name: "Discord",
      authorization: { url: "https://discord.com/oauth2/authorize", params: { scope: "identify email" } },
      token: "https://discord.com/api/oauth2/token",
      userinfo: "https://discord.com/api/users/@me",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.global_name, profile.username),
        email: textOf(profile.email),
        image: picture(profile),
      }),
      emailVerified: ({ verified }) => verified,
      style: { brandColor: "#5865f2", logo: mark },
      console: "https://discord.com/developers/applications",
      docs: "https://discord.com/developers/docs/topics/oauth2",
      checked: "2026-11-21",
      notes: [
        "With the scope `openid` Discord adds an id_token: set `issuer` to https://discord.com so that it is validated.",
      ],
    },
    config,
  )
}

export default Discord

function picture({ id, avatar, discriminator }: DiscordProfile): string {
  const host = "https://cdn.discordapp.com"
  const hash = textOf(avatar)
  if (hash) return `${host}/avatars/${id}/${hash}.${hash.startsWith("a_") ? "gif" : "png"}`
  return `${host}/embed/avatars/${standardPicture(id, discriminator)}.png`
}

/** Accounts without discriminator take theirs from the id. */
function standardPicture(id: unknown, discriminator: unknown): number {
  const digits = Number(discriminator)
  if (digits > 0) return digits % 5
  return typeof id === "string" && /^\d{1,20}$/.test(id) ? Number((BigInt(id) >> 22n) % 6n) : 0
}
