/** Options for the browser: which ceremony, for which user, and nothing about whether a user exists. */
import PeerPasskey from "@auth/core/providers/passkey"
import { toBase64url } from "@latchkey/testing/webauthn"
import { describe, expect, it, vi } from "vitest"
import { createCeremonies } from "../../../test/support/ceremonies.js"
import { keepCookies } from "../../../test/support/method-context.js"
import { memoryAdapter } from "../../adapters/memory.js"
import { openChallenge, sealChallenge } from "../../checks/challenge.js"
import { ExperimentalFeatureNotEnabled, MissingAdapterMethods, UnreadableRequest } from "../../errors.js"
import { Passkey } from "../../providers/passkey.js"
import { libraryOf } from "./library.js"
import { ceremonyFor, webauthnOptions } from "./options.js"

describe("the ceremony", () => {
  it.each([
    [undefined, "nobody", "authenticate"],
    [undefined, "unknown", "authenticate"],
    [undefined, "known", "authenticate"],
    [undefined, "member", undefined],
    ["authenticate", "nobody", "authenticate"],
    ["authenticate", "unknown", "authenticate"],
    ["authenticate", "known", "authenticate"],
    ["authenticate", "member", "authenticate"],
    ["register", "nobody", undefined],
    ["register", "unknown", "register"],
    ["register", "known", "register"],
    ["register", "member", "register"],
  ] as const)("for action %s asked by %s is %s", { tags: ["threat:WO-14"] }, (asked, subject, ceremony) => {
    expect(ceremonyFor(asked, subject)).toBe(ceremony)
  })
})

describe("authentication options", () => {
  it("without address let the authenticator choose [spec action webauthn-options GET]", async () => {
    const { begin } = createCeremonies()
    const { action, options } = await begin({})
    expect(action).toBe("authenticate")
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: "app.test",
      timeout: 300_000,
      userVerification: "required",
    })
  })

  it("name the credentials of a registered address", { tags: ["threat:WO-13"] }, async () => {
    const passkeys = createCeremonies()
    await passkeys.admit(await passkeys.register("other@example.test"))
    const proof = await passkeys.register("ada@example.test")
    await passkeys.admit(proof)
    const { options } = await passkeys.begin({ email: " Ada@Example.TEST " })
    const id = proof.authenticator?.credentialID.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
    expect(options.allowCredentials).toEqual([{ id, type: "public-key", transports: ["internal", "hybrid"] }])
  })

  it("name credentials of the same shape for an address nobody registered, always the same ones", {
    tags: ["threat:WO-11", "threat:TL-04"],
  }, async () => {
    const { begin } = createCeremonies()
    const first = await begin({ email: "nobody@example.test" })
    const again = await begin({ email: "nobody@example.test" })
    const other = await begin({ email: "somebody@example.test" })
    expect(first.options.allowCredentials).toEqual(again.options.allowCredentials)
    expect(first.options.allowCredentials).not.toEqual(other.options.allowCredentials)
    expect(first.options.allowCredentials?.length).toBeGreaterThan(0)
    for (const credential of first.options.allowCredentials ?? []) {
      expect(credential).toEqual({
        id: expect.stringMatching(/^[\w-]{22,43}$/),
        type: "public-key",
        transports: expect.arrayContaining([expect.any(String)]),
      })
    }
  })

  it("make up other credentials with another secret, so that they cannot be predicted", async () => {
    const ours = await createCeremonies().begin({ email: "nobody@example.test" })
    const theirs = await createCeremonies({ config: { secret: "x".repeat(32) } }).begin({
      email: "nobody@example.test",
    })
    expect(ours.options.allowCredentials).not.toEqual(theirs.options.allowCredentials)
  })

  it("are the same for a user without passkeys and an unknown address", {
    tags: ["threat:WO-11", "threat:A-145"],
  }, async () => {
    const adapter = memoryAdapter()
    const before = await createCeremonies({ adapter }).begin({ email: "ada@example.test" })
    await adapter.createUser({ id: "", email: "ada@example.test", emailVerified: null })
    const after = await createCeremonies({ adapter }).begin({ email: "ada@example.test" })
    expect(after.options.allowCredentials).toEqual(before.options.allowCredentials)
  })

  it("query the store equally often for a known and an unknown address", { tags: ["threat:TL-04"] }, async () => {
    const count = async (email: string): Promise<number> => {
      const passkeys = createCeremonies()
      await passkeys.admit(await passkeys.register("known@example.test"))
      const reads = [
        vi.spyOn(passkeys.adapter, "getUserByEmail"),
        vi.spyOn(passkeys.adapter, "listAuthenticatorsByUserId"),
      ]
      await passkeys.begin({ email })
      return reads.reduce((sum, read) => sum + read.mock.calls.length, 0)
    }
    expect(await count("unknown@example.test")).toBe(await count("known@example.test"))
  })

  it("treat an invalid address as no address", async () => {
    const getUserByEmail = vi.fn()
    const { begin } = createCeremonies({ adapter: { getUserByEmail } })
    const { options } = await begin({ email: "x@evil.test,v@victim.test" })
    expect(options.allowCredentials).toBeUndefined()
    expect(getUserByEmail).not.toHaveBeenCalled()
  })

  it("list the credentials of the signed-in user", async () => {
    const passkeys = createCeremonies()
    const { user, cookies } = await passkeys.member("ada@example.test")
    const begun = await passkeys.begin({ action: "register" }, cookies)
    const proof = await passkeys.finish(begun, await passkeys.authenticator.create(begun.options))
    await passkeys.admit(proof)
    expect(proof.user.id).toBe(user.id)
    const { options } = await passkeys.begin({ action: "authenticate" }, cookies)
    expect(options.allowCredentials).toHaveLength(1)
  })

  it("stay bounded for a user with a thousand credentials", { tags: ["threat:WO-20"] }, async () => {
    const row = (index: number) => ({
      credentialID: btoa(`credential-${index}`),
      credentialPublicKey: "AA==",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      providerAccountId: btoa(`credential-${index}`),
      userId: "1",
    })
    const listAuthenticatorsByUserId = async () => Array.from({ length: 1000 }, (_, index) => row(index))
    const getUserByEmail = async () => ({ id: "1", email: "a@b.test", emailVerified: null })
    const { begin } = createCeremonies({ adapter: { listAuthenticatorsByUserId, getUserByEmail } })
    expect((await begin({ email: "a@b.test" })).options.allowCredentials?.length).toBe(64)
  })
})

