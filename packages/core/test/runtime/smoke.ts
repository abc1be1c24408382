/**
 * What every runtime has to do, bundled and run by Node, Bun, Deno and workerd: hand out a CSRF token, sign in, read the
 * session; and open tokens by the portable cryptography and by the runtime's own, where it has one.
 */

import type { Cipher } from "../../src/crypto/cipher.js"
import { portable } from "../../src/crypto/jose.js"
import { openWith, sealWith } from "../../src/crypto/jwe.js"
import { createKeyCache, createKeyring } from "../../src/crypto/keyring.js"
import { native } from "../../src/crypto/native.js"
import { type AuthService, createAuth } from "../../src/index.js"
import { Credentials } from "../../src/providers/credentials.js"

/** What a runtime reports. The claims are those of the token it was given; the caller opens the tokens. */
export interface SmokeReport {
  /** Which ways of cryptography there are. */
  readonly ways: readonly string[]
  readonly signIn: { readonly status: number; readonly location: string | null }
  /** The session as JSON over the wire, and read without a request. */
  readonly session: unknown
  readonly inProcess: unknown
  /** By the way that opened: who the token from outside is about. */
  readonly opened: Readonly<Record<string, unknown>>
  /** By the way that refused: what a changed token came to. */
  readonly refused: Readonly<Record<string, string>>
  /** By the way that sealed: a token for the world outside. */
  readonly sealed: Readonly<Record<string, string>>
}

/** What both sides know. */
export const shared = { secret: "a secret that every runtime shares, long enough", salt: "smoke", maxAge: 600 } as const

const config = {
  secret: shared.secret,
  trustHost: true,
  providers: [
    Credentials({
      credentials: { password: { label: "Password", type: "password" } },
      authorize: ({ password }) => (password === "right" ? { id: "7", name: "Ada", email: "ada@app.test" } : null),
    }),
  ],
}

/** Does all of it once. `token` was sealed elsewhere. */
export async function smoke(token: string): Promise<SmokeReport> {
  const auth = createAuth(config, { env: {} })
  const jar = new Map<string, string>()
  const csrf = await ask(auth, jar, "/auth/csrf")
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, password: "right", callbackUrl: "/me" })
  const signIn = await ask(auth, jar, "/auth/callback/credentials", { method: "POST", body })
  const session = await (await ask(auth, jar, "/auth/session")).json()
  const source = { url: "https://app.test/", headers: { cookie: cookieOf(jar) } }
  const inProcess = (await auth.session(source)).session
  return {
    signIn: { status: signIn.status, location: signIn.headers.get("location") },
    session,
    inProcess,
    ...(await tokens(token)),
  }
}

async function tokens(token: string): Promise<Pick<SmokeReport, "ways" | "opened" | "refused" | "sealed">> {
  const ways = Object.entries<Cipher>({ portable, ...(native && { native }) })
  const report = { opened: {}, refused: {}, sealed: {} } as Record<
    "opened" | "refused" | "sealed",
    Record<string, string>
  >
  for (const [name, way] of ways) {
    // Keys are derived in this runtime too: a ring for each way, so that none borrows from another.
    const keyring = createKeyring([shared.secret], createKeyCache(4))
    const sealing = { ...shared, keyring, now: new Date() }
    report.opened[name] = String((await openWith(way, token, sealing))["sub"])
    report.sealed[name] = await sealWith(way, { sub: name }, sealing)
    const changed = `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`
    report.refused[name] = await Promise.resolve()
      .then(() => openWith(way, changed, sealing))
      .then(
        () => "opened",
        () => "refused",
      )
  }
  return { ways: ways.map(([name]) => name), ...report }
}

async function ask(
  auth: AuthService,
  jar: Map<string, string>,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const request = new Request(`https://app.test${path}`, { ...init, headers: { cookie: cookieOf(jar) } })
  const response = await auth.handle(request)
  for (const line of response.headers.getSetCookie()) {
    const pair = line.slice(0, line.indexOf(";"))
    jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
  }
  return response
}

function cookieOf(jar: Map<string, string>): string {
  return [...jar].map((pair) => pair.join("=")).join("; ")
}
