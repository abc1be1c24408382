/** Sign-in links through the mail service Resend. */
import type { EmailConfig, EmailUserConfig, SendVerificationRequestParams, UsualId } from "../types/provider.js"
import { email } from "./define.js"
import { fromAddress, signInMessage } from "./mail/message.js"
import { postMail } from "./mail/service.js"

/** Sends the link through Resend. The key is `apiKey`, else `AUTH_RESEND_KEY`. */
export function Resend(config: EmailUserConfig = {}): EmailConfig<UsualId<"resend">> {
  return email(
    {
      id: "resend",
      name: "Resend",
      console: "https://resend.com/api-keys",
      docs: "https://resend.com/docs/api-reference/emails/send-email",
      checked: "2026-11-21",
      notes: ["The domain of `from` has to be verified at Resend."],
      sendVerificationRequest: sendByResend,
    },
    config,
  )
}

export default Resend

async function sendByResend(params: SendVerificationRequestParams): Promise<void> {
  const { identifier, url, token } = params
  const { apiKey, from } = params.provider
  await postMail({
    service: "Resend",
    url: "https://api.resend.com/emails",
    headers: { authorization: `Bearer ${apiKey}` },
    body: { from: fromAddress(from, url), to: identifier, ...signInMessage(params) },
    secrets: [apiKey, url, token],
  })
}
