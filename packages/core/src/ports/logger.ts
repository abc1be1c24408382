/** Where messages go: the default logger or the application's own; secrets are redacted for both. */
import { errorTable, isAuthError } from "../errors.js"
import { isThenable } from "../std/deadline.js"
import { showsColours } from "../std/runtime.js"
import type { LoggerInstance, WarningCode } from "../types/hooks.js"
import { entriesOf, json, line } from "./printed.js"
import { createRedactor } from "./redact.js"
import { asError } from "./thrown.js"

/** A total logger. */
export interface Logger {
  error(error: Error): void
  warn(code: WarningCode, detail?: string): void
  debug(message: string, metadata?: unknown): void
  /** Debug messages are printed, so data for them alone may be collected. */
  readonly isDebugging: boolean
}

const colours = { red: "\x1b[31m", yellow: "\x1b[33m", grey: "\x1b[90m", none: "\x1b[0m" } as const

/** What each warning means and what to do about it. */
export const warningAdvice: Readonly<Record<WarningCode, string>> = {
  "debug-enabled": "Debug messages are on. Switch `debug` off in production.",
  "csrf-disabled": "The protection against forged requests is off: the application has to provide its own.",
  "skip-csrf-check-ignored":
    "`skipCSRFCheck` is not the exported marker: the protection against forged requests stays on. Import `skipCSRFCheck` from @latchkey/core, or leave the option out.",
  "experimental-webauthn": "WebAuthn is experimental: it may change without notice.",
  "env-url-basepath-redundant": "AUTH_URL and `basePath` both name the base path. One of them is enough.",
  "env-url-basepath-mismatch": "The path of AUTH_URL differs from `basePath`, which is used. Make them equal.",
  "secret-too-short": "A secret has fewer than 32 characters. Make one with `npx @latchkey/cli secret`.",
  "insecure-requests":
    "A provider is called over plain http: anybody on the network path can read and change its responses.",
  "nothing-checked":
    "The `checks` of these providers hold nothing: whoever follows a prepared link is signed in to the account of whoever prepared it. Leave `checks` out for the default.",
  "person-unknown":
    "These credentials providers do not say for sure which field says who signs in, so wrong passwords may be limited by network only. " +
    "List the fields in `credentials`, as in `credentials: { email: {}, password: {} }`, and name the one that says it with `accountField`.",
  "secure-cookies-mismatch":
    "`useSecureCookies` does not match the scheme of AUTH_URL: browsers may reject the cookies.",
  "account-owned-by-other":
    "The e-mail account is linked to another user. The user was signed in, but nothing was linked.",
  "id-given-again":
    "A new user has the id of an earlier one, of whom accounts or sessions were left. They were removed; a session in a sealed " +
    "cookie that no record ends would open as the new user. Let the database count ids on, and remove all of a user who is deleted.",
  "session-not-saved":
    "The jwt callback changed the token, but the session was read where no cookie can be set, so the change is lost. Read the session before the response begins, and where cookies can be written.",
  "address-unknown":
    "`limits.address` found no address in a request, so its network is not counted. If that is so for every request, the proxy " +
    "does not send the header that the function reads, and nothing is limited by network.",
  "claim-dropped":
    "`jwt.encode` dropped the claim `lk`, which says that a session began at an address that nobody has proven. Such a session " +
    "goes on once users are found by address and the owner comes. Keep every claim of the token, also those that you do not know.",
  "email-verified-by-event":
    "An event of the application set `emailVerified` of a user whose address nobody has proven. Whoever comes as the owner of " +
    "the address then removes nothing that others have added to it: they stay signed in. Leave `emailVerified` to the sign-in " +
    "by mail, or set it where you have proven the address yourself and removed what others have added.",
  "linking-of-unverified-email":
    "These providers do not state whether an address is verified. A user whose address comes only from them is linked by address " +
    "only if the other address is verified. If a provider verifies all addresses, set `emailVerified: () => true` on it.",
  "accounts-of-unverified-email":
    "These providers do not state whether an address is verified, and the adapter cannot remove the accounts that somebody " +
    "linked to a user before the owner of the address signs in by mail: they are kept. If a provider verifies all " +
    "addresses, set `emailVerified: () => true` on it; or use an adapter with `listAccountsByUserId` and `unlinkAccount`.",
  "id-of-several-issuers":
    "These providers have one id for several issuers: in several configurations with the same adapter, or by `issuerOf` with the " +
    "default `profile`. Accounts are found by the id of their provider: whoever one issuer calls as another issuer calls somebody " +
    "else signs in as them. Give each an `id` of its own, or each configuration tables of its own; with `issuerOf`, let `profile` " +
    "put the tenant into the `id` that it returns.",
  "unknown-option": "These options are unknown and have no effect:",
  "page-leads-to-itself":
    "An entry of `pages` is the URL of the built-in page, which redirects to that entry, so it would redirect forever. The built-in page is shown; leave the option out:",
  "policy-out-of-reach":
    "A sign-in that was just made does not meet the `policy` of `passkeys()` or `managedSessions()`, or none can: whoever is asked " +
    "to sign in again comes to the sign-in page for ever. `acr` is met by no sign-in so far. `maxAge` is not met where the " +
    "provider asks nobody: let it, by `authorization: { params: { max_age: 900 } }`, or where it says no `auth_time`, set `passive: true`.",
  "forwarded-header-ignored":
    "A proxy seems to serve the application at another URL than the one used for links and callback URLs. Let the framework trust the proxy (Express: `trust proxy`; adapter-node of SvelteKit: ORIGIN), or set AUTH_URL.",
  "doctor-finding":
    "Found by `npx @latchkey/cli doctor`, whose checks run once when an application starts in development:",
  "redirect-proxy-origins":
    "This redirect proxy forwards sign-ins to every https URL that a holder of the secret chooses. List the origins of the deployments behind it in `redirectProxyOrigins`.",
}

