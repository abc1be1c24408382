/** The life of two passkeys in a store: added, used, named, removed, refused. */
import { softwarePasskey } from "@latchkey/testing"
import { expect } from "vitest"
import { passkeys } from "../../src/passkeys.js"
import type { Adapter } from "../../src/types/adapter.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "./passkeys.js"
import { makeWorld } from "./world.js"

/** Lives it with the feature of passkeys, by HTTP. Asserts each step. */
export async function livePasskeys(adapter: Adapter): Promise<void> {
  const world = await makeWorld({ strategy: "database", adapter, config: { ...passkeyConfig, features: [passkeys()] } })
  const browser = world.browser()
  const [first, second] = [softwarePasskey(), softwarePasskey()]
  await registerPasskey(browser, first, "ada@app.test")
  await registerPasskey(browser, second)
  const list = async (): Promise<readonly Record<string, string>[]> =>
    JSON.parse((await browser.get("/auth/passkeys")).text)
  const before = await list()
  expect(before).toHaveLength(2)
  expect(before.every(({ addedAt, usedAt }) => addedAt !== undefined && usedAt === undefined)).toBe(true)
  await signInByPasskey(browser, first)
  const id = (await list()).find(({ usedAt }) => usedAt !== undefined)?.["id"] ?? ""
  expect((await browser.post("/auth/passkeys", { rename: id, name: "Old phone" })).status).toBe(200)
  expect((await list()).map(({ name }) => name).filter(Boolean)).toEqual(["Old phone"])
  expect((await browser.post("/auth/passkeys", { remove: id })).status).toBe(200)
  expect((await list()).map((entry) => entry["id"])).toEqual(
    before.map((entry) => entry["id"]).filter((one) => one !== id),
  )
  const stranger = world.browser()
  expect((await signInByPasskey(stranger, first)).location).toContain("error=Signin")
  expect(await stranger.session()).toBeNull()
  await signInByPasskey(stranger, second)
  expect(await stranger.session()).not.toBeNull()
  expect(world.errors.map(({ name }) => name)).toEqual(["WebAuthnVerificationError"])
}