describe("registration options", () => {
  it("for an address say what the authenticator needs [spec action webauthn-options GET]", {
    tags: ["threat:WO-15", "threat:WO-16", "threat:WO-17"],
  }, async () => {
    const { begin } = createCeremonies()
    const { action, options } = await begin({ action: "register", email: "ada@example.test" })
    expect(action).toBe("register")
    expect(options).toMatchObject({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { id: "app.test", name: "app.test" },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: "ada@example.test", displayName: "ada@example.test" },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: "public-key" })),
      timeout: 300_000,
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", userVerification: "required", requireResidentKey: true },
      extensions: { credProps: true },
    })
  })

  it.each([
    ["preferred", "discouraged"],
    ["discouraged", "preferred"],
  ])(
    "say what is configured: verification %s, a resident key %s",
    {
      tags: ["threat:WO-17"],
    },
    async (userVerification, residentKey) => {
      const registrationOptions = { authenticatorSelection: { userVerification, residentKey } }
      const provider = { registrationOptions, authenticationOptions: { userVerification } }
      const { begin } = createCeremonies({ provider })
      const { options } = await begin({ action: "register", email: "ada@example.test" })
      expect(options["authenticatorSelection"]).toMatchObject({ userVerification, residentKey })
      expect((await begin({})).options["userVerification"]).toBe(userVerification)
    },
  )

  it("are the same for a taken address, credentials left out", { tags: ["threat:WO-11", "threat:WO-12"] }, async () => {
    const passkeys = createCeremonies()
    await passkeys.admit(await passkeys.register("ada@example.test"))
    const taken = await passkeys.begin({ action: "register", email: "ada@example.test" })
    const free = await passkeys.begin({ action: "register", email: "eve@example.test" })
    expect(taken.options["excludeCredentials"]).toEqual([])
    expect(Object.keys(taken.options)).toEqual(Object.keys(free.options))
    const lengths = [taken, free].map(({ cookies }) => [...cookies.values()].map((value) => value.length))
    expect(lengths[0]).toEqual(lengths[1])
  })

  it.each([{ action: "register" }, { action: "register", email: "" }, { action: "register", email: "no address" }])(
    "are refused without an address: %j",
    { tags: ["threat:WO-14"] },
    async (query) => {
      await expect(createCeremonies().begin(query)).rejects.toThrow(UnreadableRequest)
    },
  )

  it.each(["Register", "delete", "register,authenticate", ""])(
    "are refused for the action %j",
    { tags: ["threat:WO-14"] },
    async (action) => {
      const failure = createCeremonies().begin({ action })
      await expect(failure).rejects.toThrow(/Invalid action/)
      await expect(failure).rejects.toMatchObject({ status: 400 })
    },
  )

  it("exclude the credentials of the signed-in user, and contain a stable handle that reveals nothing", {
    tags: ["threat:WO-10", "threat:WO-12"],
  }, async () => {
    const passkeys = createCeremonies()
    await passkeys.admit(await passkeys.register("other@example.test"))
    const { cookies } = await passkeys.member("ada@example.test")
    const begun = await passkeys.begin({ action: "register" }, cookies)
    await passkeys.admit(await passkeys.finish(begun, await passkeys.authenticator.create(begun.options)))
    const again = await passkeys.begin({ action: "register" }, cookies)
    expect(begun.options["excludeCredentials"]).toEqual([])
    await passkeys.admit(await passkeys.finish(again, await passkeys.authenticator.create(again.options)))
    const last = await passkeys.begin({ action: "register" }, cookies)
    const own = passkeys.authenticator.credentials.slice(1).map(({ id }) => toBase64url(id))
    expect(last.options["excludeCredentials"]).toEqual(own.map((id) => expect.objectContaining({ id })))
    expect(again.options["excludeCredentials"]).toHaveLength(1)
    expect(again.options.user?.id).toMatch(/^[\w-]{43}$/)
    expect(again.options.user).toEqual(begun.options.user)
    expect(again.options.user).toMatchObject({ name: "ada@example.test" })
    expect(atob(again.options.user?.id.replaceAll("-", "+").replaceAll("_", "/") ?? "")).not.toContain("ada")
  })

  it("contain a new handle for each new person", { tags: ["threat:WO-10"] }, async () => {
    const { begin } = createCeremonies()
    const query = { action: "register", email: "ada@example.test" }
    expect((await begin(query)).options.user?.id).not.toBe((await begin(query)).options.user?.id)
  })

  it("work for a signed-in user without an address", async () => {
    const passkeys = createCeremonies()
    const { cookies, user } = await passkeys.member("")
    const { options } = await passkeys.begin({ action: "register" }, cookies)
    expect(options.user).toMatchObject({ name: String(user.id) })
  })

  it("are refused without a session when the adapter could not remove the passkey again", async () => {
    const { begin, member } = createCeremonies({ adapter: { unlinkAccount: undefined as never } })
    await expect(begin({ action: "register", email: "a@b.test" })).rejects.toThrow(MissingAdapterMethods)
    const { cookies } = await member("ada@example.test")
    await expect(begin({ action: "register" }, cookies)).resolves.toMatchObject({ action: "register" })
  })

  it("leave the provider's own options as they are", async () => {
    const authenticatorSelection = Object.freeze({ residentKey: "preferred" })
    const provider = { registrationOptions: Object.freeze({ authenticatorSelection }) }
    const passkeys = createCeremonies({ provider })
    await passkeys.begin({ action: "register", email: "a@b.test" })
    expect(authenticatorSelection).toEqual({ residentKey: "preferred" })
    const { provider: resolved } = await passkeys.context("/auth/webauthn-options/passkey")
    expect(resolved?.config).toMatchObject({
      registrationOptions: { authenticatorSelection: { residentKey: "preferred" } },
    })
    expect(JSON.stringify(resolved?.config)).not.toContain("requireResidentKey")
  })
})