/**
 * Makes a total logger of what the application brought. Its methods are looked up at each call and called on their own object;
 * a missing `error` or `warn` is the default one. With a logger of the application, `debug` is ignored.
 * `known` are secrets to be cut out wherever they stand.
 */
export function createLogger(
  custom: Partial<LoggerInstance> | undefined,
  debug: boolean,
  known: readonly string[] = [],
): Logger {
  const redactor = createRedactor(known)
  const defaults = createConsoleLogger(debug && custom === undefined)
  const tell = (method: keyof LoggerInstance, args: readonly unknown[]): void => {
    try {
      const own: unknown = custom?.[method]
      if (typeof own !== "function") {
        write(() => defaults[method](...(args as [never])))
        return
      }
      const answer: unknown = own.apply(custom, args)
      // A logger that answers with a promise may reject, and nothing awaits it.
      if (isThenable(answer)) answer.then(undefined, () => undefined)
    } catch {
      // A logger that fails must not break the request, and the entry must not be lost.
      write(() => defaults[method](...(args as [never])))
    }
  }
  // A method that cannot be read is reported by the call.
  const isPrinting = (): boolean =>
    custom === undefined ? debug : attempt(() => typeof custom.debug === "function", true)
  return {
    isDebugging: isPrinting(),
    error: (thrown) => tell("error", [attempt(() => redactor.error(asError(thrown)), unprintable)]),
    warn: (code, detail) => tell("warn", detail === undefined ? [code] : [code, detail]),
    debug: (message, metadata) => {
      // Redaction costs time; a debug message that nobody prints is not prepared.
      if (!isPrinting()) return
      tell("debug", [
        redactor.text(message),
        ...(metadata === undefined ? [] : [attempt(() => redactor.value(metadata), "[unreadable]")]),
      ])
    },
  }
}

const unprintable: Error = new Error("An error that cannot be read was thrown.")

/** The page with cause and cure of every error and warning, in the repository that the manifests name. */
const help = "https://github.com/latchkey-auth/latchkey/blob/main/docs/reference/errors.md"

function createConsoleLogger(debug: boolean): Omit<Logger, "isDebugging"> {
  const linked = new Set<string>()
  /** Once for each: anybody can cause a refusal as often as they like. */
  const linkTo = (code: string): readonly string[] => {
    if (linked.has(code)) return []
    linked.add(code)
    return [`${help}#${code.toLowerCase()}`]
  }
  return {
    error(error) {
      for (const { label, text } of entriesOf(error)) console.error(`${labelled("red", `[${label}]`)} ${text}`)
      // A type of the application, or of another version, is not on the page.
      if (!isAuthError(error) || !Object.hasOwn(errorTable, error.type)) return
      for (const link of linkTo(error.type)) console.error(`${labelled("red", "[help]")} ${link}`)
    },
    warn(code, detail) {
      const advice = warningAdvice[code]
      const details = detail === undefined ? [] : [line(detail)]
      const text = advice === undefined ? details : [advice, ...details, ...linkTo(code)]
      console.warn(labelled("yellow", `[warn][${line(code)}]`), text.join(" "))
    },
    debug(message, metadata) {
      if (!debug) return
      const text = `${labelled("grey", "[debug]")} ${line(message)}`
      if (metadata === undefined) console.log(text)
      else console.log(text, json(metadata))
    },
  }
}

/** Colours are for people at a terminal: in a file they are noise. */
function labelled(colour: "red" | "yellow" | "grey", label: string): string {
  const stream = colour === "grey" ? "stdout" : "stderr"
  return showsColours(stream) ? `${colours[colour]}[auth]${label}${colours.none}` : `[auth]${label}`
}

function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

/** A console that cannot be written to (a closed pipe) is no reason to fail. */
function write(work: () => void): void {
  attempt(work, undefined)
}
