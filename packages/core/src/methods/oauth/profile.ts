/** Reads the profile from the id_token or the userinfo endpoint, and maps it to a user and an account. */
import { type IDToken, processUserInfoResponse, protectedResourceRequest, userInfoRequest } from "oauth4webapi"
import { askInTime } from "../../context/ask.js"
import { foldsIntoOthers, isOneAddress } from "../../context/email-address.js"
import { randomUuid } from "../../crypto/token.js"
import { isAuthError, OAuthProfileParseError } from "../../errors.js"
import { isThenable } from "../../std/deadline.js"
import { toSeconds } from "../../std/time.js"
import type { Profile, User } from "../../types/identity.js"
import type { ProfileTools } from "../../types/provider.js"
import { textOfId } from "../identifier.js"
import type { Proof } from "../method.js"
import { emailStatusOf } from "./email-status.js"
import type { Exchanged } from "./exchange.js"
import { ProtocolError } from "./faults.js"
import { usesUserinfo, withAddresses } from "./flow.js"
import { toleranceOf } from "./id-token.js"
import { verifySignature } from "./keys.js"
import { assertNoPage, conformed, forLibrary, mediaTypeOf, readMembers } from "./outbound.js"

/**
 * The profile. What came with the callback itself is added to it, and replaces nothing that the provider vouches for.
 */
export async function fetchProfile(exchanged: Exchanged, params: URLSearchParams): Promise<Profile> {
  const profile = await profileOf(exchanged)
  return { ...exchanged.provider.config.callbackProfile?.(Object.fromEntries(params)), ...profile }
}

/** The profile: the claims of the id_token, or what the userinfo endpoint answers. */
async function profileOf(exchanged: Exchanged): Promise<Profile> {
  const { provider, tokens, claims, outbound } = exchanged
  if (!usesUserinfo(provider)) return { ...claims } as Profile
  const request = provider.userinfo?.request
  if (request) {
    const profile = await request({ tokens, provider: withAddresses(exchanged), fetch: outbound.fetch })
    if (typeof profile !== "object" || profile === null) throw new ProtocolError("userinfo.request returned no profile")
    return sameSubject(profile as Profile, claims)
  }
  return provider.type === "oidc" ? fetchClaims(exchanged) : sameSubject(await fetchAny(exchanged), claims)
}

/** OpenID Connect Core §5.3.2: `sub` of the userinfo response must be that of the id_token. */
function sameSubject(profile: Profile, claims: IDToken | undefined): Profile {
  if (claims && claims.sub !== profile.sub && profile.sub !== undefined) {
    throw new ProtocolError("the profile is about another person than the id_token (sub)")
  }
  return profile
}

async function fetchClaims(exchanged: Exchanged): Promise<Profile> {
  const { provider, server, client, outbound, tokens, claims, now } = exchanged
  const sent = await userInfoRequest(server, client, tokens.access_token ?? "", forLibrary(outbound))
  const answer = assertNoPage(await conformed(sent, provider.userinfo?.conform), "the userinfo answer")
  const isSigned = mediaTypeOf(answer) === signedType
  const response = isSigned ? asSigned(answer) : answer
  const profile = await processUserInfoResponse(server, client, claims?.sub ?? "", response)
  // §5.3.2: the signature of a signed response is verified.
  if (isSigned) {
    await verifySignature(exchanged, response)
    const { exp } = profile
    if (typeof exp === "number" && exp <= toSeconds(now) - toleranceOf(exchanged)) {
      throw new ProtocolError("the userinfo response has expired (exp)")
    }
  }
  return { ...profile } as Profile
}

const signedType = "application/jwt"

/** The library takes a response for a signed one only where its type is written in exactly this way. */
function asSigned({ body, status, statusText, headers: given }: Response): Response {
  const headers = new Headers(given)
  headers.set("content-type", signedType)
  return new Response(body, { status, statusText, headers })
}

