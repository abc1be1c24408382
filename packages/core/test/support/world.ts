/** A whole application in memory: the service, a provider, a mailbox, a browser, and everything that was reported and logged. */
import type { Adapter } from "@latchkey/core/adapters"
import { customFetch } from "../../src/config/markers.js"
import { type Auth, createAuth } from "../../src/engine/auth.js"
import { memoryAdapter } from "../../src/memory.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { Provider } from "../../src/types/provider.js"
import { openBrowser, type TestBrowser, type Visit } from "./browser.js"
import { type FakeOp, type OpOptions, openOp } from "./op.js"

/** A mail that was sent. */
export interface Mail {
  readonly identifier: string
  readonly url: string
  readonly token: string
  readonly expires: Date
}

/** How the world is made. */
export interface WorldOptions {
  readonly strategy?: "jwt" | "database"
  /** `false`: no adapter at all. @default a memory adapter */
  readonly adapter?: Adapter | false
  readonly config?: Partial<AuthConfig>
  /** Laid over the provider of the fake OP. */
  readonly provider?: Record<string, unknown>
  /** `false`: no provider of mail. @default one, where there is an adapter */
  readonly mail?: false
  /** A second provider of the fake OP, with an id of its own. */
  readonly second?: Record<string, unknown> & { readonly id: string }
  /** Beside the providers of the fake OP and of mail. */
  readonly more?: readonly Provider[]
  readonly op?: OpOptions
  readonly origin?: string
  readonly env?: Record<string, string>
}

/** How somebody signs in at the fake OP. */
export interface SignInAtOp {
  readonly callbackUrl?: string
  readonly extra?: Record<string, string>
  /** The id of the provider. @default "op" */
  readonly provider?: string
}

/** The world. */
export interface World {
  readonly auth: Auth
  readonly op: FakeOp
  readonly adapter: Adapter
  readonly mails: Mail[]
  /** Called in place of the mail server, where a test sets it. */
  post: { send?: (mail: Mail) => unknown }
  /** Names and messages of events, in order. */
  readonly events: (readonly [string, Record<string, unknown>])[]
  readonly errors: Error[]
  readonly warnings: string[]
  /** Debug messages with their metadata. */
  readonly debugs: (readonly [string, unknown])[]
  readonly config: AuthConfig
  browser(): TestBrowser
  /** Signs in at the fake provider; resolves to the visit of the callback. */
  signInAtOp(browser: TestBrowser, options?: SignInAtOp): Promise<Visit>
  /** Asks for a link and follows it; resolves to the visit of the callback. */
  signInByMail(browser: TestBrowser, email: string, options?: { callbackUrl?: string }): Promise<Visit>
}

export const worldSecret = "world-secret-of-at-least-32-characters"

/** Makes a world. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const op = await openOp(options.op)
  const adapter = options.adapter === false ? undefined : (options.adapter ?? memoryAdapter())
  const origin = options.origin ?? "https://app.test"
  const mails: Mail[] = []
  const post: World["post"] = {}
  const events: World["events"] = []
  const errors: Error[] = []
  const warnings: string[] = []
  const debugs: World["debugs"] = []
  const note =
    (name: string) =>
    (message: unknown): void =>
      void events.push([name, message as Record<string, unknown>])
  const { providers, ...config } = options.config ?? {}
  const written: AuthConfig = {
    secret: worldSecret,
    trustHost: true,
    ...(adapter && { adapter }),
    ...(options.strategy && { session: { strategy: options.strategy } }),
    providers: providers ?? [
      opProvider(op, options.provider),
      ...(options.second ? [opProvider(op, options.second)] : []),
      ...(adapter && options.mail !== false ? [mailProvider(mails, post)] : []),
      ...(options.more ?? []),
    ],
    logger: {
      error: (error) => void errors.push(error),
      warn: (code) => void warnings.push(code),
      debug: (message, metadata) => void debugs.push([message, metadata]),
    },
    events: Object.fromEntries(
      ["signIn", "signOut", "createUser", "updateUser", "linkAccount", "session"].map((name) => [name, note(name)]),
    ),
    ...config,
  }
  const auth = createAuth(written, { env: options.env ?? {} })
  return {
    auth,
    op,
    adapter: adapter ?? {},
    mails,
    post,
    events,
    errors,
    warnings,
    debugs,
    config: written,
    browser: () => openBrowser(auth.handle, { origin }),
    async signInAtOp(browser, { callbackUrl, extra, provider = "op" } = {}) {
      const begun = await browser.post(`/auth/signin/${provider}`, callbackUrl === undefined ? {} : { callbackUrl })
      if (!begun.location?.startsWith(op.issuer)) return begun
      const back = op.authorize(begun.location, extra)
      return browser.get(back.pathname + back.search)
    },
    async signInByMail(browser, email, { callbackUrl } = {}) {
      const before = mails.length
      const asked = await browser.post("/auth/signin/mail", { email, ...(callbackUrl && { callbackUrl }) })
      const mail = mails[before]
      if (!mail) return asked
      const { pathname, search } = new URL(mail.url)
      return browser.get(pathname + search)
    },
  }
}

function opProvider(op: FakeOp, over: Record<string, unknown> = {}): Provider {
  return {
    id: "op",
    name: "Test OP",
    type: "oidc",
    issuer: op.issuer,
    clientId: op.clientId,
    clientSecret: op.clientSecret,
    [customFetch]: op.fetch,
    ...over,
  } as Provider
}

function mailProvider(mails: Mail[], post: World["post"]): Provider {
  return {
    id: "mail",
    name: "Mail",
    type: "email",
    sendVerificationRequest: ({ identifier, url, token, expires }) => {
      const mail = { identifier, url, token, expires }
      return post.send ? post.send(mail) : void mails.push(mail)
    },
  } as Provider
}
