/** An application with every kind of provider, for simulated sign-ins: provider, mailbox and authenticator are simulated. */
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig, Provider } from "@latchkey/core/types"
import { type Answer, origin, type Visitor } from "./visitor.js"

/** Where sessions are kept. */
export type Strategy = "database" | "jwt"

/** Who signs in. */
export interface Person {
  readonly email: string
  /** What the provider calls them. */
  readonly account: string
  /** The links that arrived, and the credentials in the authenticator (base64url). */
  readonly mails: string[]
  readonly credentials: string[]
}

/** Somebody at an application. */
export interface Stage {
  readonly person: Person
  readonly visitor: Visitor
}

const provider = "https://provider.example"

/** What the provider answers to the service. */
function answerOf(person: Person): typeof fetch {
  return async (input) => {
    const isToken = String(input instanceof Request ? input.url : input).startsWith(`${provider}/token`)
    const body = isToken
      ? { access_token: "access", token_type: "bearer" }
      : { id: person.account, email: person.email, name: "Ada Lovelace" }
    return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } })
  }
}

const encode = (text: string): string => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
const decode = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))

/** A WebAuthn library that accepts everything: the store is tested, not the signature. */
const believer = {
  // Another challenge each time, because each is accepted once.
  generateRegistrationOptions: () => ({ challenge: crypto.randomUUID() }),
  generateAuthenticationOptions: () => ({ challenge: crypto.randomUUID() }),
  verifyRegistrationResponse: ({ response }: { response: { id: string } }) => ({
    verified: true,
    registrationInfo: {
      credentialID: decode(response.id),
      credentialPublicKey: Uint8Array.of(1, 2, 3),
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
    },
  }),
  verifyAuthenticationResponse: ({ authenticator }: { authenticator: { counter: number } }) => ({
    verified: true,
    authenticationInfo: {
      newCounter: authenticator.counter + 1,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
    },
  }),
}

function providersFor(person: Person, adapter: Adapter): Provider[] {
  return [
    {
      id: "provider",
      name: "Provider",
      type: "oauth",
      authorization: `${provider}/authorize`,
      token: `${provider}/token`,
      userinfo: `${provider}/userinfo`,
      clientId: "client",
      clientSecret: "secret",
      emailVerified: () => true,
      profile: ({ id, email, name }: Record<string, string>) => ({ id, email, name }),
      // Markers are known by their description.
      [Symbol("custom-fetch")]: answerOf(person),
    } as unknown as Provider,
    {
      id: "mail",
      name: "Mail",
      type: "email",
      sendVerificationRequest: ({ url }: { url: string }) => void person.mails.push(url),
    } as Provider,
    {
      id: "passkey",
      name: "Passkey",
      type: "webauthn",
      simpleWebAuthn: believer,
    } as Provider,
    {
      id: "password",
      name: "Password",
      type: "credentials",
      credentials: { email: {} },
      authorize: ({ email }) => (email === person.email ? (adapter.getUserByEmail?.(person.email) ?? null) : null),
    } as Provider,
  ]
}

/** The configuration of an application that `person` visits. */
export function rehearsalConfig(person: Person, adapter: Adapter, strategy: Strategy): AuthConfig {
  const silent = (): void => undefined
  return {
    secret: "a secret for rehearsals, of 32 or more",
    trustHost: true,
    basePath: "/auth",
    adapter,
    session: { strategy },
    experimental: { enableWebAuthn: true },
    logger: { error: silent, warn: silent, debug: silent },
    providers: providersFor(person, adapter),
    // Each run signs one person in many times within a second.
    limits: false,
  }
}

/** Signs in at the provider. */
export async function byProvider({ visitor }: Stage): Promise<Answer> {
  const begun = await visitor.post("/auth/signin/provider", {})
  const state = begun.location?.searchParams.get("state") ?? ""
  return visitor.get(`/auth/callback/provider?${new URLSearchParams({ code: "code", state })}`)
}

/** Asks for a link and opens it. */
export async function byMail({ visitor, person }: Stage): Promise<Answer> {
  const asked = await visitor.post("/auth/signin/mail", { email: person.email })
  const link = person.mails.at(-1)
  return link === undefined ? asked : visitor.get(link.slice(origin.length))
}

/** Signs in with the password. */
export const byPassword = ({ visitor, person }: Stage): Promise<Answer> =>
  visitor.post("/auth/callback/password", { email: person.email })

async function ceremony({ visitor }: Stage, query: Record<string, string>, id: string): Promise<Answer> {
  await visitor.get(`/auth/webauthn-options/passkey?${new URLSearchParams(query)}`)
  const clientDataJSON = encode(JSON.stringify({ type: query["action"], challenge: "Y2hhbGxlbmdl", origin }))
  const response =
    query["action"] === "register"
      ? { clientDataJSON, attestationObject: encode("attestation") }
      : { clientDataJSON, authenticatorData: encode("authenticator"), signature: encode("signature") }
  const data = JSON.stringify({ id, rawId: id, type: "public-key", response })
  return visitor.post("/auth/callback/passkey", { action: query["action"] ?? "", data })
}

/** Makes a passkey: for the address, or for whoever is signed in. */
export function registerPasskey(stage: Stage, query: Record<string, string>): Promise<Answer> {
  const id = encode(globalThis.crypto.randomUUID())
  stage.person.credentials.push(id)
  return ceremony(stage, { action: "register", ...query }, id)
}

/** Signs in with the passkey that was made first. */
export const byPasskey = (stage: Stage): Promise<Answer> =>
  ceremony(stage, { action: "authenticate" }, stage.person.credentials[0] ?? "")
