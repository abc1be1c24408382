/** The pages of the gallery as values, and those whose pictures stand in docs/gallery. */

/** The name of a picture. */
export function nameOf({ lang, state, theme, scheme, width }) {
  return `${state.name}-${theme}-${lang}-${scheme}-${width}`
}

/** Every page: each state in each theme and language, light and dark, wide and narrow. */
export function pieces({ states, themes, languages }) {
  return states.flatMap((state) =>
    themes.flatMap((theme) =>
      languages.flatMap((lang) =>
        ["light", "dark"].flatMap((scheme) => [960, 320].map((width) => ({ state, theme, lang, scheme, width }))),
      ),
    ),
  )
}

/** The pages with a picture in docs/gallery, in their order there. */
export function chosenPieces(gallery) {
  const byName = new Map(pieces(gallery).map((piece) => [nameOf(piece), piece]))
  return chosen.map((name) => {
    const piece = byName.get(name)
    if (!piece) throw new Error(`docs/gallery wants "${name}", but the gallery has no such page.`)
    return piece
  })
}

/** Their names: state, theme, language, colour scheme and width. */
const chosen = [
  "signin-plain-en-light-960",
  "signin-plain-en-dark-960",
  "signin-plain-en-light-320",
  "signin-plain-ar-dark-320",
  "signin-mail-step-plain-en-light-960",
  "signin-mail-step-named-de-dark-320",
  "signin-links-named-en-light-960",
  "signin-links-named-de-dark-960",
  "signin-links-orange-en-light-960",
  "signin-links-orange-ar-dark-320",
  "signin-links-sharp-en-light-960",
  "signin-links-sharp-en-dark-960",
  "signin-last-used-plain-en-light-960",
  "signin-many-plain-en-light-960",
  "signin-many-open-plain-en-dark-960",
  "signin-providers-named-en-light-320",
  "signin-mail-orange-de-light-320",
  "signin-password-sharp-en-light-320",
  "signin-passkey-named-en-dark-320",
  "signin-two-forms-plain-en-light-960",
  "signin-chosen-mail-plain-en-light-320",
  "signin-wrong-password-plain-de-light-960",
  "signin-wrong-address-plain-en-dark-320",
  "signin-error-plain-ar-light-960",
  "signed-in-plain-en-light-960",
  "signout-plain-en-dark-320",
  "error-link-named-en-light-960",
  "error-configuration-plain-en-light-960",
  "verify-request-named-en-light-960",
  "confirm-plain-ar-light-320",
]
