/** A provider's flow without the rest of the engine: begins it, keeps its cookies, finishes it. */

import { type Caches, createCaches } from "../../src/config/caches.js"
import { customFetch } from "../../src/config/markers.js"
import { resolveSettings } from "../../src/config/resolve.js"
import type { ResolvedOAuthProvider, Settings } from "../../src/config/settings.js"
import { type Context, type ContextOf, createContext } from "../../src/context/context.js"
import type { CookieChange } from "../../src/http/result.js"
import type { Departure, Proof } from "../../src/methods/method.js"
import { selectMethod } from "../../src/methods/select.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { Provider } from "../../src/types/provider.js"
import type { FakeOp } from "./op.js"
import { readIncoming } from "./read-incoming.js"

/** What a desk is opened with. */
export interface DeskOptions {
  readonly config?: Partial<AuthConfig>
  readonly origin?: string
  readonly caches?: Caches
  readonly now?: Date
}

/** A browser in front of one provider. */
export interface Desk {
  readonly settings: Settings
  readonly cookies: Map<string, string>
  now: Date
  context(path: string, init?: RequestInit): Promise<ContextOf<ResolvedOAuthProvider>>
  /** Leaves for the provider. */
  begin(params?: string, returnTo?: string): Promise<Departure & { readonly url: URL }>
  /** Comes back with an address, or with the same parameters as a form. */
  finish(callback: string | URL, asForm?: boolean): Promise<Proof>
  /** As `finish`, for callbacks that may be sent on. */
  arrive(callback: string | URL): Promise<{ readonly kind: string; readonly goTo?: string }>
}

const origin = "https://app.test"

/** Opens a desk. */
export function openDesk(provider: Provider, options: DeskOptions = {}): Desk {
  const config: AuthConfig = { providers: [provider], secret: "s".repeat(32), trustHost: true, ...options.config }
  const settings = resolveSettings(config, { env: {}, caches: options.caches ?? createCaches() })
  if (settings.problems[0]) throw settings.problems[0]
  const id = [...settings.providers.keys()][0] ?? ""
  const cookies = new Map<string, string>()
  const base = options.origin ?? origin

  const desk: Desk = {
    settings,
    cookies,
    now: options.now ?? new Date(),
    async context(path, init = {}) {
      const header = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const headers = new Headers(init.headers)
      if (header) headers.set("cookie", header)
      const incoming = await readIncoming(new Request(new URL(path, base), { ...init, headers }), settings)
      if (incoming.problem) throw incoming.problem
      return createContext({ settings, incoming, now: desk.now }) as ContextOf<ResolvedOAuthProvider>
    },
    async begin(params = "", returnTo = `${base}/home`) {
      const context = await desk.context(`/auth/signin/${id}${params}`, { method: "POST" })
      const departure = (await selectMethod(context).begin?.({ returnTo })) as Departure
      for (const change of departure.cookies) keep(cookies, context, change)
      return { ...departure, url: new URL(departure.goTo) }
    },
    async finish(callback, asForm = false) {
      const { pathname, search } = new URL(callback, base)
      const init = { method: "POST", body: new URLSearchParams(search) }
      const context = await desk.context(asForm ? pathname : pathname + search, asForm ? init : {})
      return (await selectMethod(context).finish()) as Proof
    },
    async arrive(callback) {
      const { pathname, search } = new URL(callback, base)
      return selectMethod(await desk.context(pathname + search)).finish()
    },
  }
  return desk
}

function keep(cookies: Map<string, string>, context: Context, change: CookieChange): void {
  const name = context.cookies[change.role].name + (change.slot === undefined ? "" : `.${change.slot}`)
  if ("value" in change) cookies.set(name, change.value)
  else cookies.delete(name)
}

/** A provider of OpenID Connect at the fake provider. */
export function oidcAt(op: FakeOp, over: object = {}): Provider {
  return { ...clientOf(op), type: "oidc", issuer: op.issuer, ...over } as unknown as Provider
}

/** A provider of plain OAuth 2 at the fake provider. */
export function oauthAt(op: FakeOp, over: object = {}): Provider {
  const base = op.issuer.replace(/\/$/, "")
  const endpoints = { authorization: `${base}/authorize`, token: `${base}/token`, userinfo: `${base}/userinfo` }
  return { ...clientOf(op), type: "oauth", ...endpoints, ...over } as unknown as Provider
}

function clientOf(op: FakeOp): object {
  const { clientId, clientSecret } = op
  return { id: "op", name: "OP", clientId, clientSecret, [customFetch]: op.fetch }
}

/** The whole way: leave, agree, come back. */
export async function signIn(desk: Desk, op: FakeOp, extra: Record<string, string | undefined> = {}): Promise<Proof> {
  const { url } = await desk.begin()
  return desk.finish(op.authorize(url, extra))
}

/** What a promise was refused with. */
export async function refusalOf(
  work: Promise<unknown>,
): Promise<Error & { type?: string; status?: number; cause?: Record<string, unknown> }> {
  try {
    await work
  } catch (error) {
    return error as Error & { type?: string; status?: number; cause?: Record<string, unknown> }
  }
  throw new Error("nothing was refused")
}
