/** Whoever registers a credential with an id that is offered for an address does not learn whether somebody has it. */
import { randomBytes } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { optionsOf, passkeyConfig, registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const [old, fresh] = ["old-secret-of-at-least-32-characters", "new-secret-of-at-least-32-characters"]

async function open(strategy: "jwt" | "database") {
  const adapter = memoryAdapter()
  const worldWith = (secret: string | string[]) =>
    makeWorld({ strategy, adapter, config: { ...passkeyConfig, secret } })
  const before = await worldWith(old)
  await registerPasskey(before.browser(), softwarePasskey(), "ada@app.test")
  return { adapter, before, worldWith }
}
type World = Awaited<ReturnType<typeof open>>["before"]

/** The ids that are offered for twenty addresses: lists of one and of two, of every length that is made up. */
async function offeredFor(world: World, nameOf: (index: number) => string): Promise<readonly string[]> {
  const lists = Array.from({ length: 20 }, async (_, index) => {
    const { options } = await optionsOf(world.browser(), { action: "authenticate", email: nameOf(index) })
    return (options.allowCredentials ?? []).map(({ id }) => id)
  })
  return (await Promise.all(lists)).flat()
}

let people = 0

/** Registers a credential with this id for a new person; says where the answer leads. */
async function register(world: World, id: string): Promise<string | undefined> {
  const browser = world.browser()
  people += 1
  const { options } = await optionsOf(browser, { action: "register", email: `eve${people}@evil.test` })
  const attestedId = new Uint8Array(Buffer.from(id, "base64url"))
  const answer = await softwarePasskey().create(options, { attestedId, answer: { id, rawId: id } })
  const body = { action: "register", data: JSON.stringify(answer) }
  return (await browser.post("/auth/callback/passkey", body, { csrf: false, json: true })).location
}

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it("an id is refused alike, whether it is somebody's or made up", { tags: ["threat:WO-11"] }, async () => {
    const { adapter, before } = await open(strategy)
    const [known = ""] = await offeredFor(before, () => "ada@app.test")
    const refused = await register(before, known)
    expect(refused).toContain("error=")
    const madeUp = new Set(await offeredFor(before, (index) => `nobody${index}@app.test`))
    expect([...new Set([...madeUp].map((id) => Buffer.from(id, "base64url").length))].sort()).toEqual([16, 20, 32])
    for (const id of madeUp) expect(await register(before, id)).toBe(refused)
    expect(await adapter.getUserByEmail?.(`eve${people}@evil.test`)).toBeNull()
  })

  it("so is one that was made up with the secret before", { tags: ["threat:WO-11"] }, async () => {
    const { before, worldWith } = await open(strategy)
    const madeUp = await offeredFor(before, (index) => `nobody${index}@app.test`)
    const after = await worldWith([fresh, old])
    for (const id of madeUp) expect(await register(after, id)).toContain("error=")
  })

  it.each([16, 20, 32])("an id of %s bytes that an authenticator has drawn is taken", async (length) => {
    const { before } = await open(strategy)
    expect(await register(before, randomBytes(length).toString("base64url"))).toBe("https://app.test/")
  })
})
