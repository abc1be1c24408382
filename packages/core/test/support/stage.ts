/** The pipeline in front of settings of its own, without the object that applications hold: requests come in, outcomes come out. */
import type { Action } from "../../src/actions/table.js"
import { createCaches } from "../../src/config/caches.js"
import { resolveSettings } from "../../src/config/resolve.js"
import type { Settings } from "../../src/config/settings.js"
import { type Context, createContext } from "../../src/context/context.js"
import { type Outcome, receive, run, withAddress } from "../../src/engine/pipeline.js"
import { concreteCookies } from "../../src/http/cookies.js"
import type { Sender } from "../../src/http/incoming.js"
import type { AuthConfig } from "../../src/types/config.js"
import { passwordProvider } from "./password-service.js"

const origin = "https://app.test"

/** A request; without more a GET without cookies. */
export interface Asked {
  /** In place of the path that is asked. */
  readonly path?: string
  readonly method?: "GET" | "POST"
  readonly cookies?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly sender?: Sender | undefined
  readonly caller?: "server"
  readonly address?: string
  /** Called where the body is read. */
  readonly body?: () => URLSearchParams
}

/** Where the stage stands, and what its endpoint `sessions` does, which no feature of the package serves here. */
export interface Surroundings {
  readonly act: Action
  /** With the token of the form, by POST. @default by GET, without */
  readonly csrf?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** The stage. */
export interface Stage {
  readonly settings: Settings
  /** The context of a GET of the session, without cookies. */
  readonly context: Context
  readonly errors: Error[]
  readonly warnings: string[]
  readonly debugs: { readonly message: string; readonly metadata: unknown }[]
  with(asked: Asked): Context
  ask(path: string, asked?: Asked): Promise<Outcome>
  /** Signs in with a password. */
  guess(password: string, asked?: Asked): Promise<Outcome>
}

/** A provider whose endpoints nobody answers. */
const op = {
  id: "op",
  name: "OP",
  type: "oauth",
  clientId: "app",
  clientSecret: "secret of the app",
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
}

/** Opens a stage. */
export function openStage(
  config: Partial<AuthConfig> = {},
  { act, csrf = false, env = {} }: Partial<Surroundings> = {},
): Stage {
  const errors: Error[] = []
  const warnings: string[] = []
  const debugs: Stage["debugs"] = []
  const row = { method: csrf ? "POST" : "GET", action: "sessions", audience: "script", csrf, act } as const
  const settings = resolveSettings(
    {
      providers: [passwordProvider(), op as never],
      secret: "a secret for tests with 32 chars or more",
      session: { strategy: "jwt" },
      trustHost: true,
      ...(act && { features: [{ name: "stage", needs: [], rows: [row] }] }),
      logger: {
        error: (error) => void errors.push(error),
        warn: (code) => void warnings.push(code),
        ...(config.debug && { debug: (message: string, metadata: unknown) => void debugs.push({ message, metadata }) }),
      },
      ...config,
    },
    { env, caches: createCaches() },
  )
  const read = async (path: string, asked: Asked) => {
    const { method = "GET", cookies = {}, headers = {}, sender, body = () => new URLSearchParams(), address } = asked
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
    const head = {
      method,
      url: `${origin}/auth/${asked.path ?? path}`,
      headers: { ...headers, ...(cookie.length > 0 && { cookie: cookie.join("; ") }) },
    }
    const toRequest = (): Request => new Request(head.url, { method, headers: new Headers(head.headers), body: body() })
    const incoming = await receive({ head, toRequest, sender }, settings)
    return withAddress(asked.caller ? { ...incoming, caller: asked.caller } : incoming, address)
  }
  const ask: Stage["ask"] = async (path, asked = {}) => run(await read(path, asked), settings)
  const contextOf = ({ cookies = {}, headers = {} }: Asked): Context =>
    createContext({ settings, incoming: sessionRead(cookies, headers), now: new Date() })
  return {
    settings,
    context: contextOf({}),
    errors,
    warnings,
    debugs,
    with: contextOf,
    ask,
    guess: (password, asked = {}) => {
      const body = (): URLSearchParams => new URLSearchParams({ username: "ada", password })
      return ask("callback/password", { method: "POST", sender: "own", body, ...asked })
    },
  }
}

function sessionRead(cookies: Asked["cookies"], headers: Asked["headers"]): Context["incoming"] {
  return {
    route: { action: "session", provider: undefined },
    method: "GET",
    isHead: false,
    origin,
    isSecure: true,
    url: `${origin}/auth/session`,
    query: {},
    form: {},
    cookies: new Map(Object.entries(cookies ?? {})),
    headers: new Headers(headers),
    caller: "browser",
    problem: undefined,
  }
}

/** The cookies that a browser without any keeps of an answer. */
export function keptCookies({ context, result }: Outcome): Record<string, string> {
  return Object.fromEntries(concreteCookies(result.cookies, context).map(({ name, value }) => [name, value]))
}
