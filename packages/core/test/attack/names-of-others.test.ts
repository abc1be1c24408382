/** One name at two providers: an account that somebody has at one of them must not buy guesses at the person of the other. */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { memoryAdapter } from "../../src/memory.js"
import type { Provider } from "../../src/types/provider.js"
import { openBrowser, type TestBrowser } from "../support/browser.js"
import { mailProvider } from "../support/password-service.js"

const ada = "ada@op.test"

/** Passwords of a table of its own. Whoever knows `mine` signs in, under any name. */
const passwords = (id: string, onCheck: () => void = () => {}): Provider => ({
  id,
  name: id,
  type: "credentials",
  credentials: { username: {}, password: { type: "password" } },
  authorize: ({ username, password }) => {
    onCheck()
    return password === "mine" ? { id: `${id} ${username}` } : null
  },
})

/** Browsers of a service with limits. */
function open(...providers: Provider[]): () => TestBrowser {
  const secret = randomBytes(32).toString("hex")
  const session = { strategy: "jwt" } as const
  const config = { secret, trustHost: true, adapter: memoryAdapter(), session, providers }
  const auth = createAuth(config, { env: { NODE_ENV: "production" } })
  return () => openBrowser(auth.handle)
}

const signInAt = (browser: TestBrowser, provider: string, password: string) =>
  browser.post(`/auth/callback/${provider}`, { username: ada, password })

describe("a right password at another provider", { tags: ["threat:V6-06"] }, () => {
  it.each([
    ["takes back no wrong ones", true],
    ["makes its browser known nowhere else", false],
  ])("%s", async (_, isAnotherBrowser) => {
    let checked = 0
    const browser = open(
      passwords("customers"),
      passwords("staff", () => {
        checked += 1
      }),
    )
    const first = browser()
    for (let round = 0; round < 5; round += 1) {
      const thief = isAnotherBrowser ? browser() : first
      for (let index = 0; index < 9; index += 1) await signInAt(thief, "staff", `guess-${index}`)
      const { setCookies } = await signInAt(thief, "customers", "mine")
      if (round === 0) expect(setCookies).toContain("__Secure-authjs.session-token")
    }
    expect(checked).toBe(10)
  })

  it("lets nobody find a mailed code by trying", async () => {
    const code = {
      ...(mailProvider(() => {}) as object),
      generateVerificationToken: () => "000045",
    } as unknown as Provider
    const browser = open(code, passwords("password"))
    await browser().post("/auth/signin/mail", { email: ada })
    const thief = browser()
    for (let index = 0; index <= 35; index += 1) {
      if (index % 9 === 0) await signInAt(thief, "password", "mine")
      await thief.get(`/auth/callback/mail?${new URLSearchParams({ token: `0000${10 + index}`, email: ada })}`)
    }
    expect(await thief.session()).not.toMatchObject({ user: { email: ada } })
  })

  it("is still right after nine wrong ones, which are taken back at its own", async () => {
    const browser = open(passwords("customers"), passwords("staff"))
    for (let round = 0; round < 3; round += 1) {
      const own = browser()
      for (let index = 0; index < 9; index += 1) await signInAt(own, "staff", `guess-${index}`)
      expect((await signInAt(own, "staff", "mine")).status).toBe(302)
      expect(await own.session()).not.toBeNull()
    }
  })
})
