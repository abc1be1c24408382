/** What the provider says of the person, from the place where it says it. */
import {
  type AuthorizationServer,
  type IDToken,
  processUserInfoResponse,
  protectedResourceRequest,
  userInfoRequest,
} from "oauth4webapi"
import { toSeconds } from "../../std/time.js"
import type { Profile, TokenSet } from "../../types/identity.js"
import { assertNoPage, conformed, readMembers } from "./answer.js"
import { clientOf } from "./client.js"
import { Unfit } from "./faults.js"
import { toleranceOf } from "./id-token.js"
import { verifySignature } from "./key-set.js"
import { forLibrary, type Outbound } from "./outbound.js"
import { type OAuthContext, usesUserinfo } from "./server.js"

/** Whose profile is wanted, and how it is got. */
export interface Subject {
  readonly server: AuthorizationServer
  readonly outbound: Outbound
  readonly tokens: TokenSet
  readonly claims: IDToken | undefined
}

/** The profile: the claims of the id_token, or what the userinfo endpoint answers. */
export async function fetchProfile(context: OAuthContext, subject: Subject): Promise<Profile> {
  const { provider } = context
  if (!usesUserinfo(provider)) return { ...subject.claims } as Profile
  const request = provider.userinfo?.request
  if (request) {
    const { tokens, outbound } = subject
    const profile = await request({ tokens, provider: provider.config, fetch: outbound.fetch })
    if (typeof profile !== "object" || profile === null) throw new Unfit("userinfo.request gave no profile")
    return sameSubject(profile as Profile, subject.claims)
  }
  return provider.type === "oidc" ? fetchClaims(context, subject) : fetchAny(context, subject)
}

/** OpenID Connect Core §5.3.2: whoever the userinfo endpoint speaks of must be whom the id_token speaks of. */
function sameSubject(profile: Profile, claims: IDToken | undefined): Profile {
  if (claims && claims.sub !== profile.sub && profile.sub !== undefined) {
    throw new Unfit("the profile is about somebody else than the id_token (sub)")
  }
  return profile
}

async function fetchClaims(context: OAuthContext, { server, outbound, tokens, claims }: Subject): Promise<Profile> {
  const client = clientOf(context)
  const sent = await userInfoRequest(server, client, tokens.access_token ?? "", forLibrary(outbound))
  const response = assertNoPage(await conformed(sent, context.provider.userinfo?.conform), "the userinfo answer")
  const profile = await processUserInfoResponse(server, client, claims?.sub ?? "", response)
  // §5.3.2: a signed answer is worth what its signature is worth.
  if (response.headers.get("content-type")?.startsWith("application/jwt")) {
    await verifySignature(context, { server, response, outbound })
    const { exp } = profile
    if (typeof exp === "number" && exp <= toSeconds(context.now) - toleranceOf(context)) {
      throw new Unfit("the userinfo answer has ended (exp)")
    }
  }
  return { ...profile } as Profile
}

async function fetchAny(context: OAuthContext, { server, outbound, tokens }: Subject): Promise<Profile> {
  const address = server.userinfo_endpoint
  if (!address) throw new Unfit("the provider has no userinfo endpoint and no userinfo.request")
  const headers = new Headers({ accept: "application/json" })
  const token = tokens.access_token ?? ""
  const sent = await protectedResourceRequest(token, "GET", new URL(address), headers, null, forLibrary(outbound))
  const response = await conformed(sent, context.provider.userinfo?.conform)
  if (!response.ok) throw new Unfit(`the userinfo endpoint answered with status ${response.status}`)
  return { ...(await readMembers(assertNoPage(response, "the userinfo answer"), "the userinfo answer")) } as Profile
}
