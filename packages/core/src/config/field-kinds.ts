/** What a field of a form that signs in is for, as far as its name and type say. */
import type { CredentialInput } from "../types/provider.js"

/**
 * `person`: its values belong to one person each. `perhaps`: they may, or several people share one. `place`: a tenant, or what
 * else says among whom to look. `password` and `code`: what somebody has to know. `other`: what a page sets by itself, what
 * everybody chooses among few values, and what says nothing of who it is.
 */
export type FieldKind = "person" | "perhaps" | "place" | "password" | "code" | "other" | "unknown"

/** @param input What the application has listed for it. */
export function kindOf(name: string, input: CredentialInput | null | undefined): FieldKind {
  const type = typeof input?.type === "string" ? input.type.toLowerCase() : undefined
  // Applications with a page of their own leave the type out.
  if (type === "password" || ((type ?? "text") === "text" && passwordName.test(name))) return "password"
  if (type !== undefined && buttons.has(type)) return "other"
  // Not by `tel`: it brings up the keypad of numbers, also for a PIN.
  if (personName.test(name) || type === "email" || isCompleted(input)) return "person"
  if (placeName.test(name)) return "place"
  if (codeName.test(name)) return "code"
  if (perhapsName.test(name)) return "perhaps"
  if (type === "radio" || type === "select") return "place"
  return type === "hidden" || otherName.test(name) ? "other" : "unknown"
}

/** Nobody types into these: everybody sends the same few values, whatever the field is called. */
const buttons: ReadonlySet<string> = new Set([
  ...["submit", "button", "reset", "image", "checkbox", "file", "color", "range"],
])

/** Browsers complete who signs in there. React writes the name of the attribute in another way. */
function isCompleted(input: CredentialInput | null | undefined): boolean {
  const { autocomplete, autoComplete = autocomplete } = (input ?? {}) as Readonly<Record<string, unknown>>
  return typeof autoComplete === "string" && /(?:^|\s)(?:username|email)(?:\s|$)/i.test(autoComplete)
}

/** A name of one of these words, between others that say nothing. */
const oneOf = (before: string, words: string, after: string): RegExp =>
  new RegExp(`^(?:(?:${before})[-_]?)*(?:${words})(?:[-_]?(?:${after}))*$`, "i")

/** `pass`, alone or behind other words, and what is made of it: not `passport`, `passengerId` or `passNumber`. */
const passwordName = /pass(?:[-_]?(?:wor[dt]|wd|phrase|code|key)|[-_\d]|$)|pwd/i

const numbered =
  "member|membership|employee|staff|student|patient|pupil|passenger|roll|enrolment|enrollment|registration|badge"
const personName = oneOf(
  "user|login|account|member|customer|work|mobile|cell|my|sign[-_]?in",
  `e[-_]?mail|mail|phone|telephone|tel|mobile|cell|user|login|handle|identifier|correo|telefono|celular|usuario|courriel|utilisateur|benutzer|cpf|(?:${numbered})[-_]?(?:id|number|num|nr|no)`,
  "address|number|num|nr|no|id|name|user[-_]?name|or[-_]?(?:e[-_]?mail|phone|user[-_]?name)",
)

/** Several people may have one value. */
const perhapsName = oneOf(
  "user|wallet|screen",
  "id|name|nick|account|member|customer|client|address",
  "name|id|number|num|nr|no",
)

const placeName = oneOf(
  "user|login|account|member",
  "tenant|org|organization|organisation|company|firm|business|workspace|realm|team|group|department|shop|store|school|university|club|clinic|hospital|bank|agency|branch|office|region|country|site|host|sub|domain|project|portal|chain|network|provider|role|kind|type",
  "domain|name|id|number|num|nr|no|slug|code|key|type",
)

const codeName = /(?:code|otp|pin)$|^(?:mfa|2fa|puk|tan)$/i

/** What is another one each time, what a page remembers, and what people say of themselves. */
const otherName = oneOf(
  "totp|otp|mfa|first|last|middle|full|display|given|family|sur|birth|date[-_]?of|re|h|g|cf[-_]?turnstile|g[-_]?recaptcha|h[-_]?captcha|id|access|csrf|refresh|captcha|callback|return|redirect",
  "name|captcha|recaptcha|turnstile|token|nonce|challenge|signature|message|csrf|xsrf|response|callback|redirect|return|url|uri|to|next|remember|terms|consent|locale|language|lang|time[-_]?zone|theme|device|step|mode|action|intent|submit|birth|birthday|dob|gender|age|city|zip|street|bio|avatar|image|picture|photo|website|title|newsletter|fingerprint|version|json|state",
  "me|url|uri|to|token|response|id|code|string|accepted",
)
