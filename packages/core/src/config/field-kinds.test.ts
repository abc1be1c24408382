import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import type { CredentialInput } from "../types/provider.js"
import { type FieldKind, isOfDigits, kindOf } from "./field-kinds.js"

const names: Readonly<Record<FieldKind, string>> = {
  person:
    "email Email e-mail e_mail emailAddress user_email loginEmail workEmail mail username userName user-name user userId user_id login " +
    "loginId handle identifier usernameOrEmail emailOrPhone emailUsername phone phoneNumber phoneNum mobile mobilePhone cellphone cell tel " +
    "accountEmail employeeId studentId rollNumber memberNo passengerId enrollmentNumber correo usuario nutzername employeeCode nationalCode personnelNumber cardNumber library_card_no barcode",
  perhaps:
    "id name nick nickname screenName account accountId customerNumber customerCode dealerCode clientId member address walletAddress",
  place:
    "tenant tenantId tenant_code organisation orgSlug company companyName shop subdomain domain role userRole userType type chainId provider companyDomain shopUrl workspaceUrl organisationUnit state city zipCode areaCode dialCode isd_code phonePrefix phoneCountryCode slug institution audience mandant firma",
  password:
    "password Password pass userPass pwd passwd passphrase passcode pass_1 pass_confirm pass_alumno pass_valid pass_android password2 current_password newPassword Passwort passKey passe motDePasse kennwort senha contrasena contraseña wachtwoord",
  factor: "code otp totp smsCode accessCode verification_code pin loginPin mfa 2fa totpCode otpToken tan",
  code: "inviteCode couponCode cardPin",
  detail: "firstName lastName fullName displayName dateOfBirth deviceId age",
  other:
    "token idToken csrfToken captcha captchaToken g-recaptcha-response cf-turnstile-response callbackUrl redirectTo rememberMe " +
    "_csrf __token _method formId __superform_id $ACTION_KEY $ACTION_ID_40c1 1_$ACTION_REF_1 locale signature message nonce mode step json",
  unknown:
    "kennung passnumber pass_number pass-no pass_holder_id pass-holder-name passport rolle matricula person secret clave card passenger company_of_the_person my$ACTION_KEY",
}

it.each(Object.entries(names).flatMap(([kind, all]) => all.split(" ").map((name) => [name, kind])))(
  "%s is named like: %s",
  (name, kind) => {
    expect(kindOf(name, {})).toBe(kind)
  },
)

it.each<[string, CredentialInput | null | undefined, FieldKind]>([
  ["kennung", undefined, "unknown"],
  ["kennung", null, "unknown"],
  ["kennung", { type: "text" }, "unknown"],
  ["kennung", { type: 7 } as never, "unknown"],
  ["kennung", { type: "password" }, "password"],
  ["email", { type: "PassWord" }, "password"],
  ["pass", { type: "text" }, "password"],
  ["pass", { type: "TEXT" }, "password"],
  ["pass", { type: "number" }, "unknown"],
  ["kennung", { type: "email" }, "person"],
  ["kennung", { type: "Email" }, "person"],
  ["kennung", { autocomplete: "section-one username" }, "person"],
  ["kennung", { autoComplete: "email" }, "person"],
  ["kennung", { autocomplete: "tel" }, "unknown"],
  ["kennung", { autocomplete: "username-of-nobody" }, "unknown"],
  ["kennung", { type: "tel" }, "unknown"],
  ["login", { type: "submit" }, "other"],
  ["email", { type: "Checkbox" }, "other"],
  ["email", { type: "hidden" }, "person"],
  ["tenant", { type: "hidden" }, "place"],
  ["id", { type: "hidden" }, "detail"],
  ["kennung", { type: "hidden" }, "detail"],
  ["kennung", { type: "select" }, "place"],
  ["language", { type: "select" }, "place"],
  ["phoneCode", { type: "select" }, "place"],
  ["phoneCode", { type: "text" }, "factor"],
  ["name", { type: "select" }, "perhaps"],
  ["user", { type: "radio" }, "person"],
  ["kennung", { type: "radio" }, "place"],
])("%s with %j is: %s", (name, input, kind) => {
  expect(kindOf(name, input)).toBe(kind)
})

/** Every word that the file knows, and what may stand between two. */
const words = [...new Set(readFileSync(new URL("field-kinds.ts", import.meta.url), "utf8").match(/[\p{L}\d-]+/gu)), "_"]

it("takes no longer than a name is long, whatever words are repeated in it", { tags: ["threat:AL-01"] }, () => {
  expect(words).toEqual(expect.arrayContaining(["captcha", "h-captcha", "h", "user", "kennwort"]))
  const repeated = words.map((word) => `${word.repeat(20_000)}!`)
  const inPairs = words.flatMap((word) => words.map((other) => `${(word + other).repeat(30)}!`))
  const kinds = new Set([...repeated, ...inPairs].map((name) => kindOf(name, {})))
  expect([...kinds]).toEqual(["unknown"])
})

it.each<[string, CredentialInput | undefined, boolean]>([
  ["phone", undefined, true],
  ["mobilePhoneNumber", {}, true],
  ["cpf", {}, true],
  ["kennung", { type: "Tel" }, true],
  ["email", {}, false],
  ["emailOrPhone", {}, false],
  ["cardNumber", {}, false],
])("%s with %j has digits alone: %s", (name, input, expected) => {
  expect(isOfDigits(name, input)).toBe(expected)
})
