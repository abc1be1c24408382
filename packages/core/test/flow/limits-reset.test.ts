/** Opening somebody by the address that they type, where providers make another one of it. */
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/adapters/memory.js"
import { type Auth, createAuth, limits } from "../../src/index.js"
import { openBrowser } from "../support/browser.js"
import { mailProvider, passwordProvider, plainSettings } from "../support/password-service.js"

const withoutTag = (address: string): string => {
  if (!address.includes("@")) throw new Error("no address")
  return address.replace(/\+[^@]*/, "")
}

function stage() {
  const mail = { ...(mailProvider(() => {}) as object), normalizeIdentifier: withoutTag } as never
  const providers = [passwordProvider(), mail]
  const auth = createAuth(
    { ...plainSettings, adapter: memoryAdapter(), providers },
    { env: { NODE_ENV: "production" } },
  ) as Auth
  const browser = openBrowser(auth.handle)
  const post = async (path: string, form: Record<string, string>): Promise<number> =>
    (await browser.post(`/auth/${path}`, form, { csrf: false, json: true })).status
  return { auth, post }
}

it("lets messages be sent again to the address that a provider reads in the one that is typed", async () => {
  const { auth, post } = stage()
  const send = () => post("signin/mail", { email: "Ada+shop@app.test" })
  for (let sent = 0; sent < 3; sent += 1) expect(await send()).toBe(302)
  expect(await send()).toBe(429)
  await limits.reset(auth, "Ada+shop@app.test")
  expect(await send()).toBe(302)
})

// The second counts at two readings.
it.each(["ada", "\u{1d400}da"])("opens a name that no e-mail provider takes for an address: %s", async (username) => {
  const { auth, post } = stage()
  const guess = (password: string) => post("callback/password", { username, password })
  for (let count = 0; count < 11; count += 1) await guess("wrong")
  expect(await guess("right")).toBe(429)
  await limits.reset(auth, username)
  expect(await guess("right")).toBe(302)
})
