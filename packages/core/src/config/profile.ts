/** What is kept of a provider's answers when the provider does not say otherwise. */
import type { Profile, TokenSet } from "../types/identity.js"
import type { AccountCallback, ProfileCallback } from "../types/provider.js"

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
