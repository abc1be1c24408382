/** A list of many passkeys, most of which were removed and have left the row of their authenticator: what it asks the store. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import { registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

/** Lists the passkeys of somebody with 45 authenticators, every third of which has an account. */
async function listMany(isListing: boolean) {
  const { listAccountsByUserId, ...memory } = memoryAdapter()
  const asked = { lists: 0, now: 0, most: 0 }
  const list = (id: string) => {
    asked.lists += 1
    return listAccountsByUserId(id)
  }
  const adapter = {
    ...memory,
    async getAccount(id: string, provider: string) {
      asked.now += 1
      asked.most = Math.max(asked.most, asked.now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      asked.now -= 1
      return memory.getAccount(id, provider)
    },
    ...(isListing && { listAccountsByUserId: list }),
  }
  const config = { features: [passkeys()], experimental: { enableWebAuthn: true } }
  const world = await makeWorld({ strategy: "database", adapter, mail: false, more: [Passkey()], config })
  const [browser, other] = [world.browser(), world.browser()]
  await registerPasskey(browser, softwarePasskey(), "ada@app.test")
  await registerPasskey(other, softwarePasskey(), "bob@app.test")
  const [userId, bob] = await Promise.all(
    ["ada@app.test", "bob@app.test"].map(async (email) => (await memory.getUserByEmail(email))?.id ?? ""),
  )
  const [row] = await memory.listAuthenticatorsByUserId(userId ?? "")
  if (!row) throw new Error("Expected an authenticator.")
  const made = Array.from({ length: 44 }, (_, index) => Buffer.alloc(32, index).toString("base64"))
  for (const [index, id] of made.entries()) {
    await memory.createAuthenticator({ ...row, credentialID: id, providerAccountId: id })
    const account = { provider: "passkey", providerAccountId: id, type: "webauthn" as const }
    if (index % 3 === 0) await memory.linkAccount({ ...account, userId: userId ?? "" })
    // Its account is somebody else's by now.
    if (index % 3 === 1) await memory.linkAccount({ ...account, userId: bob ?? "" })
  }
  Object.assign(asked, { lists: 0, most: 0 })
  const listed: readonly { readonly id: string }[] = JSON.parse((await browser.get("/auth/passkeys")).text)
  const expected = [row.credentialID, ...made.filter((_, index) => index % 3 === 0)]
  return { asked, ids: listed.map(({ id }) => Buffer.from(id, "base64url").toString("base64")), expected }
}

it("asks for the accounts once, where they can be listed", async () => {
  const { asked, ids, expected } = await listMany(true)
  expect(ids).toEqual(expected)
  expect(asked).toEqual({ lists: 1, now: 0, most: 0 })
})

it("asks for ten accounts at once, where they cannot", async () => {
  const { asked, ids, expected } = await listMany(false)
  expect(ids).toEqual(expected)
  expect(asked).toEqual({ lists: 0, now: 0, most: 10 })
})
