/** What a field of a form that signs in is for, as far as its name and type say. */
import type { CredentialInput } from "../types/provider.js"
import { madeOf, readable } from "./name-words.js"

/**
 * `person`: its values belong to one person each. `perhaps`: they may, or several people share one. `place`: a tenant, or what
 * else says among whom to look. `password` and `factor`: what somebody has to know or to have. `code`: any other, which may also
 * name somebody. `detail`: what people say of themselves, or a page keeps of them; applications hardly look anybody up by it.
 * `other`: what a page sets by itself, what everybody chooses among few values, and what says nothing of who it is.
 */
export type FieldKind = "person" | "perhaps" | "place" | "password" | "factor" | "code" | "detail" | "other" | "unknown"

/** @param input What the application has listed for it. */
export function kindOf(name: string, input: CredentialInput | null | undefined): FieldKind {
  const type = typeof input?.type === "string" ? input.type.toLowerCase() : undefined
  // Applications with a page of their own leave the type out.
  if (type === "password" || ((type ?? "text") === "text" && passwordName.test(readable(name)))) return "password"
  if (type !== undefined && buttons.has(type)) return "other"
  // Not by `tel`: it brings up the keypad of numbers, also for a PIN.
  if (isPersonName(name) || type === "email" || isCompleted(input)) return "person"
  if (isPlaceName(name)) return "place"
  if (isPerhapsName(name)) return type === "hidden" ? "detail" : "perhaps"
  return kindOfRest(name, type)
}

function kindOfRest(name: string, type: string | undefined): FieldKind {
  // Whatever it is called: people of one name may be somebody else for each choice, such as a code of a country.
  if (type === "radio" || type === "select") return "place"
  if (isFactorName(name)) return "factor"
  if (codeName.test(readable(name))) return "code"
  if (isDetailName(name)) return "detail"
  if (isOtherName(name) || serverAction.test(name)) return "other"
  return type === "hidden" ? "detail" : "unknown"
}

/** Applications take the digits out of it, whatever else was typed. */
export function isOfDigits(name: string, input: CredentialInput | null | undefined): boolean {
  return isDigitsName(name) || (typeof input?.type === "string" && input.type.toLowerCase() === "tel")
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

/** `pass`, alone or behind other words, and what is made of it: not `passport`, `passengerId`, `passNumber` or `pass_holder_id`. */
const passwordName =
  /pass(?:[-_]?(?:wor[dt]|wd|phrase|code|key)|\d|[-_](?!(?:[-\w]*[-_])?(?:number|num|nr|no|id|holder|name)$)|e?$)|pwd|kennwort|contrasena|contraseña|senha|wachtwoord|losenord|lösenord|adgangskode|salasana/i

/** What a number is given to, and what the name of its field ends with. */
const numbered =
  "member membership employee staff student patient pupil passenger roll enrolment enrollment registration badge personnel personal national card library-card"
const numberedNames = numbered
  .split(" ")
  .flatMap((word) => ["id", "number", "num", "nr", "no", "code"].map((end) => word + end))
  .join(" ")

const isPersonName = madeOf({
  before: "user login account member customer work mobile cell my sign-in",
  words: `email mail phone telephone tel mobile cell user login handle identifier correo telefono celular usuario courriel utilisateur benutzer nutzer cpf bar-code ${numberedNames}`,
  after: "address number num nr no id name user-name or-email or-phone or-user-name",
})

/** Several people may have one value. */
const isPerhapsName = madeOf({
  before: "user wallet screen",
  words: "id name nick account member customer client address agent dealer partner vendor supplier",
  after: "name id number num nr no code",
})

const isPlaceName = madeOf({
  before: "user login account member phone mobile tel",
  words:
    "tenant slug org organization organisation company firm business workspace realm team group department shop store school university club class classroom course clinic hospital hotel property bank agency branch office region country site host sub domain project portal chain network provider role kind type state province county district city zip postal post area zone location market campus faculty institution audience instance dial isd calling prefix mandant firma empresa",
  after: "domain name id number num nr no slug code key type url unit",
})

const isFactorName = madeOf({
  before:
    "sms email mail phone login sign-in two-factor 2fa mfa verification authentication authenticator auth security one-time backup recovery access",
  words: "code otp totp pin puk tan 2fa mfa",
  after: "code token",
})

const codeName = /(?:code|otp|pin)$/i

const isDigitsName = madeOf({
  before: "user login account member customer work mobile cell my",
  words: "phone telephone tel mobile cell telefono celular cpf cnpj",
  after: "number num nr no",
})

const isDetailName = madeOf({
  before: "first last middle full display given family sur birth date-of",
  words: "name birth birthday dob gender age street bio avatar image picture photo website title device fingerprint",
  after: "url id code string name",
})

/** What React adds to a form whose action runs on the server. */
const serverAction = /^(?:\d+_)?\$ACTION_/

/** What is another one each time, and what a page remembers. */
const isOtherName = madeOf({
  before:
    "totp otp mfa re h g cf-turnstile g-recaptcha h-captcha id access csrf refresh captcha callback return redirect",
  words:
    "captcha recaptcha turnstile token nonce challenge signature message csrf xsrf response callback redirect return url uri to next remember terms consent locale language lang time-zone theme step mode action intent submit newsletter version json method form superform",
  after: "me url uri to token response id code string accepted",
})
