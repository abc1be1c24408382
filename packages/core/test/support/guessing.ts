/** A service with passwords whose limits are on, and browsers that keep their cookies and type passwords into it. */
import { memoryAdapter } from "../../src/adapters/memory.js"
import { type Auth, createAuth } from "../../src/index.js"
import type { AuthConfig } from "../../src/types/config.js"
import { passwordProvider, plainSettings } from "./password-service.js"

export const origin = "https://app.test"
export const deviceCookie = "__Host-authjs.device"

/** The service, and the names whose passwords were checked. */
export function guessingStage(config: Partial<AuthConfig> = {}) {
  const checked: string[] = []
  const providers = [passwordProvider((username) => void checked.push(username))]
  const auth = createAuth(
    { providers, ...plainSettings, adapter: memoryAdapter(), ...config },
    { env: { NODE_ENV: "production" } },
  ) as Auth
  return { auth, checked, browser: () => browserOf(auth) }
}

/** What a guess came to. */
export interface Guessed {
  readonly status: number
  readonly isSignedIn: boolean
  readonly setCookies: readonly string[]
}

/** A browser. Its jar may be read and written, as by a thief. */
export function browserOf(auth: Auth) {
  const jar = new Map<string, string>()
  const guess = async (
    username: string,
    password: string,
    { address }: { readonly address?: string } = {},
  ): Promise<Guessed> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const request = new Request(`${origin}/auth/callback/password`, {
      method: "POST",
      headers: { accept: "text/html", ...(cookie && { cookie }) },
      body: new URLSearchParams({ username, password }),
    })
    const response = await auth.handle(request, { address })
    const setCookies = response.headers.getSetCookie()
    for (const line of setCookies) {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return { status: response.status, isSignedIn: setCookies.some((it) => it.includes("session-token=ey")), setCookies }
  }
  /** Statuses of so many wrong guesses, one after the other. */
  const guessWrongly = async (count: number, username: string, from?: { readonly address?: string }) => {
    const statuses: number[] = []
    for (let index = 0; index < count; index += 1) statuses.push((await guess(username, "wrong", from)).status)
    return statuses
  }
  return { jar, guess, guessWrongly }
}

/** How many of the statuses let a request through. */
export const letThrough = (statuses: readonly number[]): number => statuses.filter((status) => status !== 429).length
