/** The pictures that stand in docs/gallery. */

/** The name of a picture. */
export function nameOf({ lang, name, theme, scheme, width }) {
  return `${name}-${theme}-${lang}-${scheme}-${width}`
}

/** Their names: state, theme, language, colour scheme and width. */
export const chosen = [
  "signin-plain-en-light-960",
  "signin-plain-en-dark-960",
  "signin-plain-en-light-320",
  "signin-plain-en-dark-320",
  "signin-mail-step-plain-en-light-960",
  "signin-mail-step-named-en-dark-320",
  "signin-links-named-en-light-960",
  "signin-links-named-en-dark-960",
  "signin-links-orange-en-light-960",
  "signin-links-orange-en-dark-320",
  "signin-links-sharp-en-light-960",
  "signin-links-sharp-en-dark-960",
  "signin-last-used-plain-en-light-960",
  "signin-many-plain-en-light-960",
  "signin-many-open-plain-en-dark-960",
  "signin-providers-named-en-light-320",
  "signin-mail-orange-en-light-320",
  "signin-password-sharp-en-light-320",
  "signin-passkey-named-en-dark-320",
  "signin-two-forms-plain-en-light-960",
  "signin-chosen-mail-plain-en-light-320",
  "signin-wrong-password-plain-en-light-960",
  "signin-wrong-address-plain-en-dark-320",
  "signin-error-plain-en-light-960",
  "signed-in-plain-en-light-960",
  "signout-plain-en-dark-320",
  "error-link-named-en-light-960",
  "error-configuration-plain-en-light-960",
  "verify-request-named-en-light-960",
  "confirm-plain-en-light-320",
]
