/** Sign-in links through the mail service Forward Email. */
import { toBase64, utf8 } from "../std/bytes.js"
import type { EmailConfig, EmailUserConfig, SendVerificationRequestParams, UsualId } from "../types/provider.js"
import { email } from "./define.js"
import { fromAddress, signInMessage } from "./mail/message.js"
import { postMail } from "./mail/service.js"

/** Sends the link through Forward Email. The key is `apiKey`, else `AUTH_FORWARDEMAIL_KEY`. */
export function ForwardEmail(config: EmailUserConfig = {}): EmailConfig<UsualId<"forwardemail">> {
  return email(
    {
      id: "forwardemail",
      name: "Forward Email",
      console: "https://forwardemail.net/my-account/security",
      docs: "https://forwardemail.net/en/email-api",
      checked: "2026-11-21",
      notes: ["The domain of `from` has to be set up for sending at Forward Email."],
      sendVerificationRequest: sendByForwardEmail,
    },
    config,
  )
}

export default ForwardEmail

async function sendByForwardEmail(params: SendVerificationRequestParams): Promise<void> {
  const { identifier, url, token } = params
  const { apiKey, from } = params.provider
  await postMail({
    service: "Forward Email",
    url: "https://api.forwardemail.net/v1/emails",
    // The key is the name of the user, and there is no password.
    headers: { authorization: `Basic ${toBase64(utf8(`${apiKey}:`))}` },
    body: { from: fromAddress(from, url), to: identifier, ...signInMessage(params) },
    secrets: [apiKey, url, token],
  })
}
