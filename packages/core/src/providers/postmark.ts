/** Sign-in links through the mail service Postmark. */
import type { EmailConfig, EmailUserConfig, SendVerificationRequestParams, UsualId } from "../types/provider.js"
import { email } from "./define.js"
import { fromAddress, signInMessage } from "./mail/message.js"
import { postMail } from "./mail/service.js"

/** Sends the link through Postmark. The key is `apiKey`, else `AUTH_POSTMARK_KEY`. */
export function Postmark(config: EmailUserConfig = {}): EmailConfig<UsualId<"postmark">> {
  return email(
    {
      id: "postmark",
      name: "Postmark",
      console: "https://account.postmarkapp.com/servers",
      docs: "https://postmarkapp.com/developer/api/email-api",
      checked: "2026-11-21",
      notes: ["`apiKey` is the token of the server. `from` has to be a confirmed sender, or of a confirmed domain."],
      sendVerificationRequest: sendByPostmark,
    },
    config,
  )
}

export default Postmark

async function sendByPostmark(params: SendVerificationRequestParams): Promise<void> {
  const { identifier, url, token } = params
  const { apiKey, from } = params.provider
  const { subject, text, html } = signInMessage(params)
  await postMail({
    service: "Postmark",
    url: "https://api.postmarkapp.com/email",
    headers: { accept: "application/json", "x-postmark-server-token": String(apiKey) },
    body: {
      From: fromAddress(from, url),
      To: identifier,
      Subject: subject,
      TextBody: text,
      HtmlBody: html,
      MessageStream: "outbound",
    },
    secrets: [apiKey, url, token],
  })
}