describe("the challenge", () => {
  it("is new every time and 32 bytes long", { tags: ["threat:WO-01"] }, async () => {
    const { begin } = createCeremonies()
    const challenges = new Set<string>()
    for (let round = 0; round < 20; round++) challenges.add((await begin({})).options.challenge)
    const library = await libraryOf(Passkey())
    const party = { id: "app.test", name: "App", origin: "https://app.test" }
    for (let round = 0; round < 980; round++) {
      const { challenge } = await library.authenticationOptions({ options: {}, party, allow: undefined })
      challenges.add(challenge)
    }
    expect(challenges.size).toBe(1000)
    for (const challenge of challenges) expect(challenge).toMatch(/^[\w-]{43}$/)
  })

  it("is sealed into a cookie, with the person for a registration", { tags: ["threat:WO-02"] }, async () => {
    const passkeys = createCeremonies()
    const signIn = await passkeys.begin({})
    const asked = await passkeys.context("/auth/callback/passkey", { cookies: signIn.cookies })
    expect(await openChallenge(asked)).toEqual({ challenge: signIn.options.challenge })
    const registration = await passkeys.begin({ action: "register", email: "ada@example.test" })
    const back = await passkeys.context("/auth/callback/passkey", { cookies: registration.cookies })
    expect(await openChallenge(back)).toEqual({
      challenge: registration.options.challenge,
      registerData: { email: "ada@example.test" },
    })
  })

  it("is sealed with the id of a signed-in user alone, whose picture may be longer than a cookie", {
    tags: ["threat:CK-22"],
  }, async () => {
    const passkeys = createCeremonies()
    const { user, cookies } = await passkeys.member("ada@example.test")
    await passkeys.adapter.updateUser({ id: user.id, image: `data:image/jpeg;base64,${"A".repeat(2700)}` })
    const begun = await passkeys.begin({ action: "register" }, cookies)
    for (const [name, value] of begun.cookies) expect(name.length + value.length).toBeLessThan(1500)
    const back = await passkeys.context("/auth/callback/passkey", { cookies: begun.cookies })
    const session = expect.stringMatching(/^[\w-]{22}$/)
    expect((await openChallenge(back)).registerData).toEqual({ id: user.id, session })
    const { user: registered } = await passkeys.finish(begun, await passkeys.authenticator.create(begun.options))
    expect(registered).toMatchObject({ id: user.id, email: "ada@example.test" })
  })

  it("of a visitor is answered as well when it was sealed without padding, as before", async () => {
    const passkeys = createCeremonies()
    const begun = await passkeys.begin({ action: "register", email: "ada@example.test" })
    const asked = await passkeys.context("/auth/webauthn-options/passkey")
    const registerData = { email: "ada@example.test", name: "Ada" }
    const before = await sealChallenge(asked, { challenge: String(begun.options.challenge), registerData })
    const cookies = keepCookies(asked, [before])
    const answer = await passkeys.authenticator.create(begun.options)
    const { user } = await passkeys.finish(begun, answer, { cookies })
    expect(user).toEqual({ id: expect.any(String), email: "ada@example.test", name: "Ada" })
  })

  it("is answered as well when it was sealed with more of the user, as before", async () => {
    const passkeys = createCeremonies()
    const { user, cookies } = await passkeys.member("ada@example.test")
    const begun = await passkeys.begin({ action: "register" }, cookies)
    const asked = await passkeys.context("/auth/webauthn-options/passkey", { cookies })
    const registerData = { id: user.id, name: null, email: user.email, image: "https://op.test/ada.png" }
    const before = await sealChallenge(asked, { challenge: String(begun.options.challenge), registerData })
    const sealed = new Map([...cookies, ...keepCookies(asked, [before])])
    const answer = await passkeys.authenticator.create(begun.options)
    expect((await passkeys.finish(begun, answer, { cookies: sealed })).user.id).toBe(user.id)
  })
})

