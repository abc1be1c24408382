/** What the forms of the components are made of, the same for slots and snippets. */
import type { SignInView } from "@latchkey/core/types"
import { formAddress } from "../base-path.js"
import { kitBase } from "../kit-paths.js"

/** Options of a form: `redirectTo`, `redirect`, and fields of the provider. */
export type FormOptions = Readonly<Record<string, unknown>> | FormData

/** Parameters for the authorization request, in any of the shapes that `URLSearchParams` takes. */
export type AuthorizationParams =
  | string
  | readonly (readonly [string, string])[]
  | Readonly<Record<string, string>>
  | URLSearchParams

/** Name and value of a hidden field. */
export type HiddenField = readonly [name: string, value: string]

/** The hidden fields of a sign-in. */
export function signInFields(given: {
  readonly provider: string
  readonly options: FormOptions | undefined
  readonly authorizationParams: AuthorizationParams | undefined
}): HiddenField[] {
  const { provider, options, authorizationParams } = given
  const params = [...new URLSearchParams(authorizationParams as URLSearchParams | undefined)]
  return [
    ["providerId", provider],
    ...optionFields(options),
    ...params.map(([name, value]): HiddenField => [`authorizationParams-${name}`, value]),
  ]
}

/** The hidden fields of options: each under its own name, as text. */
export function optionFields(options: FormOptions | undefined): HiddenField[] {
  const given = options instanceof FormData ? [...options] : Object.entries(options ?? {})
  return given
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)])
}

/** The address of a form: a page of the application, below its base path. */
export function addressOf(page: string): string {
  return formAddress(kitBase, page)
}

/** The classes of a form. */
export function classesOf(...names: readonly unknown[]): string {
  return names.filter((name) => typeof name === "string" && name !== "").join(" ")
}

/** Ids of the mail providers that come with the core: they are asked with an address. */
export const mailProviders: ReadonlySet<string> = new Set([
  "email",
  "forwardemail",
  "loops",
  "mailgun",
  "nodemailer",
  "postmark",
  "resend",
  "sendgrid",
])

/** Ids of the providers that need a script. */
export const passkeyProviders: ReadonlySet<string> = new Set(["passkey", "webauthn"])

/** The label of the button of a sign-in: what the view says, in its language, else English. */
export function buttonText(provider: string, view?: SignInView): string {
  const buttons = view ? [...view.providers, ...view.passkeys, ...view.forms.flatMap((form) => form.buttons)] : []
  return buttons.find(({ id }) => id === provider)?.label ?? usualText(provider)
}

/** The label of the address, likewise. */
export function addressLabel(view?: SignInView): string {
  const fields = view?.forms.flatMap((form) => form.fields) ?? []
  return fields.find(({ name }) => name === "email")?.label ?? "E-mail"
}

function usualText(provider: string): string {
  if (provider === "" || provider === "credentials") return "Sign in"
  if (mailProviders.has(provider)) return "Sign in with e-mail"
  if (passkeyProviders.has(provider)) return "Sign in with a passkey"
  const name = provider.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => ` ${letter.toUpperCase()}`)
  return `Sign in with${name}`
}

/**
 * Signs in with a passkey instead of sending the form. Every other form is left to the browser, so that it works
 * without a script as well.
 */
export async function usePasskey(event: SubmitEvent, provider: string): Promise<void> {
  if (!passkeyProviders.has(provider)) return
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  const { redirectTo, email } = Object.fromEntries(new FormData(form))
  try {
    const { signInWithPasskey } = await import("../client.js")
    await signInWithPasskey({
      provider,
      ...(typeof redirectTo === "string" && redirectTo !== "" && { redirectTo }),
      ...(typeof email === "string" && email !== "" && { fields: { email } }),
    })
  } catch (error) {
    // The user has cancelled, which needs no message.
    if (!isCancelled(error)) console.error(error)
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError")
}
