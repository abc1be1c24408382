/** Passkeys that their users can tell apart and take away: by functions and by HTTP. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { AccountKey, Adapter, AdapterAuthenticator } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { WebAuthnModules } from "../../src/types/provider.js"
import type { TestBrowser } from "../support/browser.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"

const keys = passkeys()

/** What is exchanged of the library. */
type Verify = (given: unknown) => Promise<{ readonly registrationInfo?: object }>

async function withPasskey(config: Partial<AuthConfig> = {}, strategy: "jwt" | "database" = "jwt") {
  const adapter = memoryAdapter()
  const world = await makeWorld({ strategy, adapter, config: { ...passkeyConfig, features: [keys], ...config } })
  const browser = world.browser()
  const authenticator = softwarePasskey()
  await registerPasskey(browser, authenticator, "ada@app.test")
  return { world, browser, authenticator, adapter }
}

const here = (browser: TestBrowser) => {
  const names = ["__Host-authjs.csrf-token", "__Secure-authjs.session-token"]
  const cookie = names.flatMap((name) => (browser.cookie(name) ? [`${name}=${browser.cookie(name)}`] : [])).join("; ")
  return { url: "https://app.test/", headers: { cookie } }
}
const idOf = async ({ auth }: World, browser: TestBrowser): Promise<string> =>
  (await keys.list(auth, here(browser)))[0]?.id ?? ""
const listed = async (browser: TestBrowser): Promise<readonly Record<string, unknown>[]> =>
  JSON.parse((await browser.get("/auth/passkeys")).text)

it("keeps nothing of a passkey whose registration is refused", async () => {
  const { world, adapter } = await withPasskey()
  const notes = async () => adapter.scanRecords("passkey", { limit: 10 })
  const [note, ...others] = await notes()
  expect(others).toEqual([])
  expect(note?.userId).toBe((await adapter.getUserByEmail("ada@app.test"))?.id)
  await registerPasskey(world.browser(), softwarePasskey(), "ada@app.test").catch(() => undefined)
  expect(await notes()).toHaveLength(1)
})

it("lets somebody add one whose picture came in the profile as a data URL, as from Microsoft", {
  tags: ["threat:CK-22"],
}, async () => {
  const image = `data:image/jpeg;base64,${"A".repeat(2700)}`
  const profile = ({ sub = "" }: { sub?: string }) => ({ id: sub, name: "Ada", email: "ada@app.test", image })
  const { experimental } = passkeyConfig
  const world = await makeWorld({ provider: { profile }, more: [Passkey()], config: { experimental } })
  const browser = world.browser()
  await world.signInAtOp(browser)
  expect(await browser.session()).toMatchObject({ user: { image } })
  const asked = await browser.get("/auth/webauthn-options/passkey?action=register")
  // Browsers drop what is longer.
  for (const [name, { value }] of browser.jar) expect(`${name}=${value}`.length).toBeLessThanOrEqual(4096)
  const data = JSON.stringify(await softwarePasskey().create(JSON.parse(asked.text).options))
  await browser.post("/auth/callback/passkey", { action: "register", data }, { csrf: false, json: true })
  expect(world.events.filter(([name]) => name === "linkAccount").map(([, { account }]) => account)).toMatchObject([
    { provider: "op" },
    { provider: "passkey" },
  ])
})

describe.each(["jwt", "database"] as const)("with sessions of the kind %s", (strategy) => {
  it("lists a passkey with the day it was added and used, and the name it is given", async () => {
    const { world, browser, authenticator } = await withPasskey({}, strategy)
    const before = await keys.list(world.auth, here(browser))
    expect(before).toEqual([
      { id: expect.stringMatching(/^[\w-]{10,}$/), provider: "passkey", isSynced: false, addedAt: expect.any(Date) },
    ])
    await signInByPasskey(browser, authenticator)
    const id = await idOf(world, browser)
    expect(await keys.rename(world.auth, here(browser), { id, name: "  My\u0000 phone " })).toBe(true)
    expect(await keys.list(world.auth, here(browser))).toEqual([
      { ...before[0], usedAt: expect.any(Date), name: "My phone" },
    ])
  })

  it("removes a passkey, which signs nobody in from then on", async () => {
    const { world, browser, authenticator } = await withPasskey({}, strategy)
    const second = softwarePasskey()
    await registerPasskey(browser, second)
    const id = await idOf(world, browser)
    expect(await keys.remove(world.auth, here(browser), { id })).toBe("removed")
    expect(await keys.list(world.auth, here(browser))).toHaveLength(1)
    const stranger = world.browser()
    expect((await signInByPasskey(stranger, authenticator)).location).toContain("error=Signin")
    expect(await stranger.session()).toBeNull()
    await signInByPasskey(stranger, second)
    expect(await stranger.session()).not.toBeNull()
  })
})

