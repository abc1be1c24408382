/** What the gallery shows: every built-in page in the states that look different, as values for the page functions. */
import { loadProviders } from "../catalogue.mjs"

const at = (id, name, type, more) => ({
  id,
  name,
  type,
  signinUrl: `/auth/signin/${id}`,
  callbackUrl: `/auth/callback/${id}`,
  ...more,
})

const ids = "google github apple microsoft-entra-id slack linkedin discord facebook gitlab kakao spotify"
const known = await loadProviders(ids.split(" "))
const marked = known.map(({ id, provider }) => at(id, provider.name, provider.type, { style: provider.style }))
const [google, github, apple, microsoft] = marked
const acme = at("acme", "The Acme Corporation of Everywhere", "oidc")
const mail = at("nodemailer", "Email", "email")
const password = at("credentials", "Password", "credentials", {
  fields: {
    email: { label: "Email", type: "email", required: true },
    password: { label: "Password", type: "password", required: true },
  },
})
const userName = at("credentials", "Password", "credentials", {
  fields: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
})
const passkey = at("passkey", "Passkey", "webauthn", {
  fields: { email: { label: "Email", type: "email", required: true, autocomplete: "username webauthn" } },
  optionsUrl: "/auth/webauthn-options/passkey",
  conditional: false,
})

const everything = [google, github, mail, password, passkey]
const urls = { homeUrl: "/", signinUrl: "/auth/signin" }
const form = { csrfToken: "token", returnTo: "/" }
const link = { action: "/auth/signin/nodemailer", provider: "nodemailer", ...form }
const incident = "aB3dE5gH7jK9"
export const address = "somebody.with.a.long.name@department.example.com"
const visitor = { name: address, addsAccounts: true, signoutUrl: "/auth/signout", signinUrl: "/auth/signin" }
const links = {
  signUp: "/sign-up",
  forgotPassword: "/forgot",
  help: "/help",
  terms: "/terms",
  privacy: "/privacy",
}

