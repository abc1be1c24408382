/** VK. */
import type { TokenSet } from "../types/identity.js"
import type { FetchFunction, OAuth2Config, OAuthConfig, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/vk.js"
import { ask, askForTokens, type CodeExchange, codeForm } from "./parts/ask.js"
import { idOf, joined, textOf } from "./parts/values.js"

/** What VK says of a person. */
export interface VkProfile extends FurtherClaims {
  user?: {
    user_id?: string
    first_name?: string
    last_name?: string
    phone?: string
    avatar?: string
    email?: string
    sex?: number
    /** Of the account, not of the address. */
    verified?: boolean
    birthday?: string
  }
  /** Of the interface that VK ID has replaced. */
  id?: number
  first_name?: string
  last_name?: string
  photo_100?: string
  email?: string
}

interface Asked {
  readonly provider: Pick<OAuthConfig<VkProfile>, "clientId">
  readonly tokens: TokenSet
  readonly fetch: FetchFunction
}

const tokens = "https://id.vk.com/oauth2/auth"
const person = "https://id.vk.com/oauth2/user_info"

/** Sign-in with VK. */
export function VK<P extends VkProfile = VkProfile>(config: OAuthUserConfig<P> = {}): OAuth2Config<P, UsualId<"vk">> {
  return oauth(
    {
      id: "vk",
      name: "VK",
      authorization: { url: "https://id.vk.com/authorize", params: { scope: "email" } },
      token: { url: tokens, request: exchange },
      userinfo: { url: person, request: askPerson },
      client: { token_endpoint_auth_method: "none" },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.user?.user_id, profile.id),
        name: joined(profile.user?.first_name ?? profile.first_name, profile.user?.last_name ?? profile.last_name),
        email: textOf(profile.user?.email, profile.email),
        image: textOf(profile.user?.avatar, profile.photo_100),
      }),
      style: { brandColor: "#0077ff", logo: mark },
      console: "https://id.vk.com/about/business/go",
      docs: "https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/start-integration/auth-without-sdk/auth-without-sdk-web",
      checked: "2026-11-21",
      notes: [
        "Signs in through VK ID, which has replaced the OAuth of VKontakte; ids of people stay the same.",
        "VK ID needs no secret.",
      ],
    },
    config,
  )
}

export default VK

/** The callback names a device and the state, and the token request repeats both. */
function exchange(given: CodeExchange): Promise<{ tokens: TokenSet }> {
  const { provider, params, fetch } = given
  const repeated = { client_id: provider.clientId, device_id: params["device_id"], state: params["state"] }
  return askForTokens({ fetch, service: "VK", url: tokens, form: { ...repeated, ...codeForm(given) } })
}

function askPerson({ provider, tokens: { access_token }, fetch }: Asked): Promise<VkProfile> {
  return ask({ fetch, service: "VK", url: person, form: { access_token, client_id: provider.clientId } })
}