async function fetchAny({ provider, server, outbound, tokens }: Exchanged): Promise<Profile> {
  const address = server.userinfo_endpoint
  if (!address) throw new ProtocolError("the provider has no userinfo endpoint and no userinfo.request")
  const headers = new Headers({ accept: "application/json" })
  const token = tokens.access_token ?? ""
  const sent = await protectedResourceRequest(token, "GET", new URL(address), headers, null, forLibrary(outbound))
  const response = await conformed(sent, provider.userinfo?.conform)
  if (!response.ok) throw new ProtocolError(`the userinfo endpoint answered with status ${response.status}`)
  return { ...(await readMembers(assertNoPage(response, "the userinfo answer"), "the userinfo answer")) } as Profile
}

/** The person as the application will know them. */
export type Mapped = Pick<Proof, "user" | "account" | "stored" | "emailStatus" | "numericId">

/** Maps a profile with the provider's `profile` and `account` callbacks. */
export async function mapProfile(exchanged: Exchanged, profile: Profile): Promise<Mapped> {
  try {
    return await mapped(exchanged, profile)
  } catch (error) {
    if (isAuthError(error)) throw error
    const { provider } = exchanged
    const cause = { err: error instanceof Error ? error : new Error(String(error)), provider: provider.id }
    throw new OAuthProfileParseError(`The profile of ${provider.id} could not be mapped to a user.`, { cause })
  }
}

async function mapped(exchanged: Exchanged, profile: Profile): Promise<Mapped> {
  const { provider, settings, tokens, outbound } = exchanged
  const described: unknown = await askInTime(exchanged, `providers.${provider.id}.profile`, () =>
    provider.profile({ ...profile }, { ...tokens }, ...toolsFor(provider.profile, outbound)),
  )
  if (typeof described !== "object" || described === null) throw refused(provider.id, "returned no user")
  const { id, email, ...rest } = described as User
  // Without a store no account is looked up again: the person in the profile is signed in, under a random id.
  const isNameless = (id === undefined || id === null) && !settings.store.isPresent
  const providerAccountId = isNameless ? randomUuid() : accountId(id)
  if (providerAccountId === undefined) {
    throw refused(
      provider.id,
      `returned the id ${JSON.stringify(id) ?? "undefined"}, expected a string or a safe integer`,
    )
  }
  const key = { provider: provider.id, type: provider.type, providerAccountId }
  const address = emailOf(email)
  const emailStatus = emailStatusOf(exchanged, { profile, address })
  return {
    user: { ...rest, ...shownOf(rest), id: randomUuid(), email: address },
    account: { ...tokens, ...key },
    stored: { ...provider.account({ ...tokens }), ...key },
    emailStatus: isThenable(emailStatus) ? await emailStatus : emailStatus,
    ...(typeof id === "number" && { numericId: id }),
  }
}

/** Name and picture, where the profile has them, as the string that applications and columns expect. */
function shownOf(described: Pick<User, "name" | "image">): Pick<User, "name" | "image"> {
  const { name, image } = described
  return { ...(name !== undefined && { name: textIn(name) }), ...(image !== undefined && { image: textIn(image) }) }
}

/** Without null characters and lone surrogates, which databases refuse. */
function textIn(said: unknown): string | null {
  if (typeof said === "number" || said instanceof URL) return String(said)
  return typeof said === "string" ? said.replace(/[\0\p{Surrogate}]/gu, "") : null
}

/** Only for a callback that names a third parameter: others may mean something else by theirs. */
function toolsFor(
  callback: object & { readonly length: number },
  { fetch }: Exchanged["outbound"],
): readonly [ProfileTools?] {
  return callback.length > 2 ? [{ fetch }] : []
}

function refused(provider: string, reason: string): OAuthProfileParseError {
  return new OAuthProfileParseError(`The profile callback of ${provider} ${reason}.`, { cause: { provider } })
}

/** Providers number nobody 0: there it is what a missing id turns into. */
function accountId(id: unknown): string | undefined {
  const text = textOfId(id)
  return text?.trim() === "0" ? undefined : text
}

// Longer than RFC 5321 allows: what a provider says of a person is kept as it says it.
const longestAddress = 320

/** One address in lower case, or none: what is no single address is not kept at all. */
function emailOf(email: unknown): string | null {
  if (typeof email !== "string") return null
  const trimmed = email.trim()
  const address = trimmed.toLowerCase()
  return isOneAddress(address, longestAddress) && !foldsIntoOthers(trimmed) ? address : null
}
