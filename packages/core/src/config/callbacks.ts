/** The callbacks of the application and of OAuth providers, each with its default. */
import { urlOf } from "../std/url.js"
import type { CallbacksOptions, RequestDetails } from "../types/hooks.js"
import type { Profile, TokenSet } from "../types/identity.js"
import type { AccountCallback, ProfileCallback } from "../types/provider.js"
import type { DefaultSession } from "../types/session.js"

const fallbacksWith = (exposed: readonly string[]): CallbacksOptions => ({
  signIn: () => true,
  redirect: ({ url, baseUrl }) => withinOrigin(url, baseUrl),
  session: ({ session }): DefaultSession => {
    const { name, email, image } = session.user ?? {}
    // The empty string stands for "no address" in the store and means nothing to a client.
    const basic = { name, email: email === "" ? null : email, image }
    const user = exposed.length === 0 ? basic : { ...chosenOf(session.user ?? {}, exposed), ...basic }
    return { user: user as never, expires: readable(session.expires) }
  },
  jwt: ({ token }) => token,
})

function chosenOf(user: object, exposed: readonly string[]): object {
  return Object.fromEntries(Object.entries(user).filter(([member]) => exposed.includes(member)))
}

/**
 * Completes the callbacks; without one of its own, `session` shows what is exposed as well. They are looked up at each
 * call and called on their own object: one that is replaced later is used from then on.
 */
export function completeCallbacks(given: unknown, exposed: readonly string[] = []): CallbacksOptions {
  const fallbacks = fallbacksWith(exposed)
  const choose = <Name extends keyof CallbacksOptions>(name: Name): CallbacksOptions[Name] =>
    ((params: never, ...details: readonly [RequestDetails?]): unknown => {
      const own: unknown = (given as Record<string, unknown> | null | undefined)?.[name]
      return typeof own === "function"
        ? own.call(given, params, ...details)
        : (fallbacks[name] as (params: never) => unknown)(params)
    }) as CallbacksOptions[Name]
  return Object.freeze({
    signIn: choose("signIn"),
    redirect: choose("redirect"),
    session: choose("session"),
    jwt: choose("jwt"),
  })
}

/** Paths and addresses of the own origin; everything else becomes the origin. */
function withinOrigin(url: string, baseUrl: string): string {
  const target = url === baseUrl ? undefined : urlOf(url, baseUrl)
  if (!target) return baseUrl
  // `blob:` addresses have the origin of the page that made them.
  const isHttp = target.protocol === "https:" || target.protocol === "http:"
  return isHttp && target.origin === new URL(baseUrl).origin && target.username === "" && target.password === ""
    ? target.href
    : baseUrl
}

function readable(expires: unknown): string {
  return expires instanceof Date ? expires.toISOString() : String(expires)
}

/** The usual claims as a user. Without `sub` and `id` there is no id to know the person by. */
export const defaultProfile: ProfileCallback<Profile> = (profile) =>
  present({
    id: profile.sub ?? profile.id,
    name: profile.name ?? profile.nickname ?? profile.preferred_username,
    email: profile.email,
    image: profile.picture,
  })

/** The tokens that are stored with an account. */
export const defaultAccount: AccountCallback = (tokens): TokenSet =>
  present({
    access_token: tokens.access_token,
    id_token: tokens.id_token,
    refresh_token: tokens.refresh_token,
    expires_at: tokens.expires_at,
    scope: tokens.scope,
    token_type: tokens.token_type,
    session_state: tokens.session_state,
  })

function present(members: Record<string, unknown>): Record<string, never> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Record<string, never>
}
