/** Where messages go: the default logger, the application's own, and the rule that no secret gets in. */
import { isAuthError } from "../errors.js"
import type { LoggerInstance, WarningCode } from "../types/hooks.js"
import { createRedactor, type Redactor } from "./redact.js"
import { asError } from "./thrown.js"

/** A total logger. */
export interface Logger {
  error(error: Error): void
  warn(code: WarningCode): void
  debug(message: string, metadata?: unknown): void
}

const colours = { red: "\x1b[31m", yellow: "\x1b[33m", grey: "\x1b[90m", none: "\x1b[0m" } as const

/** What each warning means and what to do about it. */
const advice: Readonly<Record<WarningCode, string>> = {
  "debug-enabled": "Debug messages are on. Switch `debug` off in production.",
  "csrf-disabled": "The protection against forged requests is off: something else must stand in for it.",
  "experimental-webauthn": "WebAuthn is experimental: it may change without notice.",
  "env-url-basepath-redundant": "AUTH_URL and `basePath` both name the base path. One of them is enough.",
  "env-url-basepath-mismatch": "The path of AUTH_URL differs from `basePath`, which counts. Make them equal.",
  "secret-too-short": "A secret has fewer than 32 characters. Make one with `npx latchkey secret`.",
  "insecure-requests": "A provider is reached by plain http: anybody on the way can read and change its answers.",
  "secure-cookies-mismatch": "`useSecureCookies` does not fit the scheme of AUTH_URL: browsers may drop the cookies.",
  "account-owned-by-other":
    "The e-mail account is linked to another user. The person was signed in, nothing was linked.",
  "redirect-proxy-origins":
    "This redirect proxy sends sign-ins on to every https address that a holder of the secret names. List the origins of the deployments behind it in `redirectProxyOrigins`.",
}

/**
 * Makes a total logger of what the application brought. Its methods are looked up at each call and called on their own object;
 * a missing `error` or `warn` is the default one. With a logger of the application, `debug` counts for nothing.
 * `known` are secrets to be cut out wherever they stand.
 */
export function createLogger(
  custom: Partial<LoggerInstance> | undefined,
  debug: boolean,
  known: readonly string[] = [],
): Logger {
  const redactor = createRedactor(known)
  const defaults = createConsoleLogger(redactor, debug && custom === undefined)
  const tell = (method: keyof LoggerInstance, args: readonly unknown[]): void => {
    try {
      const own: unknown = custom?.[method]
      if (typeof own !== "function") {
        write(() => defaults[method](...(args as [never])))
        return
      }
      const answer: unknown = own.apply(custom, args)
      // A logger that answers with a promise may reject, and nobody waits for it.
      if (isThenable(answer)) answer.then(undefined, () => undefined)
    } catch {
      // A logger that fails must not break the request, and what it was told must not be lost.
      write(() => defaults[method](...(args as [never])))
    }
  }
  return {
    error: (thrown) => tell("error", [attempt(() => redactor.error(asError(thrown)), unprintable)]),
    warn: (code) => tell("warn", [code]),
    debug: (message, metadata) => {
      // Redaction costs; a debug message that nobody reads is not prepared.
      if (custom === undefined && !debug) return
      tell("debug", [
        redactor.text(message),
        ...(metadata === undefined ? [] : [attempt(() => redactor.value(metadata), "[unreadable]")]),
      ])
    },
  }
}

const unprintable: Error = new Error("An error that cannot be read was thrown.")

/** The id that the page and the answer show as well, so that a report from a person finds this line. */
function incidentOf(error: Error): string {
  const { incident } = error as { incident?: unknown }
  return typeof incident === "string" ? ` (incident ${incident})` : ""
}

function createConsoleLogger(redactor: Redactor, debug: boolean): LoggerInstance {
  const { red, yellow, grey, none } = colours
  return {
    error(error) {
      const name = isAuthError(error) ? error.type : error.name
      console.error(`${red}[auth][error]${none} ${oneLine(`${name}: ${error.message}`)}${incidentOf(error)}`)
      const { err, ...details } = factsOf(error.cause)
      if (!(err instanceof Error)) {
        const stack = error.stack?.split("\n").slice(1).join("\n")
        if (stack) console.error(stack)
        return
      }
      console.error(`${red}[auth][cause]${none}:`, printable(redactor.text(err.stack ?? `${err.name}: ${err.message}`)))
      if (Object.keys(details).length > 0) {
        console.error(`${red}[auth][details]${none}:`, toJson(redactor.value(details)))
      }
    },
    warn(code) {
      console.warn(`${yellow}[auth][warn][${code}]${none}`, advice[code] ?? "")
    },
    debug(message, metadata) {
      if (!debug) return
      const line = `${grey}[auth][debug]:${none} ${oneLine(message)}`
      if (metadata === undefined) console.log(line)
      else console.log(line, toJson(metadata))
    },
  }
}

function factsOf(cause: unknown): Record<string, unknown> {
  if (cause instanceof Error) return { err: cause }
  return typeof cause === "object" && cause !== null ? { ...cause } : {}
}

function toJson(value: unknown): string {
  return attempt(() => JSON.stringify(value, null, 2) ?? "", "[unreadable]")
}

/** A message of somebody else must not look like two lines of this log. */
function oneLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n")
}

/** Control characters can repaint a terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, (character) =>
    character === "\t" ? character : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  )
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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function"
}
