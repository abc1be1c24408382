/** GitHub, also as Enterprise Server or with data residency. */
import type { TokenSet } from "../types/identity.js"
import type { FetchFunction, OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/github.js"
import { idOf, textOf } from "./parts/values.js"

/** An entry of a person's list of addresses. */
export interface GitHubEmail {
  email: string
  primary: boolean
  verified: boolean
  visibility: "public" | "private" | null
}

/** What GitHub says of a person. */
export interface GitHubProfile extends FurtherClaims {
  login: string
  id: number
  node_id: string
  avatar_url: string
  gravatar_id: string | null
  url: string
  html_url: string
  followers_url: string
  following_url: string
  gists_url: string
  starred_url: string
  subscriptions_url: string
  organizations_url: string
  repos_url: string
  events_url: string
  received_events_url: string
  type: string
  site_admin: boolean
  name: string | null
  company: string | null
  blog: string | null
  location: string | null
  email: string | null
  /** Set when the address comes from the list of addresses. */
  email_verified?: boolean
  hireable: boolean | null
  bio: string | null
  twitter_username?: string | null
  public_repos: number
  public_gists: number
  followers: number
  following: number
  created_at: string
  updated_at: string
  private_gists?: number
  total_private_repos?: number
  owned_private_repos?: number
  disk_usage?: number
  suspended_at?: string | null
  collaborators?: number
  two_factor_authentication: boolean
  plan?: { collaborators: number; name: string; space: number; private_repos: number }
}

const home = "https://github.com"

/** Options of {@link GitHub}. */
export type GitHubUserConfig = OAuthUserConfig<GitHubProfile> & {
  enterprise?: {
    /** Root of the Enterprise Server. @default "https://github.com" */
    baseUrl?: string
  }
}

/** Sign-in with GitHub. */
export function GitHub(config: GitHubUserConfig = {}): OAuth2Config<GitHubProfile, UsualId<"github">> {
  const base = (config.enterprise?.baseUrl ?? home).replace(/\/+$/, "")
  const api = apiOf(base)
  const isHome = base === home
  // An address alone, such as that of an Enterprise Server: its profile says nothing of the list. A function of the application may.
  const isReadElsewhere = typeof config.userinfo === "string"
  return oauth(
    {
      id: "github",
      name: "GitHub",
      // GitHub names its issuer in the answer (RFC 9207).
      issuer: `${base}/login/oauth`,
      authorization: { url: `${base}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
      token: `${base}/login/oauth/access_token`,
      userinfo: {
        url: `${api}/user`,
        request: ({ tokens, fetch }) => fetchPerson({ api, isHome }, tokens, fetch),
      },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name, profile.login),
        email: textOf(profile.email),
        image: textOf(profile.avatar_url),
      }),
      // Where the list may be missing, the public address is kept: people of an app without that permission would have none.
      emailVerified: ({ email_verified }) => email_verified ?? (isReadElsewhere ? undefined : "unstated"),
      style: { brandColor: "#24292f", logo: mark },
      console: "https://github.com/settings/developers",
      docs: "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
      checked: "2026-11-21",
      notes: [
        "A GitHub App needs the read permission for e-mail addresses, otherwise the profile of a person without a public address has none.",
        "A public address counts as unverified at an Enterprise Server whose list of addresses cannot be read, because a server need not verify addresses. The scope `user:email` lets the list be read; a GitHub App without the permission for it keeps the address as unstated.",
      ],
    },
    config,
  )
}

export default GitHub

function apiOf(base: string): string {
  if (base === home) return "https://api.github.com"
  const { hostname } = new URL(base)
  // Data residency has a host for the API, an Enterprise Server a path.
  return hostname.endsWith(".ghe.com") ? `https://api.${hostname}` : `${base}/api/v3`
}

/**
 * Whoever signs in can ask for fewer scopes, so that the list is refused. At github.com a public address has to be verified;
 * elsewhere it need not be, and only an app of GitHub's newer kind, whose permissions no visitor chooses, may lack the list.
 */
async function fetchPerson(
  { api, isHome }: { readonly api: string; readonly isHome: boolean },
  tokens: TokenSet,
  fetch: FetchFunction,
): Promise<GitHubProfile> {
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${tokens.access_token}`,
    // GitHub refuses calls without one.
    "user-agent": "latchkey",
  }
  const response = await fetch(`${api}/user`, { headers })
  if (!response.ok) throw new Error(`GitHub answered ${response.status} to the request for the profile.`)
  const profile = (await response.json()) as GitHubProfile
  const list = await fetchList(api, headers, fetch).catch((error: unknown) => {
    // Without the list it is unstated whether the public address is proven; without any address the list is needed.
    if (!profile.email) throw error
  })
  // Only the list says whether the public address is proven.
  const chosen = profile.email ? entryOf(list, profile.email) : choose(list)
  if (chosen) return { ...profile, email: chosen.email, email_verified: chosen.verified === true }
  const mayBeMissing = isHome || tokens.access_token?.startsWith("ghu_")
  return mayBeMissing ? profile : { ...profile, email_verified: false }
}

async function fetchList(api: string, headers: Record<string, string>, fetch: FetchFunction): Promise<unknown> {
  const listed = await fetch(`${api}/user/emails`, { headers })
  // A GitHub App may lack the permission.
  return listed.ok ? listed.json() : undefined
}

function entryOf(list: unknown, address: string): GitHubEmail | undefined {
  return Array.isArray(list)
    ? (list as GitHubEmail[]).find(({ email }) => `${email}`.toLowerCase() === address.toLowerCase())
    : undefined
}

/** The proven primary address, else any proven one, else the primary or first. */
function choose(list: unknown): GitHubEmail | undefined {
  const emails = Array.isArray(list) ? (list as GitHubEmail[]) : []
  const proven = emails.filter(({ verified }) => verified === true)
  return [
    ...proven.filter(({ primary }) => primary),
    ...proven,
    ...emails.filter(({ primary }) => primary),
    ...emails,
  ][0]
}
