/** Two passkeys of a user that are removed at once, where a provider is configured by which the owner of an address may come. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import { sessionCookie } from "../support/journeys.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

/** Somebody with two passkeys. `isSlow`: removals take so long that neither counts the other any more. */
async function withTwo({ isSlow, isProven }: { readonly isSlow: boolean; readonly isProven: boolean }) {
  const memory = memoryAdapter()
  const countRecord = async (_key: unknown, { expires }: { readonly expires: Date }) => ({ sum: 1, expires })
  const adapter = { ...memory, ...(isSlow && { countRecord }) }
  const keys = passkeys()
  const config = { features: [keys], experimental: { enableWebAuthn: true } }
  const world = await makeWorld({ strategy: "database", adapter, mail: false, more: [Passkey()], config })
  const [browser, first, second] = [world.browser(), softwarePasskey(), softwarePasskey()]
  await registerPasskey(browser, first, "ada@app.test")
  await registerPasskey(browser, second)
  const id = (await memory.getUserByEmail("ada@app.test"))?.id ?? ""
  if (isProven) await memory.updateUser({ id, emailVerified: new Date() })
  await signInByPasskey(browser, first)
  const here = { url: "https://app.test/", headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie)}` } }
  const ids = (await keys.list(world.auth, here)).map((one) => one.id)
  const answers = await Promise.all(ids.map((one) => keys.remove(world.auth, here, { id: one })))
  return { answers, left: (await memory.listAccountsByUserId(id)).length }
}

function expectOneWay({ answers, left }: Awaited<ReturnType<typeof withTwo>>): void {
  expect(answers).toHaveLength(2)
  expect(answers).toContain("last")
  expect(left).toBe(answers.filter((answer) => answer === "last").length)
}

it.each([true, false])("one stays; the address is proven: %j", async (isProven) => {
  expectOneWay(await withTwo({ isSlow: false, isProven }))
})

it("one stays also where both take long, once the address is proven", async () => {
  expectOneWay(await withTwo({ isSlow: true, isProven: true }))
})

it("none is put back while the owner of the address may still come and take it", async () => {
  expect(await withTwo({ isSlow: true, isProven: false })).toEqual({ answers: ["removed", "removed"], left: 0 })
})
