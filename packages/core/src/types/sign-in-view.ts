/** What a sign-in page shows, as data: the built-in page is drawn from it, and an application's own can be. */

/** Addresses of pages of the application that the sign-in page leads to: paths below the origin, or absolute ones. */
export interface SignInLinks {
  /** Where somebody new makes an account. */
  signUp?: string
  /** Where a forgotten password is replaced; the link is next to the password field. */
  forgotPassword?: string
  /** Where people find help. */
  help?: string
  /** The terms of use. */
  terms?: string
  /** The privacy policy: what is done with personal data. */
  privacy?: string
}

/** A way that is a button alone: a provider to go to, or a passkey. */
export interface SignInButton {
  /** Id of the provider. */
  readonly id: string
  /** Its name alone, such as "GitHub". */
  readonly name: string
  /** Such as "Continue with GitHub". */
  readonly label: string
  /** What the form posts to. */
  readonly action: string
  /** Its mark: a `data:` URL, or the address that the configuration names; without one the initial may stand there. */
  readonly mark: string | undefined
  /** The provider's colour, in a notation of CSS Color 4. */
  readonly colour: string | undefined
  /** The way this browser was signed in with last. */
  readonly isLastUsed: boolean
}

/** An input. */
export interface SignInField {
  /** Name of the value in the form. */
  readonly name: string
  /** What stands above it, such as "Email". */
  readonly label: string
  /** `type` of the input, such as "email". */
  readonly type: string
  /** Further attributes of the input, such as `autocomplete` and `required`; `true` stands for one without a value. */
  readonly attributes: Readonly<Record<string, string | true>>
  /** What is wrong with it, in words. */
  readonly error: string | undefined
}

/** A button that sends a form. */
export interface SignInSubmit {
  /** Id of the provider. */
  readonly id: string
  /** What stands on it, such as "Email me a link". */
  readonly label: string
  /** What the form posts to with this button. */
  readonly action: string
  /** Works with the address alone: the other fields of the form may stay empty. */
  readonly needsAddressOnly: boolean
}

/** A form with fields. */
export interface SignInForm {
  /** What it posts to: the action of its first button. */
  readonly action: string
  /** Its inputs, the address first where there is one. */
  readonly fields: readonly SignInField[]
  /** The first is what the form is mainly for. */
  readonly buttons: readonly SignInSubmit[]
  /** The fields and buttons after the address can wait until there is one. */
  readonly asksAddressFirst: boolean
  /** One of its ways is what this browser was signed in with last. */
  readonly isLastUsed: boolean
}

/** A passkey: `passkeySignIn` and `registerPasskey` of the client use it. */
export interface SignInPasskey {
  /** Id of the provider. */
  readonly id: string
  /** On the button that signs in, such as "Sign in with a passkey". */
  readonly label: string
  /** On the button that makes one, such as "Create a passkey". */
  readonly createLabel: string
  /** What the answer of the authenticator is posted to. */
  readonly action: string
  /** Where the options of the ceremony come from. */
  readonly optionsUrl: string
  /** Offer it while the person types, in a field with `autocomplete` ending in `webauthn`. */
  readonly isOffered: boolean
  /** Name of the field that says whose passkey is made. */
  readonly fields: readonly SignInField[]
  /** The way this browser was signed in with last. */
  readonly isLastUsed: boolean
}

/** A sign-in page as data. Every form posts `hidden` beside its own fields. */
export interface SignInView {
  /** Such as "Sign in to Acme". */
  readonly title: string
  /** What happened, in words; `isError` is false for a notice, such as that the person cancelled at a provider. */
  readonly message: { readonly text: string; readonly isError: boolean } | undefined
  /** Names the failure in the log of the server. */
  readonly incident: string | undefined
  /** `csrfToken`, unless the protection is switched off, and `callbackUrl`. */
  readonly hidden: Readonly<Record<string, string>>
  /** Providers to go to. */
  readonly providers: readonly SignInButton[]
  /** One for the ways that need an address, further ones for those that ask for something else. */
  readonly forms: readonly SignInForm[]
  /** WebAuthn providers. */
  readonly passkeys: readonly SignInPasskey[]
  /** Links of the application, as configured. */
  readonly links: readonly { readonly id: keyof SignInLinks; readonly label: string; readonly href: string }[]
}
