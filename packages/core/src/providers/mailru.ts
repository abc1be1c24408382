/** Mail.ru. */
import { withParams } from "../std/url.js"
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/mailru.js"
import { ask } from "./parts/ask.js"
import { normaliseTokens } from "./parts/tokens.js"
import { idOf, textOf } from "./parts/values.js"

/** What Mail.ru says of a person. */
export interface MailruProfile extends FurtherClaims {
  id: string
  client_id: string
  gender: string
  name: string
  nickname: string
  locale: string
  first_name: string
  last_name: string
  email: string
  birthday: string
  image: string
}

const person = "https://oauth.mail.ru/userinfo"

/** Sign-in with Mail.ru. */
export function Mailru(config: OAuthUserConfig<MailruProfile> = {}): OAuth2Config<MailruProfile, UsualId<"mailru">> {
  return oauth(
    {
      id: "mailru",
      name: "Mail.ru",
      authorization: { url: "https://oauth.mail.ru/login", params: { scope: "userinfo" } },
      token: { url: "https://oauth.mail.ru/token", conform: normaliseTokens },
      userinfo: {
        url: person,
        // The token stands in the address.
        request: ({ tokens, fetch }) =>
          ask({ fetch, service: "Mail.ru", url: withParams(person, { access_token: tokens.access_token }) }),
      },
      checks: ["state", "pkce"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name, profile.nickname),
        email: textOf(profile.email),
        image: textOf(profile.image),
      }),
      style: { brandColor: "#005ff9", logo: mark },
      console: "https://oauth.mail.ru/app/",
      docs: "https://oauth.mail.ru/docs",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Mailru