const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 132 36"><rect width="36" height="36" rx="9" fill="#0f766e"/><path d="M9 27 18 9l9 18" fill="none" stroke="#fff" stroke-width="4" stroke-linejoin="round"/><text x="46" y="26" font-family="sans-serif" font-size="24" font-weight="700" fill="#0f9488">Acme</text></svg>',
)}`

/** Themes by name. */
export const themes = {
  plain: {},
  named: { name: "Acme", logo, brandColor: "#0f766e" },
  orange: { name: "Tangerine", brandColor: "#ff7a18", radius: "full", font: "rounded" },
  sharp: { name: "Ledger & Sons", brandColor: "#111827", radius: "none", font: "serif" },
}

/** Sign-in pages: what is configured, and what has happened. */
const signinPages = {
  signin: { providers: everything },
  "signin-mail-step": { providers: everything, steps: ["button[data-next]"], fill: true },
  "signin-last-used": { providers: everything, lastUsed: "github" },
  "signin-last-used-mail": { providers: everything, lastUsed: "nodemailer" },
  "signin-links": { providers: everything, links },
  "signin-providers": { providers: [google, github, microsoft] },
  "signin-many": { providers: marked, lastUsed: "spotify" },
  "signin-many-open": { providers: [...marked, acme], steps: ["summary"] },
  "signin-mail": { providers: [mail] },
  "signin-password": { providers: [userName], links },
  "signin-passkey": { providers: [passkey] },
  "signin-mail-passkey": { providers: [mail, passkey] },
  "signin-two-forms": { providers: [apple, mail, userName, passkey] },
  "signin-chosen-mail": {
    providers: [mail, google, github, password, passkey],
    chosen: "nodemailer",
    otherWaysUrl: "/auth/signin",
  },
  "signin-chosen-password": {
    providers: [password, google, github, mail, passkey],
    chosen: "credentials",
    otherWaysUrl: "/auth/signin",
  },
  "signin-wrong-password": { providers: everything, error: "CredentialsSignin", links },
  "signin-wrong-address": { providers: [google, mail], error: "EmailSignin", email: "somebody@" },
  "signin-error": { providers: [google, github], error: "OAuthAccountNotLinked", incident },
  "signin-required": { providers: [google, mail], error: "SessionRequired" },
  "signin-cancelled": { providers: [google, github], isCancelled: true },
  "signin-empty": { providers: [] },
  "signed-in": { providers: everything, visitor },
  "signed-in-error": { providers: [google, github], visitor, error: "OAuthAccountNotLinked" },
}

const dated = { addedAt: new Date("2026-03-14T09:26:00Z"), usedAt: new Date("2026-11-02T18:04:00Z") }
const keys = [
  {
    id: "a1",
    provider: "passkey",
    name: "The phone in my pocket",
    keptBy: "iCloud Keychain",
    isSynced: true,
    ...dated,
  },
  { id: "b2", provider: "passkey", keptBy: "1Password", isSynced: true, addedAt: dated.addedAt },
  { id: "c3", provider: "passkey", isSynced: false },
].map((key) => ({ ...key, renameUrl: `/auth/passkeys?rename=${key.id}`, removeUrl: `/auth/passkeys?remove=${key.id}` }))
const adding = [
  {
    id: "passkey",
    name: "Passkey",
    callbackUrl: "/auth/callback/passkey",
    optionsUrl: "/auth/webauthn-options/passkey",
    returnTo: "/auth/passkeys",
  },
]
const asked = { passkey: keys[0], action: "/auth/passkeys", listUrl: "/auth/passkeys", csrfToken: "token" }

/** Pages of passkeys: what somebody has, what was done, what is asked. */
function passkeyPages(core) {
  const { passkeyScript, signalScript } = core
  const scripts = { passkeyScript, signalScript }
  const list = (more) => (theme, wording) =>
    core.passkeysPage({
      theme,
      wording,
      passkeys: keys,
      adding,
      signals: [],
      csrfToken: "token",
      homeUrl: "/",
      ...scripts,
      ...more,
    })
  return {
    passkeys: list({}),
    "passkeys-none": list({ passkeys: [] }),
    "passkeys-removed": list({ did: "didRemove" }),
    "passkeys-absent": list({ did: "absent" }),
    "passkey-rename": (theme, wording) => core.renamePasskeyPage({ theme, wording, ...asked }),
    "passkey-remove": (theme, wording) => core.removePasskeyPage({ theme, wording, ...asked, isLast: false }),
    "passkey-remove-last": (theme, wording) => core.removePasskeyPage({ theme, wording, ...asked, isLast: true }),
  }
}

/** Every page: how it is drawn with a theme, and what is done on it before it is looked at. */
export function states(core) {
  const { formScript, passkeyScript } = core
  const pages = Object.entries(signinPages).map(([name, { steps = [], fill = false, ...view }]) => ({
    name,
    steps,
    fill,
    draw: (theme, wording) => core.signinPage({ theme, wording, formScript, passkeyScript, ...form, ...view }),
  }))
  const others = {
    signout: (theme, wording) =>
      core.signoutPage({ theme, wording, signoutUrl: "/auth/signout", name: address, ...form }),
    "signed-out": (theme, wording) => core.signedOutPage({ theme, wording, ...urls }),
    "error-configuration": (theme, wording) =>
      core.errorPage({ theme, wording, error: "Configuration", incident, ...urls }),
    "error-access-denied": (theme, wording) => core.errorPage({ theme, wording, error: "AccessDenied", ...urls }),
    "error-link": (theme, wording) =>
      core.errorPage({ theme, wording, error: "Verification", newLink: link, formScript, ...urls }),
    "error-not-found": (theme, wording) =>
      core.errorPage({ theme, wording, error: "Configuration", status: 404, ...urls }),
    "error-too-many": (theme, wording) => core.errorPage({ theme, wording, status: 429, ...urls }),
    "verify-request": (theme, wording) => core.verifyRequestPage({ theme, wording, again: link, formScript, ...urls }),
    confirm: (theme, wording) => core.confirmPage({ theme, wording, email: address, action: "/auth/callback/email" }),
    ...passkeyPages(core),
  }
  const rest = Object.entries(others).map(([name, draw]) => ({
    name,
    steps: [],
    fill: false,
    remembers: name === "verify-request",
    draw,
  }))
  return [...pages, ...rest]
}
