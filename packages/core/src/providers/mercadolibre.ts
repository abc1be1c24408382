/** Mercado Libre. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, joined, textOf } from "./parts/values.js"

/** What Mercado Libre says of a person. */
export interface MercadoLibreProfile extends FurtherClaims {
  id: number
  nickname: string
  registration_date: string
  first_name: string
  last_name: string
  country_id: string
  email: string
  identification?: Record<string, unknown>
  address?: Record<string, unknown>
  phone?: Record<string, unknown>
  user_type: string
  site_id: string
  permalink: string
  thumbnail?: { picture_id?: string; picture_url?: string } | null
  status?: Record<string, unknown>
}

/** Options of {@link MercadoLibre}. */
export type MercadoLibreUserConfig = OAuthUserConfig<MercadoLibreProfile> & {
  /** Where people consent. @default "https://auth.mercadolibre.com" */
  authorizationServer?: string
}

/** Sign-in with Mercado Libre. */
export function MercadoLibre(
  config: MercadoLibreUserConfig = {},
): OAuth2Config<MercadoLibreProfile, UsualId<"mercadolibre">> {
  const { authorizationServer = "https://auth.mercadolibre.com", ...rest } = config
  return oauth(
    {
      id: "mercadolibre",
      name: "Mercado Libre",
      authorization: { url: `${authorizationServer.replace(/\/+$/, "")}/authorization`, params: { scope: null } },
      token: "https://api.mercadolibre.com/oauth/token",
      userinfo: "https://api.mercadolibre.com/users/me",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: joined(profile.first_name, profile.last_name) ?? textOf(profile.nickname),
        email: textOf(profile.email),
        image: textOf(profile.thumbnail?.picture_url),
      }),
      style: { brandColor: "#ffe600" },
      console: "https://developers.mercadolibre.com.ar/devcenter",
      docs: "https://developers.mercadolibre.com.ar/en_us/authentication-and-authorization",
      checked: "2026-11-21",
      notes: [
        "`authorizationServer` is that of the country: https://auth.mercadolibre.com.ar, https://auth.mercadolivre.com.br.",
        "PKCE has to be turned on for the application; its permissions are set there too.",
      ],
    },
    rest,
  )
}

export default MercadoLibre
