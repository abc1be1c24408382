/** Sign-in links through the mail service Loops. */
import { InvalidConfiguration } from "../errors.js"
import type { EmailConfig, EmailUserConfig, SendVerificationRequestParams, UsualId } from "../types/provider.js"
import { email } from "./define.js"
import { postMail } from "./mail/service.js"

/** A provider that sends through Loops. */
export interface LoopsConfig extends EmailConfig<UsualId<"loops">> {
  /** Id of the template. */
  transactionalId?: string
}

/** What is given to {@link Loops}. */
export type LoopsUserConfig = EmailUserConfig & { transactionalId?: string }

/** Sends the link through Loops. The key is `apiKey`, else `AUTH_LOOPS_KEY`. */
export function Loops(config: LoopsUserConfig = {}): LoopsConfig {
  return email(
    {
      id: "loops",
      name: "Loops",
      console: "https://app.loops.so/settings?page=api",
      docs: "https://loops.so/docs/api-reference/send-transactional-email",
      checked: "2026-11-21",
      notes: [
        "The mail is a transactional template at Loops, named by `transactionalId`; its data variable `url` is the link. Subject, sender and text are those of the template.",
      ],
      sendVerificationRequest: sendByLoops,
    },
    config,
  )
}

export default Loops

async function sendByLoops(params: SendVerificationRequestParams): Promise<void> {
  const { identifier, url, token } = params
  const { apiKey, transactionalId } = params.provider as LoopsConfig
  if (!transactionalId) throw new InvalidConfiguration("Loops needs `transactionalId`: the id of the template.")
  await postMail({
    service: "Loops",
    url: "https://app.loops.so/api/v1/transactional",
    headers: { authorization: `Bearer ${apiKey}` },
    body: { transactionalId, email: identifier, dataVariables: { url } },
    secrets: [apiKey, url, token],
  })
}
