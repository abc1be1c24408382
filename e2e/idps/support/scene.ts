/** What the tests at every real provider share: the application and the recording beside it, and what a sign-in is held against. */
import { afterAll, beforeAll, expect } from "vitest"
import { type Application, type Call, openApplication, type Seen } from "./application.js"
import type { Page, Person } from "./person.js"
import { openRecording, type Recording } from "./recording.js"

/** A running provider. */
export interface RealProvider {
  readonly issuer: string
  readonly version: string
  stop(): Promise<void>
}

/** All that runs while the tests of a file do. */
export interface Scene<Provider> {
  readonly provider: Provider
  readonly application: Application
  readonly recording: Recording
}

/** Starts a provider and an application before the tests of a file, hands them over, and stops them afterwards. */
export function useScene<Provider extends RealProvider>(
  name: string,
  { start, enter }: { start: () => Promise<Provider>; enter: (scene: Scene<Provider>) => void },
): void {
  const stops: (() => unknown)[] = []
  beforeAll(async () => {
    const provider = await start()
    stops.push(() => provider.stop())
    const application = await openApplication()
    stops.push(() => application.close())
    const title = `${name} ${provider.version}`
    const recording = openRecording(name.toLowerCase(), { provider: title, issuer: provider.issuer })
    stops.push(() => recording.write())
    enter({ provider, application, recording })
    console.log(title)
  })
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
  })
}

/** Somebody at the end of a sign-in, and the page they ended on. */
export interface Ended {
  readonly person: Person
  readonly page: Page
}

/** A sign-in that succeeded without an error in the log, and whom it signed in. */
export async function expectSession(
  { person, page }: Ended,
  { application, seen, user }: { application: Application; seen: Seen; user: object },
): Promise<void> {
  expect(seen.errors).toEqual([])
  expect(page.url.href).toBe(`${application.origin}/home`)
  expect((await person.session(application))?.user).toMatchObject(user)
}

/** A sign-in that the application refused: the page says so, the log says why, and nobody is signed in. */
export async function expectRefused(
  { person, page }: Ended,
  { application, seen, why }: { application: Application; seen: Seen; why: string },
): Promise<void> {
  expect(page.url.searchParams.get("error")).toBe("OAuthCallbackError")
  expect(seen.errors.join()).toContain(why)
  expect(await person.session(application)).toBeNull()
}

/** The requests of the engine whose address ends like this. */
export const callsOf = ({ calls }: Seen, ending: string): readonly Call[] =>
  calls.filter(({ url }) => url.endsWith(ending))

/** The request for the tokens carried what the method of client authentication says, and nothing else. */
export function expectClientAuthentication(seen: Seen, method: string): void {
  const [{ sent } = { sent: undefined }] = callsOf(seen, "/token")
  expect({
    basic: sent?.headers.get("authorization")?.startsWith("Basic ") ?? false,
    secret: sent?.body.has("client_secret"),
    assertion: sent?.body.has("client_assertion"),
  }).toEqual({
    basic: method === "client_secret_basic",
    secret: method === "client_secret_post",
    assertion: method === "client_secret_jwt",
  })
}

/** The log names neither a secret nor the code that was sent with it. */
export function expectNothingSecretLogged(seen: Seen, secret: string): void {
  const code = callsOf(seen, "/token")[0]?.sent.body.get("code") ?? ""
  expect(code.length).toBeGreaterThan(20)
  for (const text of [secret, code]) expect(seen.errors.join()).not.toContain(text)
}

/** The request for authorization carried PKCE, state and nonce, and the answer the state and the name of the issuer. */
export function expectChecks({ way }: Person, { path, issuer }: { path: string; issuer: string }): void {
  const asked = way.find(({ pathname }) => pathname.endsWith(path))?.searchParams
  expect(asked?.get("code_challenge_method")).toBe("S256")
  for (const name of ["code_challenge", "state", "nonce"]) expect(asked?.get(name)?.length).toBeGreaterThan(40)
  const answered = way.find(({ pathname }) => pathname.endsWith("/callback/idp"))?.searchParams
  expect(answered?.get("iss")).toBe(issuer)
  expect(answered?.get("state")).toBe(asked?.get("state"))
}

/** Keys for client assertions, by algorithm. */
export const assertionKeys = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
} as const

/** A key pair of the application: the private half, and the public one as providers are given it. */
export async function makeAssertionKey(alg: keyof typeof assertionKeys) {
  const rsa = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const algorithm = { ...rsa, ...assertionKeys[alg] }
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair
  const jwk = { ...(await crypto.subtle.exportKey("jwk", pair.publicKey)), alg, kid: "ours", use: "sig" }
  return { clientPrivateKey: { key: pair.privateKey, kid: "ours" }, jwks: { keys: [jwk] } }
}

/** What stands in the header of the id_token of an answer. */
export function headerOf(answer: string | undefined): { alg?: string; kid?: string } {
  const { id_token } = JSON.parse(answer ?? "{}") as { id_token: string }
  return JSON.parse(atob(id_token.split(".")[0] ?? "")) as { alg?: string; kid?: string }
}
