import { expect, it } from "vitest"
import type { CredentialInput } from "../types/provider.js"
import { type FieldKind, kindOf } from "./field-kinds.js"

const names: Readonly<Record<FieldKind, string>> = {
  person:
    "email Email e-mail e_mail emailAddress user_email loginEmail workEmail mail username userName user-name user userId user_id login " +
    "loginId handle identifier usernameOrEmail emailOrPhone emailUsername phone phoneNumber phoneNum mobile mobilePhone cellphone cell tel " +
    "accountEmail employeeId studentId rollNumber memberNo passengerId enrollmentNumber correo usuario",
  perhaps: "id name nick nickname screenName account accountId customerNumber clientId member address walletAddress",
  place:
    "tenant tenantId tenant_code organisation orgSlug company companyName shop subdomain domain role userRole userType type chainId provider",
  password:
    "password Password pass userPass pwd passwd passphrase passcode password2 current_password newPassword Passwort passKey",
  code: "code otp totp smsCode accessCode verification_code pin loginPin mfa 2fa employeeCode",
  other:
    "token idToken csrfToken captcha captchaToken g-recaptcha-response cf-turnstile-response callbackUrl redirectTo rememberMe firstName " +
    "lastName fullName dateOfBirth locale signature message nonce mode step json",
  unknown: "kennung passnumber passport rolle matricula person secret senha company_of_the_person",
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
  ["id", { type: "hidden" }, "perhaps"],
  ["kennung", { type: "hidden" }, "other"],
  ["kennung", { type: "select" }, "place"],
  ["kennung", { type: "radio" }, "place"],
])("%s with %j is: %s", (name, input, kind) => {
  expect(kindOf(name, input)).toBe(kind)
})

it.each(["a", "-", "email", "user-", "my-", "code", "pass", "id_", "date-of-"])(
  "takes no longer than the name is long: %s, many times",
  { tags: ["threat:AL-01"] },
  (part) => {
    expect(kindOf(`${part.repeat(20_000)}!`, {})).toMatch(/^(?:unknown|password)$/)
  },
)
