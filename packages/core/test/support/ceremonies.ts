/** An application with passkeys, a store and a software authenticator: the steps of a ceremony, each with the cookies of one browser. */

import { type Misbehaviour, type OptionsJson, type SoftwarePasskey, softwarePasskey } from "@latchkey/testing"
import { memoryAdapter } from "../../src/adapters/memory.js"
import type { Context } from "../../src/context/context.js"
import type { Proof } from "../../src/methods/method.js"
import { finish } from "../../src/methods/webauthn/finish.js"
import { webauthnOptions } from "../../src/methods/webauthn/options.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { AdapterUser } from "../../src/types/identity.js"
import type { WebAuthnConfig } from "../../src/types/provider.js"
import { contextsOf, keepCookies, testNow } from "./method-context.js"

/** What the options endpoint answered, with the cookies to bring back. */
export interface Begun {
  readonly action: string
  readonly options: OptionsJson
  readonly cookies: Map<string, string>
}

/** One browser before one application. */
export interface Ceremonies {
  readonly adapter: Required<Adapter>
  readonly authenticator: SoftwarePasskey
  context(
    path: string,
    more?: { form?: Record<string, unknown>; cookies?: Map<string, string>; now?: Date },
  ): Promise<Context>
  begin(query: Record<string, string>, cookies?: Map<string, string>): Promise<Begun>
  /** Posts an answer with the cookies of its beginning and, where given, others. */
  finish(
    begun: Begun,
    answer: unknown,
    more?: { action?: unknown; cookies?: Map<string, string>; now?: Date },
  ): Promise<Proof>
  /** A signed-out registration from beginning to proof. */
  register(email: string, wrong?: Misbehaviour): Promise<Proof>
  /** A sign-in from beginning to proof. */
  signIn(query?: Record<string, string>, wrong?: Misbehaviour): Promise<Proof>
  /** Stores a proof as the admission does. */
  admit(proof: Proof): Promise<AdapterUser>
  /** A stored user and the cookies of its session. */
  member(email: string): Promise<{ user: AdapterUser; cookies: Map<string, string> }>
}

/** Sets an application up. */
export function createCeremonies({
  provider = {},
  adapter: given = {},
  authenticator = softwarePasskey(),
  config = {},
}: {
  provider?: Partial<WebAuthnConfig>
  adapter?: Partial<Adapter>
  authenticator?: SoftwarePasskey
  config?: Partial<AuthConfig>
} = {}): Ceremonies {
  const adapter = { ...memoryAdapter(), ...given } as Required<Adapter>
  const contexts = contextsOf({
    adapter,
    providers: [Passkey(provider), Passkey({ id: "other", enableConditionalUI: false })],
    experimental: { enableWebAuthn: true },
    ...config,
  })
  const id = provider.id ?? "passkey"
  const context: Ceremonies["context"] = (path, more = {}) => contexts({ path, ...more })

  const begin: Ceremonies["begin"] = async (query, cookies = new Map()) => {
    const asked = await context(`/auth/webauthn-options/${id}?${new URLSearchParams(query)}`, { cookies })
    const { body, cookies: changes } = await webauthnOptions(asked)
    const options = JSON.parse(JSON.stringify(body.options)) as OptionsJson
    return { action: body.action, options, cookies: new Map([...cookies, ...keepCookies(asked, changes)]) }
  }

  const end: Ceremonies["finish"] = async (
    begun,
    answer,
    { action = begun.action, cookies = begun.cookies, now = testNow } = {},
  ) => {
    const form = { action, data: typeof answer === "string" ? answer : JSON.stringify(answer) }
    return finish(await context(`/auth/callback/${id}`, { form, cookies, now }))
  }

  const admit: Ceremonies["admit"] = async ({ user, stored, authenticator: row }) => {
    const known = user.id ? await adapter.getUser(user.id) : null
    const kept =
      known ?? (await adapter.createUser({ ...user, email: user.email ?? "", emailVerified: null } as AdapterUser))
    if (stored) await adapter.linkAccount({ ...stored, userId: kept.id })
    if (row) await adapter.createAuthenticator({ ...row, userId: kept.id })
    return kept
  }

  return {
    adapter,
    authenticator,
    context,
    begin,
    finish: end,
    admit,
    async register(email, wrong) {
      const begun = await begin({ action: "register", email })
      return end(begun, await authenticator.create(begun.options, wrong))
    },
    async signIn(query = {}, wrong) {
      const begun = await begin({ action: "authenticate", ...query })
      return end(begun, await authenticator.get(begun.options, wrong))
    },
    async member(email) {
      const user = await adapter.createUser({ id: "", email, emailVerified: null })
      const sessionToken = `session-of-${user.id}`
      await adapter.createSession({ sessionToken, userId: user.id, expires: new Date(testNow.getTime() + 86_400_000) })
      return { user, cookies: new Map([["__Secure-authjs.session-token", sessionToken]]) }
    },
  }
}
