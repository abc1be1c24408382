/** A mail service that refuses a mail repeats it in its error: the code or link in it reaches no log, for it signs in. */
import { inspect } from "node:util"
import { expect, it } from "vitest"
import { EmailSignInError } from "../../src/errors.js"
import type { SendVerificationRequestParams as Mail } from "../../src/types/provider.js"
import { makeWorld } from "../support/world.js"

const inBase64 = (text: string): string => Buffer.from(text).toString("base64")
const unpadded = (text: string): string => inBase64(text).replace(/=+$/, "")
const inBase64url = (text: string): string => Buffer.from(text).toString("base64url")

const refusals: Readonly<Record<string, (mail: Mail) => unknown>> = {
  "the text": ({ token }) => new Error(`554 refused: <p>Your code is <b>${token}</b></p>`),
  "what was sent, as JSON": (mail) => new Error(JSON.stringify({ to: mail.identifier, html: `<b>${mail.token}</b>` })),
  "the link": ({ url }) => new Error(`554 refused: ${url}`),
  "the link in an address": ({ url }) => new Error(`GET https://mail.test/?body=${encodeURIComponent(url)}`),
  "the link in base64": ({ url }) => new Error(`554 refused: ${inBase64(url)}`),
  "the link in base64 without padding": ({ url }) => new Error(`554 refused: ${unpadded(url)}`),
  "the link in base64url": ({ url }) => new Error(`554 refused: https://click.test/?u=${inBase64url(url)}`),
  "the request, as a member": ({ token }) =>
    Object.assign(new Error("refused"), { request: { html: `<b>${token}</b>` } }),
  "the text, in an error of this library": ({ token }) => new EmailSignInError(`554 refused: Your code is ${token}`),
}

it.each(
  Object.entries(refusals).flatMap(([what, refusal]) =>
    ["7351", "73519", "735198", "ab cd-7%1"].map((code) => ({ what, code, refusal })),
  ),
)(
  "an error that repeats $what does not take the code $code to the log",
  { tags: ["threat:A-012"] },
  async ({ code, refusal }) => {
    let link = ""
    // Where the query begins decides whether base64 has a letter that base64url writes in another way.
    const id = "codes".padEnd(5 + (code.length % 3), "s")
    const provider = {
      id,
      name: "Codes",
      type: "email",
      generateVerificationToken: () => code,
      sendVerificationRequest(mail: Mail): never {
        link = mail.url
        throw refusal(mail)
      },
    }
    const world = await makeWorld({ mail: false, more: [provider as never] })
    await world.browser().post(`/auth/signin/${id}`, { email: "ada@app.test" })
    expect(world.errors[0]).toBeInstanceOf(EmailSignInError)
    const log = inspect(world.errors, { depth: 9 })
    expect(log).toContain("refused")
    const secrets = [code, encodeURIComponent(code), unpadded(link), inBase64url(link)]
    for (const secret of secrets) expect(log).not.toContain(secret)
  },
)
