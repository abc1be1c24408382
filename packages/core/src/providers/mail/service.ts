/** Sending through the HTTP interface of a mail service: one request, with a time limit, and an error that does not contain its key. */
import { EmailSignInError } from "../../errors.js"
import { fromUtf8, readStream } from "../../std/bytes.js"

const answersWithin = 10_000
const longestReason = 300
const mostBytes = 1_048_576

/** One request to a mail service. */
export interface MailRequest {
  /** Name of the service, for the message of an error. */
  readonly service: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON, or as a form when it is one. */
  readonly body: unknown
  /** Values that must not come back in the message of an error: key, link, token. */
  readonly secrets: readonly (string | undefined)[]
}

/**
 * Hands a mail to a service.
 * @throws EmailSignInError when the service is out of reach, too slow or does not answer 2xx.
 */
export async function postMail({ service, url, headers, body, secrets }: MailRequest): Promise<void> {
  const isForm = body instanceof URLSearchParams
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json"
  const response = await reach(service, url, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body: isForm ? body.toString() : JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.timeout(answersWithin),
  })
  if (response.ok) {
    await response.body?.cancel()
    return
  }
  const reason = await reasonOf(response)
  throw new EmailSignInError(`${service} refused the mail: ${response.status} ${masked(reason, secrets)}`.trim(), {
    service,
    status: response.status,
  })
}

async function reach(service: string, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const err = error instanceof Error ? error : new Error(String(error))
    throw new EmailSignInError(`${service} could not be reached.`, { cause: { err, service } })
  }
}

/** What the service says: the message of a JSON answer where there is one, else the beginning of the text. */
async function reasonOf(response: Response): Promise<string> {
  const text = await textOf(response)
  try {
    const answer: unknown = JSON.parse(text)
    const { message, Message } = (answer ?? {}) as { message?: unknown; Message?: unknown }
    if (typeof Message === "string") return Message
    if (typeof message === "string") return message
  } catch {
    // Not JSON: the text itself is the reason.
  }
  return text
}

/** No service says so much to explain a refusal: the rest is neither read nor unpacked. */
async function textOf({ body }: Response): Promise<string> {
  const tooLarge = (): Error => new Error(`with an answer of more than ${mostBytes} bytes`)
  try {
    return body ? fromUtf8(await readStream(body, mostBytes, { tooLarge })) : ""
  } catch (error) {
    return error instanceof Error ? error.message : ""
  }
}

function masked(reason: string, secrets: readonly (string | undefined)[]): string {
  let text = reason
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, "…")
  // Cut first: each run of control characters takes its time.
  return text
    .slice(0, 10 * longestReason)
    .replace(/\p{C}+/gu, " ")
    .slice(0, longestReason)
}
