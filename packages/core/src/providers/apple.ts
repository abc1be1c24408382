/** Sign in with Apple. */
import { toSeconds } from "../std/time.js"
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/apple.js"
import { byClaim } from "./parts/values.js"

/** What Apple sends beside the code, at the first consent only and unsigned. */
export interface AppleNonConformUser {
  name?: { firstName?: string; lastName?: string }
  email?: string
}

/** What Apple says of a person. */
export interface AppleProfile extends FurtherClaims {
  iss: "https://appleid.apple.com"
  aud: string
  iat: number
  exp: number
  sub: string
  nonce: string
  nonce_supported: boolean
  email: string
  email_verified: "true" | "false" | boolean
  is_private_email: boolean | "true" | "false"
  /** 0 cannot tell, 1 unknown, 2 likely a real person. */
  real_user_status: 0 | 1 | 2
  transfer_sub: string
  at_hash: string
  auth_time: number
  user?: AppleNonConformUser
}

/** The key that signs the client secret. */
export interface AppleKey {
  teamId: string
  keyId: string
  /** Content of the `.p8` file. */
  privateKey: string
}

/** Options of {@link Apple}. */
export type AppleUserConfig = Omit<OIDCUserConfig<AppleProfile>, "clientSecret"> & {
  /** The signed secret, or the key to sign a fresh one with each time. */
  clientSecret?: OIDCUserConfig<AppleProfile>["clientSecret"] | AppleKey
}

const issuer = "https://appleid.apple.com"
/** Apple allows six months; one exchange needs seconds. */
const secretAge = 5 * 60

/** Sign-in with Apple. Needs https and a host that is not localhost. */
export function Apple(config: AppleUserConfig = {}): OIDCConfig<AppleProfile, UsualId<"apple">> {
  return oidc(
    {
      id: "apple",
      name: "Apple",
      issuer,
      // Written down, because the discovery document has named another issuer before.
      authorization: {
        url: `${issuer}/auth/authorize`,
        params: { scope: "name email", response_mode: "form_post" },
      },
      token: `${issuer}/auth/token`,
      jwks_endpoint: `${issuer}/auth/keys`,
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["nonce", "state"],
      callbackProfile,
      profile: (profile) => ({
        id: profile.sub,
        name: nameOf(profile.user) ?? profile.email,
        email: profile.email,
        image: null,
      }),
      emailVerified: byClaim,
      style: { brandColor: "#000000", logo: mark },
      console: "https://developer.apple.com/account/resources/identifiers/list/serviceId",
      docs: "https://developer.apple.com/documentation/sign_in_with_apple/sign_in_with_apple_rest_api",
      checked: "2026-11-21",
      notes: [
        "`clientId` is the Services ID. `clientSecret` is `{ teamId, keyId, privateKey }`, or a JWT that was signed elsewhere.",
        "The callback is a POST from another site: it works on https only.",
        "The name comes with the first consent only.",
      ],
    },
    withSecret(config),
  )
}

export default Apple

function withSecret({ clientSecret, ...rest }: AppleUserConfig): OIDCUserConfig<AppleProfile> {
  if (clientSecret === undefined) return rest
  if (typeof clientSecret !== "object") return { ...rest, clientSecret }
  const { teamId, keyId, privateKey } = clientSecret
  return {
    ...rest,
    clientSecret: (now, sign) => {
      const iat = toSeconds(now)
      return sign({ keyId, privateKey, claims: { iss: teamId, iat, exp: iat + secretAge, aud: issuer } })
    },
  }
}

/** Only the name is taken from there: an address in an unsigned field proves nothing. */
function callbackProfile({ user }: Readonly<Record<string, string>>): { user: AppleNonConformUser } | undefined {
  try {
    const { name } = JSON.parse(user ?? "null") as AppleNonConformUser
    return typeof name === "object" && name !== null ? { user: { name } } : undefined
  } catch {
    return undefined
  }
}

function nameOf(user: AppleNonConformUser | undefined): string | undefined {
  const parts = [user?.name?.firstName, user?.name?.lastName].filter((part) => typeof part === "string")
  return parts.join(" ").trim() || undefined
}
