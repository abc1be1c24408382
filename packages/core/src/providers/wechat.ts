/** WeChat. */
import { withParams } from "../std/url.js"
import type { TokenSet } from "../types/identity.js"
import type { FetchFunction, OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/wechat.js"
import { ask, askForTokens, type CodeExchange, codeForm, secretOf } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What WeChat says of a person. */
export interface WeChatProfile extends FurtherClaims {
  openid: string
  nickname: string
  sex: number
  province: string
  city: string
  country: string
  headimgurl: string
  privilege?: string[]
  unionid: string
}

const entrances = {
  OfficialAccount: { url: "https://open.weixin.qq.com/connect/oauth2/authorize", scope: "snsapi_userinfo" },
  WebsiteApp: { url: "https://open.weixin.qq.com/connect/qrconnect", scope: "snsapi_login" },
}
const tokens = "https://api.weixin.qq.com/sns/oauth2/access_token"
const person = "https://api.weixin.qq.com/sns/userinfo"

interface Asked {
  readonly tokens: TokenSet
  readonly fetch: FetchFunction
}

/** Options of {@link WeChat}. */
export type WeChatUserConfig = OAuthUserConfig<WeChatProfile> & {
  /** Where people come from. @default "OfficialAccount" */
  platformType?: keyof typeof entrances
}

/** Sign-in with WeChat. */
export function WeChat(config: WeChatUserConfig = {}): OAuth2Config<WeChatProfile, UsualId<"wechat">> {
  const { platformType = "OfficialAccount", ...rest } = config
  const entrance = entrances[platformType]
  return oauth(
    {
      id: "wechat",
      name: "WeChat",
      // The fragment is part of the address that WeChat knows.
      authorization: { url: `${entrance.url}#wechat_redirect`, params: { appid: "{clientId}", scope: entrance.scope } },
      token: { url: tokens, request: exchange },
      userinfo: { url: person, request: askPerson },
      checks: ["state"],
      profile: (profile) => ({
        // Without an account at the Open Platform there is no unionid.
        id: idOf(profile.unionid, profile.openid),
        name: textOf(profile.nickname),
        email: null,
        image: textOf(profile.headimgurl),
      }),
      style: { brandColor: "#07c160", logo: mark },
      console: "https://open.weixin.qq.com",
      docs: "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
      checked: "2026-11-21",
      notes: [
        '`platformType` is "OfficialAccount" inside WeChat\'s own browser, "WebsiteApp" for a page with a QR code.',
        "If an account gets a unionid later, its id changes: join the Open Platform first.",
        "The profile has no e-mail address.",
      ],
    },
    rest,
  )
}

export default WeChat

/** A GET, with names of its own for the client; a refusal comes with status 200. */
function exchange(given: CodeExchange): Promise<{ tokens: TokenSet }> {
  const { provider, fetch } = given
  const { code, grant_type } = codeForm(given)
  const url = withParams(tokens, { appid: provider.clientId, secret: secretOf(provider), code, grant_type })
  return askForTokens({ fetch, service: "WeChat", url }, (body) =>
    body["errcode"] ? { error: `wechat_${body["errcode"]}`, error_description: body["errmsg"] } : body,
  )
}

function askPerson({ tokens: { access_token, openid }, fetch }: Asked): Promise<WeChatProfile> {
  const url = withParams(person, { access_token, openid: textOf(openid) ?? undefined, lang: "zh_CN" })
  return ask({ fetch, service: "WeChat", url })
}