describe("the last way in", () => {
  it.each<[string, (adapter: ReturnType<typeof memoryAdapter>) => object]>([
    ["alone", () => ({})],
    [
      "with what it knows of the passkey",
      (adapter) => {
        const gone = new Set<string>()
        return {
          unlinkAccount(key: AccountKey) {
            gone.add(key.providerAccountId)
            return adapter.unlinkAccount(key)
          },
          listAuthenticatorsByUserId: async (userId: string) =>
            (await adapter.listAuthenticatorsByUserId(userId)).filter(({ credentialID }) => !gone.has(credentialID)),
          getAuthenticator: async (id: string) => (gone.has(id) ? null : adapter.getAuthenticator(id)),
          async createAuthenticator(row: AdapterAuthenticator) {
            if (!gone.delete(row.credentialID)) return adapter.createAuthenticator(row)
            return row
          },
        }
      },
    ],
  ])(
    "stays where two passkeys are removed at once and take long, and the adapter removes an account %s",
    async (_, change) => {
      const memory = memoryAdapter()
      // Neither counts the other any more.
      const countRecord = async (_key: unknown, { expires }: { readonly expires: Date }) => ({ sum: 1, expires })
      const adapter = { ...memory, ...change(memory), countRecord }
      const { world, browser, authenticator } = await withPasskey({ adapter }, "database")
      const other = softwarePasskey()
      await registerPasskey(browser, other)
      const ids = (await keys.list(world.auth, here(browser))).map(({ id }) => id)
      const answers = await Promise.all(ids.map((id) => keys.remove(world.auth, here(browser), { id })))
      expect([ids.length, answers]).toEqual([2, expect.arrayContaining(["last"])])
      const left = await keys.list(world.auth, here(browser))
      expect(left.length).toBe(answers.filter((answer) => answer === "last").length)
      const ways = await Promise.all(
        [authenticator, other].map(async (one) => (await signInByPasskey(world.browser(), one)).location),
      )
      expect(ways.filter((location) => location === "https://app.test/")).toHaveLength(left.length)
      // Both at once answered that it was the last: one of them can go now.
      if (left.length === 2) expect(await keys.remove(world.auth, here(browser), { id: ids[0] ?? "" })).toBe("removed")
    },
  )

  it("stays where two passkeys are removed at once, and no process comes to putting one back", async () => {
    const memory = memoryAdapter()
    let isDead = false
    const died = async () => {
      throw new Error("the process is gone")
    }
    const adapter: Adapter = {
      ...memory,
      linkAccount: (account) => (isDead ? died() : memory.linkAccount(account)),
      createAuthenticator: (row) => (isDead ? died() : memory.createAuthenticator(row)),
    }
    const { world, browser } = await withPasskey({ adapter }, "database")
    for (const one of [softwarePasskey(), softwarePasskey()]) await registerPasskey(browser, one)
    isDead = true
    const list = () => keys.list(world.auth, here(browser))
    const remove = (id: string) => keys.remove(world.auth, here(browser), { id }).catch(() => "died")
    const ids = (await list()).map(({ id }) => id)
    const answers = await Promise.all(ids.map(remove))
    const left = await list()
    expect([ids.length, answers]).toEqual([3, expect.arrayContaining(["last"])])
    expect(left.length).toBe(answers.filter((answer) => answer === "last").length)
    // What was counted is over: all but one can go now.
    for (const { id } of left.slice(1)) expect(await remove(id)).toBe("removed")
    expect(await remove(left[0]?.id ?? "")).toBe("last")
  })

  it("is kept, unless its user insists", async () => {
    const { world, browser } = await withPasskey()
    const id = await idOf(world, browser)
    expect(await keys.remove(world.auth, here(browser), { id })).toBe("last")
    expect(await keys.list(world.auth, here(browser))).toHaveLength(1)
    expect(await keys.remove(world.auth, here(browser), { id, evenLast: true })).toBe("removed")
    expect(await keys.list(world.auth, here(browser))).toEqual([])
  })

  it("is not a passkey of somebody who gets links by mail", async () => {
    const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined } as const
    const providers = [...(passkeyConfig.providers ?? []), mail] as AuthConfig["providers"]
    const { world, browser } = await withPasskey({ providers })
    expect(await keys.remove(world.auth, here(browser), { id: await idOf(world, browser) })).toBe("removed")
  })

  it("may be an account at a provider that is still configured", async () => {
    const { world, browser, adapter } = await withPasskey()
    const user = await adapter.getUserByEmail?.("ada@app.test")
    const account = { type: "oidc", provider: "gone", providerAccountId: "1", userId: user?.id ?? "" } as const
    await adapter.linkAccount?.(account)
    expect(await keys.remove(world.auth, here(browser), { id: await idOf(world, browser) })).toBe("last")
  })
})

