/** Sign-in links through the mail service Mailgun. */
import { toBase64, utf8 } from "../std/bytes.js"
import type { EmailConfig, EmailUserConfig, SendVerificationRequestParams, UsualId } from "../types/provider.js"
import { email } from "./define.js"
import { fromAddress, signInMessage } from "./mail/message.js"
import { postMail } from "./mail/service.js"

/** A provider that sends through Mailgun. */
export interface MailGunConfig extends EmailConfig<UsualId<"mailgun">> {
  /** Where the domain is hosted. @default "US" */
  region?: "US" | "EU"
}

/** What is given to {@link MailGun}. */
export type MailGunUserConfig = EmailUserConfig & { region?: "US" | "EU" }

/** Sends the link through Mailgun. The key is `apiKey`, else `AUTH_MAILGUN_KEY`. */
export function MailGun(config: MailGunUserConfig = {}): MailGunConfig {
  return email(
    {
      id: "mailgun",
      name: "Mailgun",
      console: "https://app.mailgun.com/settings/api_security",
      docs: "https://documentation.mailgun.com/docs/mailgun/api-reference/",
      checked: "2026-11-21",
      notes: ['The domain of `from` has to be verified at Mailgun. `region: "EU"` sends through Europe.'],
      sendVerificationRequest: sendByMailGun,
    },
    config,
  )
}

export default MailGun

async function sendByMailGun(params: SendVerificationRequestParams): Promise<void> {
  const { identifier, url, token } = params
  const { apiKey, from, region, name } = params.provider as MailGunConfig
  const sender = fromAddress(from, url)
  const { subject, text, html } = signInMessage(params)
  await postMail({
    service: "Mailgun",
    url: `https://api.${region === "EU" ? "eu." : ""}mailgun.net/v3/${encodeURIComponent(domainOf(sender))}/messages`,
    headers: { authorization: `Basic ${toBase64(utf8(`api:${apiKey}`))}` },
    body: new URLSearchParams({
      from: sender.includes("<") ? sender : `${name} <${sender}>`,
      to: identifier,
      subject,
      text,
      html,
    }),
    secrets: [apiKey, url, token],
  })
}

/** The domain that sends: that of the sender, also where it stands in angle brackets behind a name. */
function domainOf(sender: string): string {
  return sender.slice(sender.lastIndexOf("@") + 1).replace(/>\s*$/, "")
}
