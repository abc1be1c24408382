/** A provider of e-mail links under the id `email`: by SMTP, or by a sender of your own. */
import type { EmailConfig, EmailUserConfig, UsualId } from "../types/provider.js"
import { Nodemailer } from "./nodemailer.js"

export type {
  EmailConfig,
  EmailUserConfig,
  SendVerificationRequestParams,
  SendVerificationRequestParams as EmailProviderSendVerificationRequestParams,
} from "../types/provider.js"
export { type SignInMessage, type SignInMessageView, signInMessage } from "./mail/message.js"

/** The type of providers that prove an address by a link. */
export type EmailProviderType = "email"

/**
 * Sends the link by `server`, or by `sendVerificationRequest`.
 * @throws InvalidConfiguration with neither.
 */
export function Email(config: EmailUserConfig): EmailConfig<UsualId<"email">> {
  return { ...Nodemailer(config), id: config.id ?? "email", name: config.name ?? "Email" }
}

export default Email