describe("by HTTP", () => {
  it("lists, names and removes what is one's own, with the CSRF token", async () => {
    const { browser } = await withPasskey()
    const [passkey] = await listed(browser)
    const id = String(passkey?.["id"])
    const change = (fields: Record<string, string>) => browser.post("/auth/passkeys", fields)
    expect((await change({ rename: id, name: "Laptop" })).status).toBe(200)
    expect((await listed(browser))[0]).toMatchObject({ id, name: "Laptop" })
    const refused = await change({ remove: id })
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([409, "LastWayIn"])
    expect((await change({ remove: id, last: "true" })).status).toBe(200)
    expect(await listed(browser)).toEqual([])
  })

  it("changes nothing without the CSRF token", async () => {
    const { browser } = await withPasskey()
    const id = String((await listed(browser))[0]?.["id"])
    const refused = await browser.post("/auth/passkeys", { remove: id, last: "true" }, { csrf: false })
    expect(refused.status).toBe(403)
    expect(await listed(browser)).toHaveLength(1)
  })

  it("finds no passkey of somebody else, and none for nobody", async () => {
    const { world, browser } = await withPasskey()
    const id = await idOf(world, browser)
    const eve = world.browser()
    expect((await eve.get("/auth/passkeys")).status).toBe(401)
    expect((await eve.post("/auth/passkeys", { remove: id, last: "true" })).status).toBe(401)
    await registerPasskey(eve, softwarePasskey(), "eve@app.test")
    for (const fields of [
      { remove: id, last: "true" },
      { rename: id, name: "Mine" },
    ]) {
      expect((await eve.post("/auth/passkeys", fields as Record<string, string>)).status).toBe(404)
    }
    expect(await listed(browser)).toEqual([expect.not.objectContaining({ name: "Mine" })])
    expect((await eve.post("/auth/passkeys", {})).status).toBe(400)
  })

  it("is no endpoint where the feature is not listed", async () => {
    const { browser } = await withPasskey({ features: [] })
    expect((await browser.get("/auth/passkeys")).status).toBe(404)
  })
})

it("says what keeps a passkey, by the model that its authenticator states", async () => {
  const model = "bada5566-a7aa-401f-bd96-45619a55120d"
  const loadLibrary = async (): Promise<WebAuthnModules> => {
    const load = Passkey().loadLibrary
    if (!load) throw new Error("Expected the provider to load its library.")
    const { server, helpers } = await load()
    const { verifyRegistrationResponse: verify } = server as { verifyRegistrationResponse: Verify }
    const stating: Verify = async (given) => {
      const { registrationInfo, ...answer } = await verify(given)
      return { ...answer, registrationInfo: { ...registrationInfo, aaguid: model } }
    }
    return { server: { ...server, verifyRegistrationResponse: stating }, helpers }
  }
  const { world, browser } = await withPasskey({ providers: [Passkey({ loadLibrary })] })
  expect(await keys.list(world.auth, here(browser))).toEqual([expect.objectContaining({ keptBy: "1Password" })])
})

it("signs in while the records are away, and logs that", async () => {
  const { world, authenticator, adapter } = await withPasskey()
  vi.spyOn(adapter, "getRecord").mockRejectedValue(new Error("away"))
  const browser = world.browser()
  await signInByPasskey(browser, authenticator)
  expect(await browser.session()).not.toBeNull()
  expect(world.errors.map(({ name }) => name)).toEqual(["AdapterError"])
})

it("is refused where the feature is not listed", async () => {
  const { auth } = await makeWorld({ config: passkeyConfig })
  await expect(keys.list(auth, { url: "https://app.test/", headers: {} })).rejects.toThrow(
    '"features": expected passkeys() in the list',
  )
})