describe("the relying party", () => {
  const rpOf = async (provider: Parameters<typeof createCeremonies>[0]): Promise<unknown> =>
    (await createCeremonies(provider).begin({ action: "register", email: "a@b.test" })).options.rp

  it.each([
    ["by default the trusted origin [WO-09]", {}, { id: "app.test", name: "app.test" }],
    ["as the provider says", { relayingParty: { id: "b.test", name: "B" } }, { id: "b.test", name: "B" }],
    ["the first of a list", { relayingParty: { id: ["b.test", "c.test"], name: ["B"] } }, { id: "b.test", name: "B" }],
    [
      "as its function says",
      { getRelayingParty: () => ({ id: "d.test", name: "D", origin: "https://d.test" }) },
      { id: "d.test", name: "D" },
    ],
  ])("is %s", async (_, provider, rp) => {
    expect(await rpOf({ provider })).toEqual(rp)
  })

  it("is not moved by a header of the request", { tags: ["threat:WO-09", "threat:HO-34"] }, async () => {
    const { context } = createCeremonies()
    const asked = await context("/auth/webauthn-options/passkey")
    const { body } = await webauthnOptions({
      ...asked,
      incoming: { ...asked.incoming, headers: new Headers({ host: "evil.test" }) },
    })
    expect(body.options["rpId"]).toBe("app.test")
  })
})

