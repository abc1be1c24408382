/** Sessions, links and authenticators as the store gets them and the client sees them. */
import { createHash } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import Passkey from "../../src/providers/passkey.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { givenTo, recordCalls } from "../support/recorder.js"
import { makeWorld, worldSecret } from "../support/world.js"

const noon = new Date("2026-03-01T12:00:00.000Z")
const month = new Date("2026-03-31T12:00:00.000Z")
const name = "__Secure-authjs.session-token"

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: noon }))
afterEach(() => void vi.useRealTimers())

describe.each(["jwt", "database"] as const)("a session, %s strategy", (strategy) => {
  it("has its end as an ISO string, and its user [spec session expires] [spec session user]", async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toEqual({
      expires: month.toISOString(),
      user: expect.objectContaining({ name: "Ada", email: "ada@op.test" }),
    })
  })

  it("needs no user [spec session user]", async () => {
    const callbacks = { session: ({ session }: { session: { expires: string } }) => ({ expires: session.expires }) }
    const world = await makeWorld({ strategy, config: { callbacks } })
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toEqual({ expires: month.toISOString() })
  })
})

describe("a stored session", () => {
  it("is a random look-up value, which a secure http-only cookie holds, an owner and a date [spec adapter-session sessionToken] [spec adapter-session userId] [spec adapter-session expires]", async () => {
    const { adapter, calls } = recordCalls(memoryAdapter())
    const world = await makeWorld({ adapter, provider: { emailVerified: () => true } })
    const [one, two] = [world.browser(), world.browser()]
    const visit = await world.signInAtOp(one)
    const row = givenTo(calls, "createSession")
    const user = await adapter.getUserByEmail?.("ada@op.test")
    expect(row).toEqual({ sessionToken: one.cookie(name), userId: user?.id, expires: month })
    const line = visit.headers.getSetCookie().find((cookie) => cookie.startsWith(name))
    expect(line).toMatch(/; HttpOnly/i)
    expect(line).toMatch(/; Secure/i)
    await world.signInAtOp(two)
    const other = givenTo(calls, "createSession").sessionToken
    expect([one.cookie(name), other]).toEqual([expect.stringMatching(/^[\da-f]{64}$/), two.cookie(name)])
    expect(other).not.toBe(row.sessionToken)
  })
})

describe("a stored link", () => {
  it("is the address, the token hashed with the secret, and an end [spec verification-token identifier] [spec verification-token token] [spec verification-token expires]", async () => {
    const { adapter, calls } = recordCalls(memoryAdapter())
    const world = await makeWorld({ adapter })
    await world.browser().post("/auth/signin/mail", { email: "Grace@App.test" })
    const [mail] = world.mails
    expect(givenTo(calls, "createVerificationToken")).toEqual({
      identifier: "grace@app.test",
      token: createHash("sha256").update(`${mail?.token}${worldSecret}`).digest("hex"),
      expires: new Date("2026-03-01T13:00:00.000Z"),
    })
  })
})

describe("a stored authenticator", () => {
  async function registered() {
    const { adapter, calls } = recordCalls(memoryAdapter())
    const world = await makeWorld({
      adapter,
      config: { providers: [Passkey], experimental: { enableWebAuthn: true } },
    })
    const authenticator = softwarePasskey()
    await passkeyCeremony(world.browser(), authenticator, { action: "register", email: "key@app.test" })
    expect(world.errors).toEqual([])
    const [held] = authenticator.credentials
    if (!held) throw new Error("nothing was registered")
    return { world, calls, authenticator, id: Buffer.from(held.id).toString("base64") }
  }

  it("is the credential in base64 with its key, its device type and its transports [spec authenticator credentialID] [spec authenticator credentialPublicKey] [spec authenticator credentialDeviceType] [spec authenticator credentialBackedUp] [spec authenticator transports]", async () => {
    const { calls, id } = await registered()
    const row = givenTo(calls, "createAuthenticator")
    expect(row).toMatchObject({
      credentialID: id,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: "internal,hybrid",
    })
    const key = Buffer.from(String(row.credentialPublicKey), "base64")
    expect(key.toString("base64")).toBe(row.credentialPublicKey)
    expect([...key.subarray(0, 3)]).toEqual([0xa5, 0x01, 0x02])
  })

  it("belongs to an account and to its user [spec authenticator providerAccountId] [spec authenticator userId]", async () => {
    const { world, calls, id } = await registered()
    const user = await world.adapter.getUserByEmail?.("key@app.test")
    expect(givenTo(calls, "createAuthenticator")).toMatchObject({ providerAccountId: id, userId: user?.id })
    expect(await world.adapter.getAccount?.(id, "passkey")).toMatchObject({ type: "webauthn", userId: user?.id })
  })

  it("counts its uses [spec authenticator counter]", async () => {
    const { world, authenticator, calls, id } = await registered()
    expect(givenTo(calls, "createAuthenticator").counter).toBe(0)
    const browser = world.browser()
    for (const counter of [1, 2]) {
      await passkeyCeremony(browser, authenticator, { action: "authenticate" })
      expect((await world.adapter.getAuthenticator?.(id))?.counter).toBe(counter)
    }
  })
})
