/** Sign-in links through the mail service SendGrid. */
import type { EmailConfig, EmailUserConfig, SendVerificationRequestParams, UsualId } from "../types/provider.js"
import { email } from "./define.js"
import { fromAddress, signInMessage } from "./mail/message.js"
import { postMail } from "./mail/service.js"

/** Sends the link through SendGrid. The key is `apiKey`, else `AUTH_SENDGRID_KEY`. */
export function SendGrid(config: EmailUserConfig = {}): EmailConfig<UsualId<"sendgrid">> {
  return email(
    {
      id: "sendgrid",
      name: "SendGrid",
      console: "https://app.sendgrid.com/settings/api_keys",
      docs: "https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send",
      checked: "2026-11-21",
      notes: ["`from` has to be a verified sender."],
      sendVerificationRequest: sendBySendGrid,
    },
    config,
  )
}

export default SendGrid

async function sendBySendGrid(params: SendVerificationRequestParams): Promise<void> {
  const { identifier, url, token } = params
  const { apiKey, from } = params.provider
  const { subject, text, html } = signInMessage(params)
  await postMail({
    service: "SendGrid",
    url: "https://api.sendgrid.com/v3/mail/send",
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      personalizations: [{ to: [{ email: identifier }] }],
      from: addressOf(fromAddress(from, url)),
      subject,
      // The plain part has to come first.
      content: [
        { type: "text/plain", value: text },
        { type: "text/html", value: html },
      ],
    },
    secrets: [apiKey, url, token],
  })
}

/** `Name <address>` as two members. */
function addressOf(sender: string): { email: string; name?: string } {
  const [, name = "", email] = /^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/.exec(sender) ?? []
  return email === undefined ? { email: sender } : { email, ...(name && { name }) }
}