describe("getUserInfo", () => {
  it("selects the user, and gets the normalised address", async () => {
    const getUserInfo = vi.fn(async () => ({
      user: { email: "new@example.test", name: "New" },
      exists: false as const,
    }))
    const passkeys = createCeremonies({ provider: { getUserInfo } })
    const begun = await passkeys.begin({ action: "register", email: "New@Example.test", team: "x" })
    const [options, request] = getUserInfo.mock.calls[0] as unknown as [
      Record<string, unknown>,
      Record<string, unknown>,
    ]
    expect(request).toMatchObject({ query: { email: "new@example.test", team: "x" }, method: "GET" })
    expect(options).toMatchObject({ provider: { id: "passkey" }, basePath: "/auth" })
    const proof = await passkeys.finish(begun, await passkeys.authenticator.create(begun.options))
    expect(proof.user).toMatchObject({ email: "new@example.test", name: "New" })
  })

  it("never reveals the data of a stored user to somebody who only states the address", async () => {
    const user = { id: "1", email: "ada@example.test", emailVerified: null, name: "Ada Byron" }
    const provider = { getUserInfo: async () => ({ user, exists: true as const }) }
    const passkeys = createCeremonies({ provider })
    const { options, cookies } = await passkeys.begin({ action: "register", email: "ada@example.test" })
    expect(JSON.stringify(options)).not.toContain("Byron")
    const asked = await passkeys.context("/auth/callback/passkey", { cookies })
    expect((await openChallenge(asked)).registerData).toEqual({ email: "ada@example.test" })
  })

  it("may say no more of a new person than a cookie holds: the error names what is too long", {
    tags: ["threat:CK-22"],
  }, async () => {
    const about = (length: number) => {
      const user = { email: "new@example.test", name: "New", image: "i".repeat(length) }
      return createCeremonies({ provider: { getUserInfo: async () => ({ user, exists: false as const }) } })
    }
    const query = { action: "register", email: "new@example.test" }
    const { cookies } = await about(1000).begin(query)
    for (const [name, value] of cookies) expect(name.length + value.length).toBeLessThan(4096)
    const refused = about(2700).begin(query)
    await expect(refused).rejects.toThrow(UnreadableRequest)
    await expect(refused).rejects.toThrow('a passkey registration: "image" has 2702 characters.')
  })

  it("may find no user", async () => {
    const provider = { getUserInfo: async () => null }
    const { options } = await createCeremonies({ provider }).begin({ email: "ada@example.test" })
    expect(options.allowCredentials).toBeUndefined()
  })
})

describe("a provider object of Auth.js", () => {
  it("works with our library, with the normalised address", async () => {
    const peer = PeerPasskey({ id: "passkey" }) as never
    const passkeys = createCeremonies({ config: { providers: [peer] } })
    const proof = await passkeys.register(" Ada@Example.TEST ")
    expect(proof.user).toMatchObject({ email: "ada@example.test" })
    const user = await passkeys.admit(proof)
    await expect(passkeys.signIn({ email: "ADA@example.test" })).resolves.toMatchObject({ user, counter: { value: 1 } })
    const { options } = await passkeys.begin({ email: "nobody@example.test" })
    expect(options.allowCredentials?.length).toBeGreaterThan(0)
    expect(options).toMatchObject({ rpId: "app.test", timeout: 300_000, userVerification: "required" })
  })
})

describe("the switch", () => {
  it("refuses everything while it is off [spec options experimental.enableWebAuthn]", {
    tags: ["threat:WO-19"],
  }, async () => {
    const before = createCeremonies()
    const begun = await before.begin({ action: "register", email: "ada@example.test" })
    const answer = await before.authenticator.create(begun.options)
    const calls: string[] = []
    const adapter = new Proxy(memoryAdapter(), {
      get: (target, name, all) => {
        const member: unknown = Reflect.get(target, name, all)
        if (typeof member !== "function") return member
        return (...given: unknown[]) => {
          calls.push(String(name))
          return Reflect.apply(member, target, given)
        }
      },
    })
    const off = createCeremonies({ adapter, config: { adapter, experimental: {} } })
    await expect(off.begin({})).rejects.toThrow(ExperimentalFeatureNotEnabled)
    await expect(off.begin({ action: "register", email: "a@b.test" })).rejects.toThrow(ExperimentalFeatureNotEnabled)
    await expect(off.finish(begun, answer)).rejects.toThrow(ExperimentalFeatureNotEnabled)
    expect(calls).toEqual([])
  })
})
