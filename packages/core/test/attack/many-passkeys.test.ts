/** Somebody registers passkeys without end at an address that is not proven: its owner's first sign-in would remove each of them. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import { optionsOf, passkeyConfig, registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const tags = ["threat:FD-21"]
const challengeCookie = "__Secure-authjs.challenge"
const address = "ada@app.test"

/** A stranger who is signed in at the address with this many passkeys. */
async function stranger(passkeys: number) {
  const adapter: Required<Pick<Adapter, keyof ReturnType<typeof memoryAdapter>>> = memoryAdapter()
  const { experimental, providers: more = [] } = passkeyConfig
  const world = await makeWorld({ adapter, more, config: { experimental } })
  const browser = world.browser()
  await registerPasskey(browser, softwarePasskey(), address)
  const { id = "" } = (await adapter.getUserByEmail(address)) ?? {}
  const [first] = await adapter.listAuthenticatorsByUserId(id)
  if (!first) throw new Error("Expected a passkey, received none.")
  for (let n = 1; n < passkeys; n++) {
    const [userId, provider, providerAccountId] = [id, "passkey", Buffer.from(`passkey ${n}`).toString("base64")]
    await adapter.linkAccount({ userId, provider, providerAccountId, type: "webauthn" })
    await adapter.createAuthenticator({ ...first, userId, credentialID: providerAccountId, providerAccountId })
  }
  const passkeyAccounts = async () =>
    (await adapter.listAccountsByUserId(id)).filter(({ provider }) => provider === "passkey")
  return { world, browser, count: async () => (await passkeyAccounts()).length }
}

it("lets one user have 64", { tags }, async () => {
  const { world, browser, count } = await stranger(63)
  await registerPasskey(browser, softwarePasskey())
  expect(await count()).toBe(64)
  const refused = await registerPasskey(browser, softwarePasskey())
  expect([refused.status, await count()]).toEqual([400, 64])
  const owner = world.browser()
  await world.signInByMail(owner, address)
  expect([await count(), (await owner.session()) !== null, await browser.session()]).toEqual([0, true, null])
  // Their authenticators may still be stored.
  await registerPasskey(owner, softwarePasskey())
  expect(await count()).toBe(1)
})

it("refuses one more with options from before", { tags }, async () => {
  const { browser, count } = await stranger(63)
  const { options } = await optionsOf(browser, { action: "register" })
  const challenge = browser.cookie(challengeCookie) ?? ""
  await registerPasskey(browser, softwarePasskey())
  browser.setCookie(challengeCookie, challenge)
  const data = JSON.stringify(await softwarePasskey().create(options))
  const body = { action: "register", data }
  const { location } = await browser.post("/auth/callback/passkey", body, { csrf: false, json: true })
  expect([location, await count()]).toEqual(["https://app.test/auth/signin?error=Signin", 64])
})
